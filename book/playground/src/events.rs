//! Any kernels: what `harness events` shows.

use anyhow::{Context, Result};
use device::{CodeRoute, Scheduling, Source};
use launches::events::invocation::Invocation;
use launches::events::outcome::{Setting, outcome};
use launches::events::plan::Plan;
use launches::events::text;
use show::table::terminal;

use crate::answer::{Answer, write};

/// What came of the launches in `lines`, one a line.
///
/// # Errors
/// A line is no launch or does not suit the kernels; a launch was stopped.
pub fn run(lines: &str, code: &str, seed: u64) -> Result<Answer> {
    let lines = (1..).zip(lines.lines()).filter(|(_, line)| !line.trim().is_empty());
    let launch = |(number, line): (usize, &str)| {
        let place = format!("launch {number}");
        let launch = line.trim().parse::<Invocation>().with_context(|| place.clone())?;
        anyhow::Ok(Invocation { place, ..launch })
    };
    let plan =
        Plan { launches: lines.map(launch).collect::<Result<_>>()?, seed, ..Plan::default() };
    let source = Source::foreign(&write("kernel", "cu", code)?, &[], &[])?;
    let setting = Setting {
        gpu: device::described(device::DEFAULT_GPU)?,
        route: CodeRoute::Auto,
        scheduling: Scheduling::default(),
        hazards: true,
    };
    let outcome = outcome(&setting, &source, &plan)?;
    let text = text::text(&outcome, terminal::width());
    Ok(if outcome.is_good() { Answer::right(text) } else { Answer::wrong(text) })
}
