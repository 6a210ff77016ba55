//! How well the time model tells measured times, and the simulator the chip's counters.
//!
//! Every step of a measured report is modelled at its n as a run on the simulator does it; what a workbook teaches are
//! ratios between steps, so these are judged: see [`report::validation`].

mod counters;
mod published;
mod simulated;
mod text;

use std::path::Path;

use anyhow::{Context, Result, bail};
use ladder::Ladder;
use report::validation::{Ladders, OfLadder, Ratio, Time, Validation};
use report::{Outcome, Report, Row};
use simt::model::Gpu;

use ladders::LADDERS;

pub use counters::counters;
pub use published::published;
use simulated::Steps;
pub use text::{ladders_text, text};

/// Holds the model of `gpu` against the report in `folder`.
pub fn validate(ladder: &'static dyn Ladder, folder: &Path, gpu: &Gpu) -> Result<Validation> {
    let report = Report::read(&folder.join("report.json"))?;
    let is_modelled = |step: &str| ladder.not_modelled(step).is_none();
    let mut measured: Vec<Measured> = report.rows.iter().filter_map(Measured::of).collect();
    measured.retain(|row| is_modelled(row.step));
    for row in &mut measured {
        row.over_parent = row.over_parent.filter(|(parent, ..)| is_modelled(parent));
    }
    if measured.is_empty() {
        bail!(
            "{}: no step was measured, so there is nothing to validate against",
            folder.display()
        );
    }
    let mut steps = Steps::new(ladder, gpu)?;
    steps.model(measured.iter().flat_map(|row| {
        let ratio = row.over_parent.map(|(parent, _, n)| [(row.step, n), (parent, n)]);
        ratio.into_iter().flatten().chain([(row.step, row.n)])
    }))?;
    let mut times = Vec::new();
    let mut ratios = Vec::new();
    for &Measured { step, n, seconds, over_parent } in &measured {
        let modelled = steps.modelled(step, n)?;
        times.push(Time {
            step: step.to_owned(),
            n,
            measured: seconds,
            modelled: modelled.seconds,
            binding: modelled.binding.unwrap_or_default().to_owned(),
        });
        if let Some((parent, measured, n)) = over_parent {
            let modelled = steps.modelled(parent, n)?.seconds / steps.modelled(step, n)?.seconds;
            let (step, parent) = (step.to_owned(), parent.to_owned());
            ratios.push(Ratio { step, parent, n, measured, modelled });
        }
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

/// The folder of a second report in that of a ladder: of a size at which all of a pass can be simulated, where few blocks
/// cannot stand for all.
const FEW: &str = "few";

/// Holds the model of `gpu` against the reports of those ladders of kernels for which `is_wanted` holds and that are in
/// folders of their names in `reports`.
pub fn ladders(reports: &Path, gpu: &Gpu, is_wanted: impl Fn(&str) -> bool) -> Result<Ladders> {
    let mut all = Ladders { gpu: gpu.name.clone(), device: String::new(), ladders: Vec::new() };
    let of_kernels = |ladder: &&&dyn Ladder| !ladder.is_for_cpu();
    for ladder in LADDERS.iter().filter(of_kernels).filter(|ladder| is_wanted(ladder.name())) {
        let folder = reports.join(ladder.name());
        let few = folder.join(FEW);
        let mut folders = [few, folder].into_iter();
        let Some(folder) = folders.find(|it| it.join("report.json").exists()) else {
            continue;
        };
        let found = validate(*ladder, &folder, gpu)
            .with_context(|| format!("the ladder `{}`", ladder.name()))?;
        all.device = found.device;
        all.ladders.push(OfLadder { ladder: ladder.name().to_owned(), ratios: found.ratios });
    }
    if all.ladders.is_empty() {
        bail!("{} has no folder with the report of a ladder", reports.display());
    }
    Ok(all)
}

/// What a report's row measured of a pass.
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
}
