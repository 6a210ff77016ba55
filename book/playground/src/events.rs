//! Any kernels: what `harness events` shows.

use anyhow::{Context, Result};
use device::{CodeRoute, Scheduling, SimulatorDevice, Source, Watching, launch_limit};
use launches::events::invocation::Invocation;
use launches::events::outcome::{Setting, outcome};
use launches::events::plan::Plan;
use launches::events::{run, text};
use show::table::terminal;

use crate::answer::{Answer, RECORDED, write};

/// What came of the launches in `lines`, one a line.
///
/// # Errors
/// A line is no launch or does not suit the kernels; a launch was stopped.
pub fn run(lines: &str, code: &str, seed: u64) -> Result<Answer> {
    let setting = Setting {
        gpu: device::described(device::DEFAULT_GPU)?,
        route: CodeRoute::Auto,
        scheduling: Scheduling::default(),
        hazards: true,
    };
    let outcome = outcome(&setting, &source(code)?, &plan(lines, seed)?)?;
    let text = text::text(&outcome, terminal::width());
    Ok(if outcome.is_good() { Answer::right(text) } else { Answer::wrong(text) })
}

/// What the first warps of the first launch do.
///
/// # Errors
/// As of [`run`].
pub fn steps(lines: &str, code: &str, seed: u64) -> Result<Answer> {
    let gpu = device::described(device::DEFAULT_GPU)?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
    let (trace, limit) = (Some(RECORDED), Some(launch_limit()?));
    device.watch(Watching { trace, limit, ..Watching::default() });
    Answer::steps(&run::record(&mut device, &source(code)?, &plan(lines, seed)?)?)
}

fn plan(lines: &str, seed: u64) -> Result<Plan> {
    let lines = (1..).zip(lines.lines()).filter(|(_, line)| !line.trim().is_empty());
    let launch = |(number, line): (usize, &str)| {
        let place = format!("launch {number}");
        let launch = line.trim().parse::<Invocation>().with_context(|| place.clone())?;
        anyhow::Ok(Invocation { place, ..launch })
    };
    Ok(Plan { launches: lines.map(launch).collect::<Result<_>>()?, seed, ..Plan::default() })
}

fn source(code: &str) -> Result<Source> {
    Ok(Source::foreign(&write("kernel", "cu", code)?, &[], &[])?)
}
