//! `worker`: the worker process. It climbs the steps of one request and reports every event to the
//! process that started it.

use std::io::{self, BufRead, Write};
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use device::{Choice, CodeRoute, CpuDevice, Device, Scheduling};
use ladder::run::{self, LadderRun, News, Prepared, RunError};
use ladder::{Progress, Step};
use processes::confine::{self, Limits};
use processes::{ORPHANED, STOP};
use report::Row;
use report::{Request, Subject, Variant};
use toolchain::{compiler, headers, untrusted};
use ui::Usage;
use ui::output::explain;

use crate::device_lock::DeviceLock;
use crate::protocol::{DEVICE_LOST, Event};

/// A step that has begun something that is expected to take no time is given the deadline; one that
/// is expected to take some, so many times that in addition.
const PATIENCE: f64 = 4.0;

/// What another run seldom takes longer than.
const LONGEST_RUN: Duration = Duration::from_secs(3600);

/// The most memory of a process with untrusted code.
const MOST_MEMORY: u64 = 16 << 30;

/// Reads the request, climbs, and ends after the last row, with the loss of the device, or with the
/// process that started it.
pub fn run() -> Result<ExitCode> {
    // Ctrl-C reaches every process of the terminal: the one that started this one decides.
    ctrlc::set_handler(|| {}).context("cannot take over Ctrl-C")?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).context("cannot read the request")?;
    let request: Request = serde_json::from_str(&line).context("cannot understand the request")?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    thread::spawn(move || listen(&asked));
    let mut reporter =
        Reporter { out: io::stdout().lock(), deadline: request.deadline_seconds, current: None };
    match Climber::new(request) {
        Ok(climber) => Ok(climber.climb(&mut reporter, &stop)),
        Err(error) => {
            let usage = is_usage(&error);
            reporter.send(&Event::Refused { reason: explain(&error), usage });
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Hears the wish to stop. Ends this process when the one that started it has ended, however that
/// came about: it keeps our standard input open as long as it lives. A step that never ends would
/// keep the device for ever.
fn listen(stop: &AtomicBool) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if line == STOP {
            stop.store(true, Ordering::Relaxed);
        }
    }
    process::exit(i32::from(ORPHANED));
}

/// Reports to the process that started this one.
struct Reporter<W> {
    out: W,
    /// Seconds that anything is given.
    deadline: u64,
    current: Option<Subject>,
}

impl<W: Write> Reporter<W> {
    /// A worker whose words no one hears ends.
    fn send(&mut self, event: &Event) {
        if event.send(&mut self.out).is_err() {
            process::exit(i32::from(ORPHANED));
        }
    }

    /// A step has begun something.
    fn progress(&mut self, subject: &Subject, progress: Progress) {
        if self.current.as_ref() != Some(subject) {
            self.current = Some(subject.clone());
            self.send(&Event::Started { subject: subject.clone() });
        }
        let expected = (PATIENCE * progress.expected_seconds()).ceil() as u64;
        let patience_seconds = self.deadline.saturating_add(expected);
        self.send(&Event::Progress { doing: progress.to_string(), patience_seconds });
    }

    fn row(&mut self, row: &Row) {
        self.current = None;
        self.send(&Event::Row { row: Box::new(row.clone()) });
    }
}

/// Everything that a climb needs.
struct Climber {
    steps: Vec<(Step, Variant)>,
    climb: LadderRun<'static>,
    device: Box<dyn Device>,
    /// What only one run may time on: which GPU, or the CPU; none for the simulator.
    shared: Option<String>,
}

impl Climber {
    /// Finds the steps, reads the bodies and opens the device.
    fn new(request: Request) -> Result<Climber> {
        let ladder = ladders::ladder(&request.ladder)?;
        let left = request.left();
        let step = |of: Subject| {
            let own = ladder.step(&of.step);
            Ok((own.map_or_else(|| ladders::step(ladder, &of.step), Ok)?, of.variant))
        };
        let steps = left.into_iter().map(step);
        let steps: Vec<_> = steps.collect::<Result<_, Usage>>()?;
        let choice: Choice = request.device.parse()?;
        let route: CodeRoute = request.code.parse()?;
        let scheduling = match request.scheduling.as_str() {
            "" => Scheduling::default(),
            name => name.parse()?,
        };
        let threads = request.threads;
        let model = request.model.clone();
        let confined = request.untrusted;
        let climb = LadderRun::new(ladder, request)?;
        let mut device = match (choice, threads) {
            (Choice::Cpu, Some(threads)) => Box::new(CpuDevice::open(Some(threads as usize))?),
            _ => device::open(choice, route, &model)?,
        };
        if scheduling == Scheduling::Lockstep && device.info().kind != "simt" {
            return Err(Usage(
                "--scheduling lockstep is for the simulator, and a GPU has its own way; add --device simt".to_owned(),
            )
            .into());
        }
        climb.check_memory(device.info())?;
        if confined {
            confine(&climb, &steps)?;
        }
        device.schedule(scheduling);
        let shared = match (device.info().kind.as_str(), choice) {
            ("simt", _) => None,
            ("cuda", Choice::Auto) => Some(Choice::Cuda(0).to_string()),
            _ => Some(choice.to_string()),
        };
        Ok(Climber { steps, climb, device, shared })
    }

    fn climb(mut self, reporter: &mut Reporter<impl Write>, stop: &AtomicBool) -> ExitCode {
        let device = self.device.as_mut();
        reporter.send(&Event::Device { info: Box::new(device.info().clone()) });
        let lock = self.shared.as_deref().map(|device| {
            let mut waiting = || {
                let expected_seconds = LONGEST_RUN.as_secs_f64();
                if let Some((step, variant)) = self.steps.first() {
                    let subject = subject(step, variant);
                    reporter.progress(&subject, Progress::Wait { expected_seconds });
                }
            };
            DeviceLock::take(device, &mut waiting, &|| stop.load(Ordering::Relaxed))
        });
        self.climb.compile_ahead(&self.steps, device);
        let (mut ready, mut rows) = (Vec::new(), Vec::new());
        for (step, variant) in &self.steps {
            if stop.load(Ordering::Relaxed) {
                return ExitCode::SUCCESS;
            }
            let subject = subject(step, variant);
            let prepared = self.climb.prepare(step, variant, device, &mut |progress| {
                reporter.progress(&subject, progress);
            });
            match prepared {
                Prepared::Ready(step) => ready.push(*step),
                Prepared::Row(row) => {
                    reporter.row(&row);
                    rows.push(*row);
                }
            }
            if self.climb.device_is_lost() {
                return ExitCode::from(DEVICE_LOST);
            }
        }
        self.climb.time(ready, device, stop, &mut |news| match news {
            News::Progress(subject, progress) => reporter.progress(subject, progress),
            News::Row(row) => {
                reporter.row(&row);
                rows.push(*row);
            }
        });
        drop(lock); // what follows is not timed
        if self.climb.device_is_lost() {
            return ExitCode::from(DEVICE_LOST);
        }
        let Some(gpu) = device.gpu() else { return ExitCode::SUCCESS };
        let is_counted = |row: &&Row| row.outcome.is_verified() && !row.is_library();
        let verified: Vec<&Row> = rows.iter().filter(is_counted).collect();
        for rows in verified.chunks(counted_together()) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if let Some((first, timed)) = rows.first().and_then(|row| Some((row, row.main()?))) {
                reporter.progress(&run::subject(first), Progress::Count { n: timed.n });
            }
            self.climb.count_together(rows, &gpu);
            for row in rows {
                let subject = run::subject(row);
                let progress = &mut |progress| reporter.progress(&subject, progress);
                let counted = self.climb.count(row, &gpu, progress);
                reporter.send(&match counted {
                    Ok((limits, occupancy)) => {
                        Event::Counted { subject, limits: Box::new(limits), occupancy }
                    }
                    Err(error) => Event::NotCounted { subject, why: error.to_string() },
                });
            }
        }
        ExitCode::SUCCESS
    }
}

/// Steps that are counted at once: half as many as there are cores, and so few that their arrays fit the memory of a
/// small machine.
fn counted_together() -> usize {
    (rayon::current_num_threads() / 2).clamp(1, 8)
}

/// Gives up what a stranger's kernel does not need. What is read later are the kernels alone.
fn confine(climb: &LadderRun, steps: &[(Step, Variant)]) -> Result<()> {
    let mut readable = vec![climb.kernels().to_path_buf()];
    for (step, variant) in steps {
        let source = climb.source(step, variant)?;
        untrusted::check(&source)?;
        readable.push(source.file.into());
        readable.extend(source.includes.into_iter().map(|include| include.file.into()));
    }
    let limits = Limits { cpu_seconds: LONGEST_RUN.as_secs(), memory_bytes: MOST_MEMORY };
    compiler::before_confinement(&limits)?;
    readable.extend(headers::readable());
    let missing = confine::confine(&limits, &readable)?;
    // Elsewhere it was said before.
    if cfg!(target_os = "linux") && !missing.is_empty() {
        bail!("--untrusted: this system does not keep the kernel from {}", missing.join(", "));
    }
    Ok(())
}

/// A variant of a step.
fn subject(step: &Step, variant: &Variant) -> Subject {
    Subject { step: step.name.to_owned(), variant: variant.clone() }
}

/// Whether the command line is at fault, and not the machine.
fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<Usage>()
        || matches!(error.downcast_ref(), Some(device::Error::UnknownModel(_)))
        || matches!(error.downcast_ref(), Some(RunError::Request(_) | RunError::Option(_)))
}
