//! The parent's side of the worker process: a step that crashes costs its own row, and the next
//! worker goes on after it.

mod end;
mod watchdog;

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use ladder::Ladder;
use ladder::run::subject;
use processes::{Interrupt, spawn};
use report::{Outcome, Request, Row, Subject};
use ui::Usage;

use crate::protocol::{DEVICE_LOST, Event};
use end::End;
use watchdog::Watchdog;

/// Lines of a worker's standard error that a failed row quotes.
const QUOTED_LINES: usize = 12;

/// Why the steps after an interrupt have no other outcome.
pub const INTERRUPTED: &str = "interrupted";

/// How a climb ended.
pub struct LadderRun {
    /// A row for every subject of the request, in that order.
    pub rows: Vec<Row>,
    /// The device that they ran on; `None` if the climb was interrupted before it was open.
    pub device: Option<device::Info>,
}

/// What is heard while it goes on.
pub enum News<'a> {
    /// A worker said something.
    Event(&'a Event),
    /// There is one more row, or more is known of one: these are all, in the order of the request. Their
    /// reasons may be shortened.
    Rows(&'a mut [Row]),
}

/// Climbs what is left of `request` in worker processes started from `program`; `rows` are of what
/// is done. Everything is heard by `hear` as it happens, also the row that stands for a step whose
/// worker died. An error means that no step could run.
pub fn climb(
    program: &dyn Fn() -> Result<Command>,
    ladder: &dyn Ladder,
    request: &Request,
    rows: Vec<Row>,
    interrupt: &Interrupt,
    hear: &mut dyn FnMut(News),
) -> Result<LadderRun> {
    let mut climb = Climbing { ladder, left: request.clone(), rows, device: None, hear };
    let mut had_a_chance = false;
    while !climb.left.left().is_empty() && !interrupt.is_asked() {
        let settled = climb.rows.len();
        let end = climb.one_worker(program()?, interrupt)?;
        climb.left.session += 1;
        // A worker that delivered nothing must cost a row, or the next would do the same for ever.
        let delivered_before_loss = end.status.code() == Some(DEVICE_LOST.into())
            && end.began.is_none()
            && climb.rows.len() > settled;
        let left = climb.left.left();
        let counting = end.began.as_ref().filter(|began| !left.contains(began));
        if let Some(counting) = counting.filter(|_| !interrupt.is_asked()) {
            climb.count(counting, |row| note_uncounted(row, &end.describe()));
        }
        if left.is_empty() || interrupt.is_asked() || delivered_before_loss {
            continue;
        }
        if climb.device.is_none() {
            // One that something killed before it had the device says nothing of the next.
            if std::mem::replace(&mut had_a_chance, true) {
                bail!("no step began: {}", end.describe());
            }
            continue;
        }
        let culprit = end.began.clone().unwrap_or_else(|| left[0].clone());
        let row = climb.stand_in(&culprit, Outcome::Failed, &end.describe());
        climb.settle(row);
    }
    // Nothing happened to these: only the reader of the report learns of them.
    for subject in climb.left.left() {
        let row = climb.stand_in(&subject, Outcome::Skipped, INTERRUPTED);
        climb.rows.push(Row { interrupted: true, ..row });
    }
    sort(&mut climb.rows, request);
    Ok(LadderRun { rows: climb.rows, device: climb.device })
}

/// Puts rows into the order of a request.
fn sort(rows: &mut [Row], request: &Request) {
    let order = request.subjects();
    rows.sort_by_key(|row| order.iter().position(|other| *other == subject(row)));
}

/// A climb that goes on.
struct Climbing<'a> {
    ladder: &'a dyn Ladder,
    /// The request; what is settled is done.
    left: Request,
    rows: Vec<Row>,
    device: Option<device::Info>,
    hear: &'a mut dyn FnMut(News),
}

impl Climbing<'_> {
    /// Starts a worker on what is left and follows it to its end.
    fn one_worker(&mut self, mut program: Command, interrupt: &Interrupt) -> Result<End> {
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = spawn(&mut program).context("the worker process could not be started")?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut input), Some(output), Some(errors)) = pipes else {
            bail!("the worker process has no pipes")
        };
        // A worker that dies before it has read its request says why in its status, not here.
        let _ = writeln!(input, "{}", serde_json::to_string(&self.left)?);
        interrupt.watch(child, input);
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
                Event::Progress { patience_seconds, .. } => Some(*patience_seconds),
                _ => None,
            };
            watchdog.hear(patience.map(Duration::from_secs));
            if !matches!(event, Event::Row { .. }) {
                (self.hear)(News::Event(&event));
            }
            match event {
                Event::Device { info } => self.device = Some(*info),
                Event::Refused { reason, usage } => refused = Some((reason, usage)),
                Event::Started { subject } => began = Some(subject),
                Event::Progress { doing: now, .. } => doing = now,
                Event::Row { row } => {
                    began = None;
                    self.settle(*row);
                }
                Event::Counted { subject, limits, occupancy } => {
                    began = None;
                    self.count(&subject, |row| {
                        (row.limits, row.occupancy) = (Some(*limits), occupancy);
                    });
                }
                Event::NotCounted { subject, why } => {
                    began = None;
                    self.count(&subject, |row| note_uncounted(row, &why));
                }
            }
        }
        let overdue = watchdog.stop().then_some(doing);
        // Its pipe is closed: it has ended or is about to.
        let status = interrupt.wait().context("waiting for the worker process")?;
        let mut lines = noise;
        last_words.join().unwrap_or_default().iter().for_each(|line| keep(&mut lines, line));
        if let Some((reason, usage)) = refused {
            return Err(if usage { Usage(reason).into() } else { anyhow!(reason) });
        }
        Ok(End { status, began, overdue, last_words: Vec::from(lines).join("\n") })
    }

    /// Enters a finished row: its step is no longer left, and its size is known to the steps that
    /// are compared with it.
    fn settle(&mut self, row: Row) {
        let of = subject(&row);
        // A worker that went mad must not fill the report.
        if !self.left.left().contains(&of) {
            return;
        }
        self.left.done.push(of.clone());
        if let Some(n) = row.n() {
            self.left.sizes.insert(row.step.clone(), n);
        }
        self.rows.push(row);
        sort(&mut self.rows, &self.left);
        // What is reported as finished has been kept.
        (self.hear)(News::Rows(&mut self.rows));
        if let Some(row) = self.rows.iter().find(|row| subject(row) == of) {
            (self.hear)(News::Event(&Event::Row { row: Box::new(row.clone()) }));
        }
    }

    /// Enters into a finished row what was counted of it, or why nothing was.
    fn count(&mut self, of: &Subject, enter: impl FnOnce(&mut Row)) {
        let Some(row) = self.rows.iter_mut().find(|row| subject(row) == *of) else { return };
        enter(row);
        (self.hear)(News::Rows(&mut self.rows));
    }

    /// A row for a step that no worker has delivered one for.
    fn stand_in(&self, of: &Subject, outcome: Outcome, reason: &str) -> Row {
        let ladder = self.ladder.name();
        let reason = Some(reason.to_owned());
        let mut row = match self.ladder.step(&of.step) {
            Some(step) => step.row(ladder, outcome, reason),
            None => Row { ladder: ladder.to_owned(), outcome, reason, ..Row::default() },
        };
        (row.block, row.defines) = (of.variant.block, of.variant.defines.clone());
        row
    }
}

/// Says in a row why nothing was counted of its step.
fn note_uncounted(row: &mut Row, why: &str) {
    let note = format!("what limits it is not known: {why}");
    row.reason = Some(match row.reason.take() {
        Some(reason) => format!("{reason}; {note}"),
        None => note,
    });
}

fn tail(stream: impl Read) -> VecDeque<String> {
    let mut lines = VecDeque::new();
    let mut is_backtrace = false;
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        // With RUST_BACKTRACE it would push the message of a panic out.
        is_backtrace |= line == "stack backtrace:";
        if !is_backtrace {
            keep(&mut lines, &line);
        }
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
