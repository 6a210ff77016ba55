//! How well the time model tells measured times, and the simulator the chip's counters.
//!
//! Every step of a measured report is simulated at its n (the blocks of one multiprocessor stand for all, as they are
//! alike) and modelled; what a workbook teaches are ratios between steps, so these are judged: see [`report::validation`].

mod counters;
mod published;
mod simulated;

use std::path::Path;

use anyhow::{Context, Result, bail};
use ladder::Ladder;
use report::{Outcome, Report, Row};
use simt::model::Gpu;

use report::validation::{Ratio, Time, Validation};
pub use simulated::Steps;

/// Holds the model of `gpu` against the report in `folder`.
///
/// # Errors
/// A report that cannot be read or has no measured step, and whatever stops a simulation.
pub fn validate(ladder: &'static dyn Ladder, folder: &Path, gpu: &Gpu) -> Result<Validation> {
    let report = Report::read(&folder.join("report.json"))?;
    let measured: Vec<Measured> = report.rows.iter().filter_map(Measured::of).collect();
    if measured.is_empty() {
        bail!(
            "{}: no step was measured, so there is nothing to validate against",
            folder.display()
        );
    }
    let mut steps = Steps::new(ladder, gpu)?;
    steps.model(measured.iter().flat_map(Measured::wanted))?;
    let time = |row: &Measured| -> Result<Time> {
        let modelled = steps.modelled(row.step, row.n)?;
        Ok(Time {
            step: row.step.to_owned(),
            n: row.n,
            measured: row.seconds,
            modelled: modelled.seconds,
            binding: modelled.binding.clone(),
        })
    };
    let ratio = |row: &Measured| -> Option<Result<Ratio>> {
        let (parent, measured, n) = row.over_parent?;
        let seconds = |step: &str| steps.modelled(step, n).map(|modelled| modelled.seconds);
        let modelled = seconds(parent).and_then(|of_parent| Ok(of_parent / seconds(row.step)?));
        Some(modelled.map(|modelled| {
            let (step, parent) = (row.step.to_owned(), parent.to_owned());
            Ratio { step, parent, n, measured, modelled }
        }))
    };
    let device = report.device.as_ref().map(|device| device.name.clone());
    Ok(Validation {
        gpu: gpu.name.clone(),
        device: device.context("the report names no device")?,
        times: measured.iter().map(time).collect::<Result<_>>()?,
        ratios: measured.iter().filter_map(ratio).collect::<Result<_>>()?,
        counters: Vec::new(),
        published: Vec::new(),
    })
}

pub use counters::counters;
pub use published::published;

/// What a report's row measured of a force evaluation.
struct Measured<'r> {
    step: &'r str,
    n: u64,
    seconds: f64,
    /// Its parent, its speed over the parent's, and the n of both.
    over_parent: Option<(&'r str, f64, u64)>,
}

impl<'r> Measured<'r> {
    fn of(row: &'r Row) -> Option<Measured<'r>> {
        let over_parent = || {
            let (n, parent) = row.parent()?;
            Some((row.after.as_deref()?, parent.ratio, n))
        };
        (row.outcome == Outcome::Measured).then_some(Measured {
            step: &row.step,
            n: row.n()?,
            seconds: row.seconds()?,
            over_parent: over_parent(),
        })
    }

    /// The steps and numbers of bodies that must be modelled.
    fn wanted(&self) -> impl Iterator<Item = (String, u64)> {
        let ratio = self.over_parent.map(|(parent, _, n)| [(self.step, n), (parent, n)]);
        let all = [(self.step, self.n)].into_iter().chain(ratio.into_iter().flatten());
        all.map(|(step, n)| (step.to_owned(), n)).collect::<Vec<_>>().into_iter()
    }
}
