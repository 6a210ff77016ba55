//! The parent's side of the worker process: a step that crashes costs its own row, and the next
//! worker goes on behind it.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use ladder::report::{Outcome, Row};
use ladder::{Ladder, Request, Step};

use crate::names::Usage;
use crate::protocol::{DEVICE_LOST, Event};
use crate::watchdog::Watchdog;

/// Lines of a worker's standard error that a failed row quotes.
const QUOTED_LINES: usize = 12;

/// Why the steps behind an interrupt have no other outcome.
const INTERRUPTED: &str = "interrupted";

/// What became of a climb.
pub struct Climb {
    /// A row for every step that was asked for, in that order.
    pub rows: Vec<Row>,
    /// The device that they ran on; `None` if the climb was interrupted before it was open.
    pub device: Option<device::Info>,
}

/// The user's wish to stop, shared with the handler of Ctrl-C.
#[derive(Clone, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    worker: Arc<Mutex<Option<Child>>>,
}

impl Interrupt {
    /// Whether the user asked to stop.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Stops the climb: ends the worker that runs now and lets no other begin.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.end_worker();
    }

    fn end_worker(&self) {
        if let Some(worker) = self.worker().as_mut() {
            // It may have ended by itself, which is what is wanted.
            let _ = worker.kill();
        }
    }

    /// Makes `child` the worker that [`Interrupt::ask`] ends.
    fn watch(&self, child: Child) {
        let mut worker = self.worker();
        let child = worker.insert(child);
        if self.is_asked() {
            let _ = child.kill();
        }
    }

    fn worker(&self) -> MutexGuard<'_, Option<Child>> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Climbs the steps of `request` in worker processes started from `program`; every event is heard
/// by `hear` as it arrives, and so is the row that stands for a step whose worker died. An error
/// means that no step could run.
pub fn climb(
    program: &dyn Fn() -> Command,
    ladder: &Ladder,
    request: &Request,
    interrupt: &Interrupt,
    hear: &mut dyn FnMut(&Event),
) -> Result<Climb> {
    let mut left = request.clone();
    let mut climb = Climb { rows: Vec::new(), device: None };
    while !left.steps.is_empty() && !interrupt.is_asked() {
        let settled = climb.rows.len();
        let end = one_worker(program(), &mut left, interrupt, &mut climb, hear)?;
        // A worker that delivered nothing must cost a row, or the next would do the same for ever.
        let delivered_before_loss = end.status.code() == Some(DEVICE_LOST.into())
            && end.began.is_none()
            && climb.rows.len() > settled;
        if left.steps.is_empty() || interrupt.is_asked() || delivered_before_loss {
            continue;
        }
        if climb.device.is_none() {
            bail!("no step began: {}", end.describe());
        }
        let culprit = end.began.clone().unwrap_or_else(|| left.steps[0].clone());
        let row = stand_in(ladder, &culprit, Outcome::Failed, &end.describe());
        settle(row, &mut left, &mut climb, hear);
    }
    // Nothing happened to these: no one is told of them but the reader of the report.
    let rest = left.steps.iter();
    climb.rows.extend(rest.map(|step| stand_in(ladder, step, Outcome::Skipped, INTERRUPTED)));
    Ok(climb)
}

/// How a worker ended.
struct End {
    status: ExitStatus,
    /// The step that it had begun and not ended.
    began: Option<String>,
    /// What it did for too long, so that it was ended.
    overdue: Option<String>,
    /// The last lines of its standard error.
    last_words: String,
}

impl End {
    fn describe(&self) -> String {
        if let Some(doing) = &self.overdue {
            format!("it did not get beyond `{doing}` and was ended: is there an endless loop?")
        } else if self.last_words.is_empty() {
            format!("the worker process died: {}{}", self.status, killed(self.status))
        } else {
            format!("the worker process died: {}\n{}", self.status, self.last_words)
        }
    }
}

/// What to do about a worker that did not end by itself and had nothing to say.
fn killed(status: ExitStatus) -> &'static str {
    if status.code().is_none() {
        "; run the step alone with --steps, and smaller with --size if memory may have run out"
    } else {
        ""
    }
}

/// Starts a worker on what is left and follows it to its end.
fn one_worker(
    mut program: Command,
    left: &mut Request,
    interrupt: &Interrupt,
    climb: &mut Climb,
    hear: &mut dyn FnMut(&Event),
) -> Result<End> {
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("the worker process could not be started")?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut input), Some(output), Some(errors)) = pipes else {
        bail!("the worker process has no pipes")
    };
    interrupt.watch(child);
    // A worker that dies before it has read its request says why in its status, not here.
    let _ = writeln!(input, "{}", serde_json::to_string(left)?);
    let last_words = thread::spawn(move || tail(errors));

    let hanging = interrupt.clone();
    let watchdog = Watchdog::new(move || hanging.end_worker());
    let mut doing = String::new();
    let mut began = None;
    let mut refused = None;
    let mut noise = VecDeque::new();
    for line in BufReader::new(output).split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line);
        let Some(event) = Event::receive(&line) else {
            keep(&mut noise, &line);
            continue;
        };
        let patience = match &event {
            Event::Progress { patience_seconds, .. } => patience_seconds.map(Duration::from_secs),
            _ => None,
        };
        watchdog.hear(patience);
        match event {
            Event::Row { row } => {
                began = None;
                settle(*row, left, climb, hear);
                continue;
            }
            Event::Device { ref info } => climb.device = Some((**info).clone()),
            Event::Refused { ref reason, usage } => refused = Some((reason.clone(), usage)),
            Event::Started { ref step } => began = Some(step.clone()),
            Event::Progress { doing: ref now, .. } => doing.clone_from(now),
        }
        hear(&event);
    }
    let overdue = watchdog.stop().then_some(doing);
    // Its pipe is closed: it has ended or is about to.
    drop(input);
    let child = interrupt.worker().take();
    let status = child
        .context("the worker process was lost")?
        .wait()
        .context("waiting for the worker process")?;
    let mut lines = noise;
    last_words.join().unwrap_or_default().iter().for_each(|line| keep(&mut lines, line));
    if let Some((reason, usage)) = refused {
        return Err(if usage { Usage(reason).into() } else { anyhow!(reason) });
    }
    Ok(End { status, began, overdue, last_words: Vec::from(lines).join("\n") })
}

/// Enters a finished row: its step is no longer left, and its size is known to the steps that are
/// compared with it.
fn settle(row: Row, left: &mut Request, climb: &mut Climb, hear: &mut dyn FnMut(&Event)) {
    left.steps.retain(|step| *step != row.step);
    if let Some(n) = row.n() {
        left.sizes.insert(row.step.clone(), n);
    }
    hear(&Event::Row { row: Box::new(row.clone()) });
    climb.rows.push(row);
}

fn tail(stream: impl Read) -> VecDeque<String> {
    let mut lines = VecDeque::new();
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        keep(&mut lines, &String::from_utf8_lossy(&line));
    }
    lines
}

/// Keeps the last lines that say something.
fn keep(lines: &mut VecDeque<String>, line: &str) {
    let line = line.trim_end();
    if line.is_empty() {
        return;
    }
    if lines.len() == QUOTED_LINES {
        lines.pop_front();
    }
    lines.push_back(line.to_owned());
}

/// A row for a step that no worker has delivered one for.
fn stand_in(ladder: &Ladder, step: &str, outcome: Outcome, reason: &str) -> Row {
    let unknown = Step { name: "", ..ladder.steps[0] };
    let step = ladder.step(step).unwrap_or(&unknown);
    Row::new(ladder.name, step, outcome, Some(reason.to_owned()))
}
