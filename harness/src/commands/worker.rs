//! `worker`: the worker process. It climbs the steps of one request and reports every event to the
//! process that started it.

use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::thread;

use anyhow::{Context, Result};
use device::{Choice, CodeRoute, Device, Scheduling};
use ladder::climb::{Climb, ClimbError};
use ladder::{Ladder, Request, Step, nbody};

use crate::ladders::LADDERS;
use crate::names::{self, Usage};
use crate::output::explain;
use crate::protocol::{DEVICE_LOST, Event, ORPHANED};

/// Reads the request, climbs, and ends behind the last row, with the loss of the device, or with the
/// process that started it.
pub fn run() -> Result<ExitCode> {
    // Ctrl-C reaches every process of the terminal: the one that started this one decides.
    ctrlc::set_handler(|| {}).context("cannot take over Ctrl-C")?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).context("cannot read the request")?;
    let request: Request = serde_json::from_str(&line).context("cannot understand the request")?;
    thread::spawn(end_with_parent);
    let mut out = io::stdout().lock();
    match Climber::new(request) {
        Ok(climber) => climber.climb(&mut out),
        Err(error) => {
            let usage = is_usage(&error);
            Event::Refused { reason: explain(&error), usage }.send(&mut out)?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Ends this process when the one that started it has ended, however that came about: it keeps our
/// standard input open as long as it lives. A step that never ends would keep the device for ever.
fn end_with_parent() {
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    process::exit(i32::from(ORPHANED));
}

/// Everything that a climb needs.
struct Climber {
    steps: Vec<&'static Step>,
    climb: Climb<'static>,
    device: Box<dyn Device>,
}

impl Climber {
    /// Finds the steps, reads the bodies and opens the device.
    fn new(request: Request) -> Result<Climber> {
        let ladder: &'static Ladder = names::ladder(LADDERS, &request.ladder)?;
        let steps = request.steps.iter().map(|step| names::step(ladder, step));
        let steps: Vec<_> = steps.collect::<Result<_, _>>()?;
        let choice: Choice = request.device.parse()?;
        let route: CodeRoute = request.code.parse()?;
        let scheduling = match request.scheduling.as_str() {
            "" => Scheduling::default(),
            name => name.parse()?,
        };
        let size = request.size;
        let model = request.model.clone();
        let climb = Climb::new(ladder, request)?;
        let mut device = device::open(choice, route, &model)?;
        if scheduling == Scheduling::Lockstep && device.info().kind != "simt" {
            return Err(Usage(
                "--scheduling lockstep is for the simulator, and a GPU has its own way; add --device simt".to_owned(),
            )
            .into());
        }
        device.schedule(scheduling);
        check_room(&steps, size, device.info())?;
        Ok(Climber { steps, climb, device })
    }

    fn climb(mut self, out: &mut impl Write) -> Result<ExitCode> {
        Event::Device { info: Box::new(self.device.info().clone()) }.send(out)?;
        for step in &self.steps {
            Event::Started { step: step.name.to_owned() }.send(out)?;
            // An event that cannot be sent has no one to hear it: the next row ends this process.
            let row = self.climb.step(step, self.device.as_mut(), &mut |progress| {
                let patience_seconds = progress.patience_seconds();
                let _ = Event::Progress { doing: progress.to_string(), patience_seconds }.send(out);
            });
            Event::Row { row: Box::new(row) }.send(out)?;
            if self.climb.device_is_lost() {
                return Ok(ExitCode::from(DEVICE_LOST));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Whether the device has room for the size that was asked for, so that this is said once and not
/// in every row.
fn check_room(steps: &[&Step], size: Option<u64>, device: &device::Info) -> Result<(), Usage> {
    let Some(size) = size else { return Ok(()) };
    let needed = steps.iter().map(|step| nbody::bytes(step, size)).max().unwrap_or(0);
    if needed <= device.memory_bytes {
        return Ok(());
    }
    Err(Usage(format!(
        "--size {size}: its bodies need {} MiB, and {} has {} MiB; choose a smaller size",
        needed >> 20,
        device.name,
        device.memory_bytes >> 20
    )))
}

/// Whether the command line is at fault, and not the machine.
fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<Usage>()
        || matches!(error.downcast_ref(), Some(device::Error::UnknownModel(_)))
        || matches!(error.downcast_ref(), Some(ClimbError::Request(_)))
}
