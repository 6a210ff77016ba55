//! Any kernels: what `harness events` shows.

use anyhow::{Context, Result};
use device::{CodeRoute, Scheduling, SimulatorDevice, Source, Watching, launch_limit};
use launches::events::invocation::Invocation;
use launches::events::outcome::{Setting, outcome};
use launches::events::plan::Plan;
use launches::events::results::Outcome;
use launches::events::{run, text};
use show::table::terminal;
use ui::output::explain;

use crate::answer::{Answer, RECORDED, write};

/// What came of the launches in `lines`, one a line. What stops a launch, or does not compile, is wrong.
///
/// # Errors
/// A line is no launch.
pub fn run(lines: &str, code: &str, seed: u64) -> Result<Answer> {
    let setting = Setting {
        gpu: device::described(device::DEFAULT_GPU)?,
        route: CodeRoute::Auto,
        scheduling: Scheduling::default(),
        hazards: true,
    };
    let (source, plan) = (source(code)?, plan(lines, seed)?);
    Ok(match outcome(&setting, &source, &plan) {
        Ok(outcome) if outcome.is_good() => Answer::right(shown(&outcome)),
        Ok(outcome) => Answer::wrong(shown(&outcome)),
        Err(error) => Answer::wrong(explain(&error)),
    })
}

fn shown(outcome: &Outcome) -> String {
    text::text(outcome, terminal::width())
}

/// What the first warps of the first launch do.
///
/// # Errors
/// A line is no launch; the kernels do not compile, or a launch was stopped.
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
