//! How well the time model tells measured times, and the simulator the chip's counters.
//!
//! Every step of a measured report is simulated at its n (the blocks of one multiprocessor stand for all, as they are
//! alike) and modelled; what a workbook teaches are ratios between steps, so these are judged: see [`data`].

mod counters;
pub mod data;
mod published;
mod simulated;

use std::path::Path;

use anyhow::{Context, Result};
use ladder::Ladder;
use ladder::report::{Report, Row};
use simt::model::Gpu;

pub use data::Validation;
use data::{Ratio, Time};
pub use simulated::Steps;

/// Holds the model of `gpu` against the report in `folder`.
///
/// # Errors
/// A report that cannot be read or has no measured step, and whatever stops a simulation.
pub fn validate(
    ladder: &'static Ladder,
    folder: &Path,
    gpu: &Gpu,
    tell: &mut dyn FnMut(&str),
) -> Result<Validation> {
    let report = Report::read(&folder.join("report.json"))?;
    let mut steps = Steps::new(ladder, gpu)?;
    let rows: Vec<(&Row, Measured)> =
        report.rows.iter().filter_map(|row| Some((row, Measured::of(row)?))).collect();
    let mut times = Vec::new();
    for (row, measured) in &rows {
        tell(&format!("{} at n = {}", row.step, measured.n));
        let modelled = steps.modelled(&row.step, measured.n)?;
        times.push(Time {
            step: row.step.clone(),
            n: measured.n,
            measured: measured.seconds,
            modelled: modelled.seconds,
            binding: modelled.binding,
        });
    }
    let mut ratios = Vec::new();
    for (row, _) in &rows {
        let (Some(parent), Some(ratio), Some(n)) =
            (&row.after, row.times_parent, row.times_parent_n)
        else {
            continue;
        };
        tell(&format!("{} against {parent} at n = {n}", row.step));
        let of_parent = steps.modelled(parent, n)?.seconds;
        let modelled = of_parent / steps.modelled(&row.step, n)?.seconds;
        let (step, parent) = (row.step.clone(), parent.clone());
        ratios.push(Ratio { step, parent, n, measured: ratio, modelled });
    }
    let device = report.device.as_ref().map(|device| device.name.clone());
    Ok(Validation {
        gpu: gpu.name.clone(),
        device: device.context("the report names no device")?,
        times,
        ratios,
        counters: Vec::new(),
        published: Vec::new(),
    })
}

pub use counters::counters;
pub use published::published;

/// What a report's row measured of a force evaluation.
struct Measured {
    n: u64,
    seconds: f64,
}

impl Measured {
    fn of(row: &Row) -> Option<Measured> {
        let is_measured = row.outcome == ladder::report::Outcome::Measured;
        is_measured.then_some(Measured { n: row.n?, seconds: row.seconds? })
    }
}
