//! A process for each step and number of GPUs: what hangs or faults costs its own rows, nothing else.

use std::io::{BufRead, Write};
use std::process::{ExitCode, exit};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use device::{Choice, CodeRoute, Device, nccl};
use ladder::Step;
use ladder::verify::Failure;
use processes::Interrupt;
use report::Outcome;
use report::scaling::Row;
use serde::{Deserialize, Serialize};
use ui::Usage;
use ui::output::explain;

use super::plan::Request;
use super::rank::{self, News};

/// What a worker tells, a line of JSON each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The GPUs have met.
    Met {
        /// The GPU, or the one that is modelled.
        gpu: String,
        /// NVIDIA's driver.
        driver: Option<String>,
        /// Through what they talk.
        exchange: String,
    },
    /// It has begun something.
    Doing(String),
    /// A row is finished.
    Row(Box<Row>),
    /// It cannot go on.
    Ended {
        /// What becomes of the rows that are left.
        outcome: Outcome,
        /// Why.
        reason: String,
    },
}

/// Runs a request in a process of its own; every row of it is reported, whatever happens, unless the user
/// interrupts it.
///
/// # Errors
/// The process cannot be started.
pub fn run(
    request: &Request,
    deadline: Duration,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(Event),
) -> Result<()> {
    let mut command = processes::own("serve-ranks")?;
    if std::env::var_os(nccl::NO_MULTICAST).is_none() {
        command.env(nccl::NO_MULTICAST, "0");
    }
    let (child, mut input, events) = processes::start(command)?;
    // A worker that has ended says so by its silence.
    let _ = writeln!(input, "{}", serde_json::to_string(request)?);
    // The input stays open: a worker that finds it closed has lost the process that started it.
    interrupt.watch(child, input);
    let mut left = request.points.clone();
    let mut end = hear(&events, deadline, &mut |event| {
        if let Event::Row(row) = &event {
            left.retain(|point| *point != (row.series, row.n));
        }
        tell(event);
    });
    // It is ended here, whatever it does.
    interrupt.end_worker();
    interrupt.wait().context("waiting for the worker process")?;
    if interrupt.is_asked() {
        return Ok(());
    }
    for point in left {
        let (outcome, reason) = end.take().unwrap_or_else(|| {
            (Outcome::Skipped, "the rows before it tell why it was not tried".to_owned())
        });
        let row = Row::untimed(&request.step, request.gpus, point, outcome, &reason);
        end = Some((outcome, reason));
        tell(Event::Row(Box::new(row)));
    }
    Ok(())
}

/// Hears a worker to its end, which comes after its last row or before; then why.
fn hear(
    events: &Receiver<Event>,
    deadline: Duration,
    tell: &mut dyn FnMut(Event),
) -> Option<(Outcome, String)> {
    let failed = |reason: String| Some((Outcome::Failed, reason));
    let mut doing = "has not begun".to_owned();
    loop {
        match events.recv_timeout(deadline) {
            Ok(Event::Ended { outcome, reason }) => return Some((outcome, reason)),
            Ok(event) => {
                if let Event::Doing(what) = &event {
                    doing.clone_from(what);
                }
                tell(event);
            }
            Err(RecvTimeoutError::Timeout) => {
                return failed(format!(
                    "GPU not responding for {} s while it {doing}: it hangs, or waits for one that does",
                    deadline.as_secs()
                ));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return failed(format!("its process ended while it {doing}"));
            }
        }
    }
}

/// The worker's side: reads a request and runs it, a thread for each GPU of this process.
///
/// # Errors
/// The request cannot be read.
pub fn serve() -> Result<ExitCode> {
    // Ctrl-C reaches every process of the terminal: the one that started this one decides.
    ctrlc::set_handler(|| {}).context("cannot take over Ctrl-C")?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("cannot read the request")?;
    let request: Request = serde_json::from_str(&line).context("cannot understand the request")?;
    thread::spawn(|| {
        let _ = std::io::stdin().lock().lines().next();
        // Whoever asked has gone, or wants no more: what is finished has been sent.
        exit(1);
    });
    let ladder = ladders::ladder(&request.ladder)?;
    let step = ladders::step(ladder, &request.step)?;
    let kernels = ladder.kernels()?;
    let asked = report::Request {
        ladder: request.ladder.clone(),
        seed: request.seed,
        ..report::Request::default()
    };
    let opened = Mutex::new(ladder.open(&asked).map_err(Usage::of)?);
    let ranks = match request.place {
        Some(place) => place.rank..place.rank + 1,
        None => 0..request.gpus as usize,
    };
    let first = ranks.start;
    thread::scope(|scope| {
        for rank in ranks {
            let (request, step, kernels, opened) = (&request, &step, &kernels, &opened);
            scope.spawn(move || {
                let local = request.place.map_or_else(|| rank % request.here, |place| place.local);
                // The first of this process tells for all.
                let tell = |news| {
                    if rank == first {
                        say(news);
                    }
                };
                let done = open(request, local).and_then(|mut device| {
                    rank::run(request, step, kernels, &mut *device, rank, opened, &tell)
                });
                if let Err(failure) = done {
                    // The others may wait for this one for ever: all of them end.
                    send(&ended(step, rank, request.gpus, failure));
                    exit(0);
                }
            });
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn open(request: &Request, local: usize) -> Result<Box<dyn Device>, Failure> {
    let choice = match request.device.as_str() {
        "simt" => Choice::Simt,
        _ => Choice::Cuda(local),
    };
    let route: CodeRoute = request.code.parse()?;
    Ok(device::open(choice, route, &request.model)?)
}

/// Why a step got no further.
fn ended(step: &Step, rank: usize, gpus: u32, failure: Failure) -> Event {
    let outcome = match &failure {
        Failure::Wrong(_) => Outcome::Wrong,
        Failure::Device(error) if error.is_skipped() => Outcome::Skipped,
        _ => Outcome::Failed,
    };
    let reason = explain(&anyhow::Error::new(failure));
    let reason = match gpus {
        1 => reason,
        _ => format!("{} on GPU {rank} of {gpus}: {reason}", step.name),
    };
    Event::Ended { outcome, reason }
}

fn say(news: News) {
    send(&match news {
        News::Met(info, exchange) => {
            let gpu = info.modelled.unwrap_or(info.name);
            Event::Met { gpu, driver: info.driver_version, exchange }
        }
        News::Doing(what) => Event::Doing(what),
        News::Row(row) => Event::Row(row),
    });
}

/// A worker that nobody hears ends.
fn send(event: &Event) {
    if processes::send(event).is_err() {
        exit(1);
    }
}
