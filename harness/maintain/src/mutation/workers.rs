//! Processes that verify mutants, several at a time.

use std::io::Write;
use std::process::{Child, ChildStdin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use report::mutation::Cause;

use super::protocol::{Event, Job, Setup};

/// The hidden command that makes the program such a process.
pub const COMMAND: &str = "serve-mutants";

/// What anything may take, however little it is expected to: the machine may be busy.
const LEAST: Duration = Duration::from_secs(10);

/// How many times as long as the step's own may a mutant's input take before it is taken to hang.
const SLOWER: u32 = 20;

/// What a step that nobody has timed yet may take for an input.
const UNKNOWN: Duration = Duration::from_secs(120);

/// What came of a job.
pub struct Answer {
    /// The answer.
    pub event: Event,
    /// What each input took, and what came before the first.
    pub took: Vec<Duration>,
}

/// Gives jobs to as many processes as `threads` says, and hears what comes of each; none is begun after `stop`. Each
/// job comes with what its inputs took before, where that is known.
///
/// # Errors
/// A process cannot be started or does not understand; what `hear` says.
pub fn run<'j, J: Sync>(
    setup: &Setup,
    threads: usize,
    jobs: &'j [J],
    job: impl Fn(&'j J) -> (Job, &'j [Duration]) + Sync,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(&'j J, Answer) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let (sender, answers) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            let (sender, next, job, failed) = (sender.clone(), &next, &job, &failed);
            scope.spawn(move || {
                let mut worker = None;
                while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                    let Some(item) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    let (job, expected) = job(item);
                    let answer = answer(&mut worker, setup, &job, expected);
                    if sender.send((item, answer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let heard = answers.iter().try_for_each(|(item, answer)| hear(item, answer?));
        failed.store(heard.is_err(), Ordering::Relaxed);
        heard
    })
}

/// Asks a worker, which is started if there is none; one that hangs or crashes is gone afterwards.
fn answer(
    place: &mut Option<Worker>,
    setup: &Setup,
    job: &Job,
    expected: &[Duration],
) -> Result<Answer> {
    let mut worker = match place.take() {
        Some(worker) => worker,
        None => Worker::start(setup)?,
    };
    let answer = worker.ask(job, expected)?;
    let has_ended = |cause| matches!(cause, Cause::Hang | Cause::Crash);
    if !matches!(answer.event, Event::Killed { cause, .. } if has_ended(cause)) {
        *place = Some(worker);
    }
    Ok(answer)
}

/// One process.
struct Worker {
    child: Child,
    input: ChildStdin,
    events: Receiver<Event>,
}

impl Worker {
    fn start(setup: &Setup) -> Result<Worker> {
        let mut command = processes::own(COMMAND)?;
        // There are as many processes as cores.
        command.env("RAYON_NUM_THREADS", "1");
        let (child, mut input, events) = processes::start(command)?;
        // A process that dies before it has read this says so when it is asked.
        let _ = writeln!(input, "{}", serde_json::to_string(setup)?);
        Ok(Worker { child, input, events })
    }

    fn ask(&mut self, job: &Job, expected: &[Duration]) -> Result<Answer> {
        let _ = writeln!(self.input, "{}", serde_json::to_string(job)?);
        let mut took = Vec::new();
        let mut doing = "load the code".to_owned();
        let killed = |cause, why| Event::Killed { cause, why };
        let event = loop {
            let patience = match expected.get(took.len()) {
                Some(expected) => LEAST + *expected * SLOWER,
                None if expected.is_empty() => UNKNOWN,
                None => LEAST,
            };
            let began = Instant::now();
            let event = self.events.recv_timeout(patience);
            took.push(began.elapsed());
            match event {
                Ok(Event::Doing(what)) => doing = what,
                Ok(answer) => break answer,
                Err(RecvTimeoutError::Timeout) => {
                    break killed(Cause::Hang, format!("no progress during `{doing}`"));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait().context("cannot wait for a process")?;
                    break killed(Cause::Crash, format!("crashed during `{doing}`: {status}"));
                }
            }
        };
        Ok(Answer { event, took })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
