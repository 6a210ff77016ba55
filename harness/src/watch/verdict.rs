//! The side that gives verdicts.

use std::process::ExitCode;

use anyhow::{Context, Result};
use launches::readers::against::Subject;
use launches::readers::{Event, Judge};
use processes::send;
use ui::output::explain;

use super::protocol::Setup;

/// Gives a verdict for each line of standard input until it closes.
///
/// # Errors
/// The first line is no setup, or names what is not there.
pub fn serve() -> Result<ExitCode> {
    // Ctrl-C reaches every process of the terminal: the one that started this one decides.
    ctrlc::set_handler(|| {}).context("cannot take over Ctrl-C")?;
    let lines = processes::listen();
    let setup = lines.recv().context("there is no setup")?;
    let setup: Setup = serde_json::from_str(&setup).context("cannot understand the setup")?;
    let mut judge = Judge::new(subject(&setup)?, setup.seed)?;
    while lines.recv().is_ok() {
        let last = judge.verdict(&mut |event| send(&event).context("the parent closed the pipe"));
        send(&last.unwrap_or_else(|error| Event::Impossible(explain(&error))))
            .context("the parent closed the pipe")?;
        // While the reader reads.
        judge.count_original();
    }
    Ok(ExitCode::SUCCESS)
}

fn subject(setup: &Setup) -> Result<Subject> {
    let ladder = ladders::ladder(&setup.ladder)?;
    Ok(Subject {
        ladder,
        step: ladders::step(ladder, &setup.step)?,
        file: setup.file.clone(),
        kernels: ladder.kernels()?,
        gpu: device::described(&setup.gpu)?,
    })
}
