//! What the user sees while the steps run: a bar on a terminal, a line a step elsewhere. All of it
//! on standard error.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ladder::run::subject;
use report::{Outcome, Row, Timed, relate};
use report::{format, words};
use show::table::terminal::{colour, width};
use ui::output::{dim, harmless, is_quiet, say};

use crate::protocol::Event;

/// A bar of so many parts, on a terminal.
pub fn bar(parts: usize, doing: &'static str) -> ProgressBar {
    let target =
        if is_quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(parts as u64), target);
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  {elapsed}  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_message(doing)
}

/// Columns of a line up to the outcome's end.
const HEAD: usize = 32;

/// Columns of a size, and of one with the size that was verified: "131072 (4096)".
const SIZE: usize = 7;
const TWO_SIZES: usize = 13;

/// Follows a run.
pub struct Progress {
    bar: ProgressBar,
    knows_device: bool,
    /// Its times are modelled: the size that was verified may be less than that of the time.
    is_modelled: bool,
    step: String,
    since: Instant,
    /// What each step has taken so far: steps are timed in turn.
    took: HashMap<String, Duration>,
    /// Rows so far, with which later ones are compared.
    rows: Vec<Row>,
    has_heads: bool,
}

impl Progress {
    /// Begins to follow a run of this many rows, of which some are there already.
    pub fn new(rows: usize, done: Vec<Row>) -> Progress {
        Progress {
            bar: bar(rows, "opening the device").with_position(done.len() as u64),
            knows_device: false,
            is_modelled: false,
            step: String::new(),
            since: Instant::now(),
            took: HashMap::new(),
            rows: done,
            has_heads: false,
        }
    }

    /// Shows what has happened.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Device { info } => {
                self.is_modelled = info.modelled.is_some();
                // A worker that follows another has the same.
                if !std::mem::replace(&mut self.knows_device, true) {
                    self.line(&describe(info));
                }
            }
            Event::Started { subject } => {
                self.leave();
                self.step = subject.to_string();
                self.bar.set_message(harmless(&self.step).into_owned());
            }
            Event::Progress { doing, .. } => {
                let doing = format!("{}: {doing}", self.step);
                self.bar.set_message(harmless(&doing).into_owned());
            }
            Event::Row { row } => {
                self.leave();
                let took = self.took.remove(&subject(row).to_string()).unwrap_or_default();
                self.rows.push((**row).clone());
                relate(&mut self.rows);
                self.outcome(took);
                self.bar.inc(1);
            }
            Event::Counted { .. } | Event::NotCounted { .. } | Event::Refused { .. } => {}
        }
    }

    /// The step that was worked on has had the time since then.
    fn leave(&mut self) {
        let since = std::mem::replace(&mut self.since, Instant::now());
        *self.took.entry(self.step.clone()).or_default() += since.elapsed();
    }

    /// A line for the step that has ended last. Those that are left out are listed once, at the end.
    fn outcome(&mut self, took: Duration) {
        let Some(row) = self.rows.last().filter(|row| row.outcome != Outcome::Skipped) else {
            return;
        };
        let (size, n) = match self.is_modelled {
            true => (TWO_SIZES, "n (verified)"),
            false => (SIZE, "n"),
        };
        let line = outcome(row, took, size);
        if !std::mem::replace(&mut self.has_heads, true) {
            self.line(&dim(&format!(
                "{:<22} {:<9}{:>8} {:>8} {:>8}  {n:<size$} {:>6}",
                "step", "outcome", "time", "× parent", "× first", "took"
            )));
        }
        self.line(&line);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// A line that stays, above the bar if there is one.
    fn line(&self, text: &str) {
        if is_quiet() {
            return;
        }
        if self.bar.is_hidden() {
            return say(text);
        }
        let text = &harmless(text);
        if AutoStream::choice(&std::io::stderr()) == ColorChoice::Never {
            self.bar.println(anstream::adapter::strip_str(text).to_string());
        } else {
            self.bar.println(text);
        }
    }
}

fn describe(info: &device::Info) -> String {
    match &info.modelled {
        Some(gpu) => format!("on the simulator; times are modelled for {gpu}"),
        None => format!("on {}", info.name),
    }
}

/// One line for a step that has ended, with × parent and × first as far as they are known; the whole
/// reason of a bad outcome stands below the ladder.
fn outcome(row: &Row, took: Duration, size: usize) -> String {
    let paint = colour(row.outcome);
    let head = format!("{:<22} {paint}{:<9}{paint:#}", words::subject(row), row.outcome.word());
    if !row.outcome.is_verified() {
        let reason = row.reason.as_deref().and_then(|reason| reason.lines().next());
        let room = width().saturating_sub(HEAD);
        return head + &reason.unwrap_or_default().chars().take(room).collect::<String>();
    }
    if row.not_modelled.is_some() {
        return format!("{head}not modelled");
    }
    let parent = row.parent().map_or(String::new(), |(_, over)| format::factor(over.ratio));
    let first = row.times_first.map_or(String::new(), format::factor);
    let verified = row.main().and_then(Timed::verified);
    let verified = verified.map_or(String::new(), |n| format!(" ({n})"));
    format!(
        "{head}{:>8} {parent:>8} {first:>8}  {:<size$} {:>4.1} s",
        format::time(row.seconds()),
        format::count(row.n()) + &verified,
        took.as_secs_f64()
    )
}
