//! `events`: runs any kernel on the simulator and shows what it did, line by line, and its hazards.

use std::process::ExitCode;

use anyhow::{Context, Result};
use device::{CodeRoute, Device, SimulatorDevice, Source, Watching};

use crate::cli::Format;
use crate::cli::profile::EventsArgs;
use crate::events::launch::{self, Request};
use crate::events::text;
use crate::explain::facts::Facts;
use crate::names::Usage;
use crate::output::print;
use show::table::terminal;

/// Runs the kernel and shows what it did; the exit code says whether hazards were found.
pub fn run(args: &EventsArgs) -> Result<ExitCode> {
    let facts = facts(args)?;
    match args.format {
        Format::Table => print(&text::text(&facts, terminal::width()))?,
        Format::Json => {
            let json = serde_json::to_string_pretty(&facts).context("cannot write the events")?;
            print(&format!("{json}\n"))?;
        }
    }
    Ok(ExitCode::from(u8::from(!facts.hazards.is_empty())))
}

/// Runs the kernel.
///
/// # Errors
/// A GPU that is not known, a file that cannot be used, or as [`launch::run`].
pub fn facts(args: &EventsArgs) -> Result<Facts> {
    let gpu = device::described(&args.gpu).map_err(|error| Usage(error.to_string()))?;
    let source = Source::from_file(&args.file, &[])?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
    device.schedule(args.scheduling);
    device.watch(Watching { hazards: !args.no_hazards, ..Watching::default() });
    let request = Request {
        kernel: args.kernel.as_deref(),
        grid: args.grid,
        block: args.block,
        shared_bytes: args.shared.unwrap_or(0),
        arguments: &args.arguments,
        variables: &args.variables,
        seed: args.seed,
    };
    launch::run(&mut device, &source, &request)
}
