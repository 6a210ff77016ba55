//! The record of one run of a ladder on one machine: the only source of numbers for tables, plots
//! and the book.
//!
//! Rows are made by [`crate::climb`], related to each other by [`relate`], written and read here.

mod date;
mod io;
mod json;
mod limits;
mod machine;
mod relate;
mod row;
mod schema;
mod timed;
mod v1;
mod validate;

pub use date::today;
pub use io::ReportError;
pub use limits::{Bound, CpuLimits, Executed, Limits, Occupancy, Rates};
pub use machine::{Machine, revision};
pub use relate::{CONFIDENCE, LEAST_EFFECT, LEAST_EFFECT_OF_FEW, relate};
pub use row::{EndToEnd, Outcome, Row};
pub use schema::schema;
pub use timed::{Accuracy, Ratio, Samples, Suspect, Timed};

pub use device::{Info, TimeSource};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Request;

/// Version of the report's format. It rises when a field changes its meaning or goes.
pub const SCHEMA: u32 = 2;

/// One run of a ladder on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of the format.
    pub schema: u32,
    /// Day of the run in UTC: "2026-11-20".
    pub date: String,
    /// The computer.
    pub machine: Machine,
    /// What the steps ran on; none where no device could be opened.
    pub device: Option<Info>,
    /// What was asked for.
    pub options: Request,
    /// Seed of the generated clusters.
    pub seed: u64,
    /// Git revision of the workspace, with `-dirty` where files differ from it.
    pub revision: Option<String>,
    /// One row a step, in ladder order.
    pub rows: Vec<Row>,
}

impl Report {
    /// A report of today, on this machine, of this workspace, with related rows.
    pub fn new(request: &Request, device: Option<Info>, mut rows: Vec<Row>) -> Report {
        relate(&mut rows);
        Report {
            schema: SCHEMA,
            date: today(),
            machine: Machine::here(),
            device,
            options: request.clone().as_asked(),
            seed: crate::nbody::SEED,
            revision: revision(),
            rows,
        }
    }
}

#[cfg(test)]
mod tests;
