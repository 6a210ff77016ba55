//! Two reports against each other: which rows of the one are faster or slower in the other.
//!
//! [`Comparison::of`] matches rows by ladder, step and variant, their sizes by n, and judges them;
//! `differences` looks for what else differs between the two runs, [`text`] writes it all as a table
//! or as data.

mod differences;
pub mod text;

use report::statistics::{Interval, Speed, Verdict, each_of, unpaired, verdict};
use report::{
    CONFIDENCE, LEAST_EFFECT, LEAST_EFFECT_OF_FEW, Outcome, Report, Row, TimeSource, Timed, Variant,
};
use serde::Serialize;

use self::differences::twin;
use crate::words;

/// The least difference between two runs that counts where no other is asked for: that of a run, so
/// that one ratio has one verdict.
pub const EFFECT: f64 = LEAST_EFFECT;

/// What two reports say of each other; A is compared with, B is judged.
#[derive(Debug, Serialize)]
pub struct Comparison {
    effect: f64,
    /// With this confidence all intervals hold at once.
    confidence: f64,
    a: Run,
    b: Run,
    /// What else differs between the two, and what makes them doubtful.
    warnings: Vec<String>,
    /// What both have, in the order of the first.
    pub rows: Vec<Line>,
    /// What could not be compared.
    pub left: Vec<Left>,
    /// Whether something is slower than it was, or is no longer right.
    pub regression: bool,
}

/// Where and when a report was made.
#[derive(Debug, Serialize)]
struct Run {
    /// The report as the reader named it.
    name: String,
    device: Option<String>,
    modelled: Option<String>,
    driver: Option<String>,
    cpu: Option<String>,
    date: String,
    revision: Option<String>,
}

/// A step, in a sweep a variant of it.
#[derive(Debug, Serialize)]
struct Subject {
    ladder: String,
    step: String,
    #[serde(flatten)]
    variant: Variant,
}

/// One step at one size in both reports.
#[derive(Debug, Serialize)]
pub struct Line {
    #[serde(flatten)]
    subject: Subject,
    n: u64,
    /// Whether both times are a model's, which have no interval and are compared as they are.
    modelled: bool,
    a_seconds: f64,
    b_seconds: f64,
    /// How many times A's speed B is.
    ratio: f64,
    interval: Option<Interval>,
    verdict: Verdict,
}

/// A row or a size that could not be compared.
#[derive(Debug, Serialize)]
pub struct Left {
    #[serde(flatten)]
    subject: Subject,
    /// None where all are meant.
    n: Option<u64>,
    /// Why not.
    pub why: String,
    /// Whether the step was right in A and is wrong or has failed in B.
    regression: bool,
}

impl Comparison {
    /// Compares the reports, each with its name, where differences of less than `effect` do not
    /// count.
    pub fn of(a: (&str, &Report), b: (&str, &Report), effect: f64) -> Comparison {
        let mut both = Vec::new();
        let mut left = Vec::new();
        for row in &a.1.rows {
            match twin(row, b.1) {
                None => left.push(Left::of(row, None, "only in A")),
                Some(other) if row.outcome.is_verified() || other.outcome.is_verified() => {
                    match incomparable(row, other) {
                        None => sizes(row, other, &mut both, &mut left),
                        found => left.extend(found),
                    }
                }
                Some(_) => {}
            }
        }
        let only_in_b = b.1.rows.iter().filter(|row| twin(row, a.1).is_none());
        left.extend(only_in_b.map(|row| Left::of(row, None, "only in B")));
        let measured = both.iter().filter(|(row, ..)| !row.is_modelled()).count();
        let each = each_of(measured, CONFIDENCE);
        let lines = both.into_iter().map(|(row, a, b)| Line::of(row, (a, b), each, effect));
        let rows: Vec<Line> = lines.collect();
        let is_worse = rows.iter().any(|line| line.verdict == Verdict::Slower)
            || left.iter().any(|left| left.regression);
        Comparison {
            effect,
            confidence: CONFIDENCE,
            warnings: differences::warnings(a.1, b.1),
            regression: is_worse,
            a: Run::of(a),
            b: Run::of(b),
            rows,
            left,
        }
    }
}

/// What is left of a row of which not both reports have times of one kind.
fn incomparable(a: &Row, b: &Row) -> Option<Left> {
    let why = |row: &Row, name: &str| {
        let reason = words::reason(row.reason.as_deref().unwrap_or_default());
        format!("{} in {name}: {reason}", row.outcome)
    };
    if !b.outcome.is_verified() {
        let regression = matches!(b.outcome, Outcome::Wrong | Outcome::Failed);
        return Some(Left { regression, ..Left::of(a, None, &why(b, "B")) });
    }
    if !a.outcome.is_verified() {
        return Some(Left::of(a, None, &why(a, "A")));
    }
    let [of_a, of_b] = [a, b].map(|row| match row.time_source {
        Some(TimeSource::Device) => "timed by the GPU",
        Some(TimeSource::Host) => "timed by the host",
        Some(TimeSource::Model) => "modelled",
        None => "not timed",
    });
    (of_a != of_b).then(|| Left::of(a, None, &format!("{of_a} in A, {of_b} in B")))
}

/// The sizes of two rows that both have, and the others.
fn sizes<'r>(
    a: &'r Row,
    b: &'r Row,
    both: &mut Vec<(&'r Row, &'r Timed, &'r Timed)>,
    left: &mut Vec<Left>,
) {
    for timed in &a.timed {
        match b.at(timed.n) {
            Some(other) => both.push((a, timed, other)),
            None => left.push(Left::of(a, Some(timed.n), "only in A")),
        }
    }
    let only_in_b = b.timed.iter().filter(|timed| a.at(timed.n).is_none());
    left.extend(only_in_b.map(|timed| Left::of(b, Some(timed.n), "only in B")));
}

impl Line {
    /// Whether it is of this step at this size.
    pub fn is_of(&self, step: &str, n: u64) -> bool {
        self.subject.step == step && self.n == n
    }

    /// Judges one step at one size. Rounds of different runs are not the same: samples make no pairs.
    fn of(row: &Row, (a, b): (&Timed, &Timed), confidence: f64, effect: f64) -> Line {
        let modelled = row.is_modelled();
        let plain = Speed { ratio: a.seconds / b.seconds, interval: None };
        let speed = match modelled {
            true => plain,
            false => unpaired(&a.samples.seconds, &b.samples.seconds, confidence).unwrap_or(plain),
        };
        let few = !modelled && speed.interval.is_none();
        let least = if few { effect.max(LEAST_EFFECT_OF_FEW) } else { effect };
        Line {
            subject: Subject::of(row),
            n: a.n,
            modelled,
            a_seconds: a.seconds,
            b_seconds: b.seconds,
            ratio: speed.ratio,
            interval: speed.interval,
            verdict: verdict(speed, least),
        }
    }
}

impl Left {
    fn of(row: &Row, n: Option<u64>, why: &str) -> Left {
        Left { subject: Subject::of(row), n, why: why.to_owned(), regression: false }
    }

    /// The step's folder.
    pub fn step(&self) -> &str {
        &self.subject.step
    }
}

impl Subject {
    fn of(row: &Row) -> Subject {
        let (ladder, step) = (row.ladder.clone(), row.step.clone());
        Subject { ladder, step, variant: row.variant() }
    }

    fn name(&self) -> String {
        format!("{}{}", self.step, self.variant.suffix())
    }
}

impl Run {
    fn of((name, report): (&str, &Report)) -> Run {
        let device = report.device.as_ref();
        Run {
            name: name.to_owned(),
            device: device.map(|device| device.name.clone()),
            modelled: device.and_then(|device| device.modelled.clone()),
            driver: device.and_then(|device| device.driver_version.clone()),
            cpu: report.machine.cpu.clone(),
            date: report.date.clone(),
            revision: report.revision.clone(),
        }
    }
}
