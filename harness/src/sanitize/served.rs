//! The process that compute-sanitizer watches: it verifies the kernel at small sizes.

use std::process::ExitCode;

use anyhow::{Context, Result};
use device::DEFAULT_GPU;
use ladder::message::{self, Versions};
use ladder::verify::{Failure, verify_small};
use processes::{listen, send};
use report::Request;
use ui::output::explain;

use super::{Event, Task};

/// The largest size: of every ladder there are several below it.
const MOST: u64 = 4096;

/// Runs the kernel that the first line of standard input names.
///
/// # Errors
/// There is no such line.
pub fn serve() -> Result<ExitCode> {
    // Ctrl-C reaches every process of the terminal: the one that started this one decides.
    ctrlc::set_handler(|| {}).context("cannot take over Ctrl-C")?;
    let lines = listen();
    let task = lines.recv().context("there is no request")?;
    let task: Task = serde_json::from_str(&task).context("cannot understand the request")?;
    let last = verdict(&task).unwrap_or_else(|error| Event::Impossible(explain(&error)));
    send(&last).context("the parent closed the pipe")?;
    Ok(ExitCode::SUCCESS)
}

fn verdict(task: &Task) -> Result<Event> {
    let ladder = ladders::ladder(&task.ladder)?;
    let step = ladders::step(ladder, &task.step)?;
    let source = step.replaced(&task.file, &ladder.kernels()?)?;
    let mut device = device::open(task.device.parse()?, task.code.parse()?, DEFAULT_GPU)?;
    let mut open = ladder.open(&Request { seed: task.seed, ..Request::default() })?;
    let mut module = device.load(&source)?;
    let mut doing = String::new();
    let verified =
        verify_small(&mut *device, &mut *open, &step, &mut module, MOST, &mut |progress| {
            doing = progress.to_string();
            // If the parent closed the pipe, this process ends anyway.
            let _ = send(&Event::Doing(doing.clone()));
        });
    Ok(match verified {
        Ok(()) => Event::Right,
        Err(Failure::Device(error)) if error.is_skipped() => Event::Impossible(error.to_string()),
        Err(failure) => {
            let versions = Versions { source: &source, original: None };
            Event::Wrong(message::explain(&failure, versions, &doing))
        }
    })
}
