//! The record of one run on one machine: the only source of numbers for tables, plots and the book.
//!
//! ```text
//! request    what was asked for
//! device     what it ran on                 machine: the computer around it
//! figure     what work a ladder does, in which unit its rate is shown
//! row        the outcome of one step        timed, limits, variant: its parts
//! recounted  when its limits were counted after the run
//! relate     × parent and × first of each row, by statistics
//! comparison which reports can be compared
//! provenance, tuning, accuracy, against  what a report says, computed from its rows
//! tradeoff, crossing                    what several reports of one device say together
//! scaling, validation, mutation, published  other data: several GPUs, the model's errors, mutants, documents
//! format     numbers as text                words: numbers in sentences
//! io         written whole or not at all (files); read and checked (validate), with the field that is wrong
//! reason     long ones are cut, with the whole in a file
//! runs       the folders of runs, by time
//! ```
//!
//! Nothing here knows a device, a ladder or a problem by name.
//!
//! # Example
//! ```
//! use std::path::Path;
//!
//! use report::Report;
//!
//! let report = Report::read(Path::new("../../../reports/h200/report.json"))?;
//! for row in report.own() {
//!     let Some(timed) = row.main() else { continue };
//!     let figure = report.figure(row);
//!     println!("{}: {:.1} {}", row.step, figure.rate(timed.rate()), figure.unit);
//! }
//! assert!(report.own().count() > 10);
//! # Ok::<(), report::ReportError>(())
//! ```

pub mod accuracy;
pub mod against;
pub mod bound;
mod comparison;
pub mod compilers;
pub mod crossing;
mod date;
mod device;
mod figure;
pub mod files;
pub mod format;
mod io;
mod json;
mod library;
mod limits;
mod machine;
pub mod mutation;
pub mod provenance;
pub mod published;
pub mod reason;
mod recounted;
mod relate;
mod request;
mod row;
pub mod runs;
pub mod scaling;
mod schema;
pub mod synthetic;
mod timed;
pub mod tradeoff;
pub mod tuning;
mod validate;
pub mod validation;
mod variant;
pub mod words;

pub use comparison::ComparisonError;
pub use date::{now, stamp, today};
pub use device::{Info, TimeSource};
pub use figure::Figure;
pub use io::ReportError;
pub use library::relate_to_libraries;
pub use limits::{Bound, CpuLimits, Executed, Limits, Occupancy, Rates};
pub use machine::Machine;
pub use recounted::Recounted;
pub use relate::{CONFIDENCE, LEAST_EFFECT, LEAST_EFFECT_OF_FEW, Sampling, compare, relate};
pub use request::{Replacement, Request, Subject};
pub use row::{Committed, EndToEnd, Extra, MeasuredRatio, Outcome, Row, split};
pub use schema::schema;
pub use statistics;
pub use timed::{Accuracy, NamedSize, Ratio, Samples, Suspect, Timed, Whole};
pub use validate::InvalidReport;
pub use variant::{Define, Defines, Variant, is_name};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the report's format. It rises when a field changes its meaning or goes.
pub const SCHEMA: u32 = 3;

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
    /// Seed of the inputs that are timed; that of verification is among the options.
    pub seed: u64,
    /// Git revision of the workspace, with `-dirty` where files differ from it.
    pub revision: Option<String>,
    /// When its limits were counted anew; none where they were counted in the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recounted: Option<Recounted>,
    /// The figure of merit of each ladder that has rows, by its name.
    pub figures: BTreeMap<String, Figure>,
    /// One row a step, in ladder order.
    pub rows: Vec<Row>,
    /// Functions of libraries that steps are compared with, timed in the same rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<Row>,
}

impl Report {
    /// The rows whose times may be shown.
    pub fn verified(&self) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(|row| row.outcome.is_verified())
    }

    /// The size of the results that were verified, where that is less than the size that was timed: its
    /// times are modelled, and it was too large for the simulator to run.
    pub fn verified_size(&self) -> Option<u64> {
        statistics::commonest(self.verified().filter_map(|row| row.main()?.verified()))
    }

    /// Those of them that are of steps as they are by themselves, without the variants of sweeps.
    pub fn own(&self) -> impl Iterator<Item = &Row> + Clone {
        self.verified().filter(|row| row.is_own())
    }

    /// The figure of merit of a row's ladder.
    ///
    /// # Panics
    /// If the row is not of this report: [`Report::check`] refuses rows without a figure.
    pub fn figure(&self, row: &Row) -> &Figure {
        &self.figures[&row.ladder]
    }
}

#[cfg(test)]
mod tests;
