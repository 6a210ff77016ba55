//! Two reports against each other: which rows of the one are faster or slower in the other.
//!
//! [`Comparison::of`] matches rows and judges them, `differences` looks for what else differs
//! between the two runs, [`text`] writes it all as a table or as data.

mod differences;
mod pairs;
pub mod text;

use report::statistics::{Interval, Speed, Verdict, each_of, unpaired, verdict};
use report::{CONFIDENCE, LEAST_EFFECT_OF_FEW, Report, Row, Timed, Variant};
use serde::Serialize;

use pairs::Pairs;

/// The least difference between two runs that counts where no other is asked for. It is more
/// than what differs from one run to the next on one GPU, which no interval covers: its temperature,
/// its clocks, the place of its buffers in memory.
pub const EFFECT: f64 = 0.03;

/// What two reports say of each other.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The least difference that counts: 0.03 is 3%.
    pub effect: f64,
    /// With this confidence all intervals hold at once.
    pub confidence: f64,
    /// The report that is compared with.
    pub a: Run,
    /// The report that is judged.
    pub b: Run,
    /// What else differs between the two, and what makes them doubtful.
    pub warnings: Vec<String>,
    /// What both have, in the order of the first.
    pub rows: Vec<Line>,
    /// What only one of them has.
    pub left: Vec<Left>,
    /// Whether something is slower than it was, or is no longer right.
    pub regression: bool,
}

/// Where and when a report was made.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The report as the reader named it.
    pub name: String,
    /// What its steps ran on.
    pub device: Option<String>,
    /// The GPU whose time was modelled.
    pub modelled: Option<String>,
    /// The driver's version.
    pub driver: Option<String>,
    /// The processor.
    pub cpu: Option<String>,
    /// Day of the run.
    pub date: String,
    /// Git revision of the workspace.
    pub revision: Option<String>,
}

/// One step at one size in both reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Name of the ladder.
    pub ladder: String,
    /// The step's folder.
    pub step: String,
    /// What is not as the step says, in a sweep.
    #[serde(flatten)]
    pub variant: Variant,
    /// The size.
    pub n: u64,
    /// Whether both times are a model's, which have no interval and are compared as they are.
    pub modelled: bool,
    /// Time of a pass in A, s.
    pub a_seconds: f64,
    /// The same in B, s.
    pub b_seconds: f64,
    /// How many times A's speed B is.
    pub ratio: f64,
    /// The interval of that; none where time is modelled or samples are too few.
    pub interval: Option<Interval>,
    /// What that says of B.
    pub verdict: Verdict,
}

/// A row or a size that could not be compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Left {
    /// Name of the ladder.
    pub ladder: String,
    /// The step's folder.
    pub step: String,
    /// What is not as the step says, in a sweep.
    #[serde(flatten)]
    pub variant: Variant,
    /// The size; none where all are meant.
    pub n: Option<u64>,
    /// Why not.
    pub why: String,
    /// Whether the step was right in A and is wrong or has failed in B.
    pub regression: bool,
}

impl Comparison {
    /// Compares the reports, each with its name, where differences of less than `effect` do not
    /// count.
    pub fn of(a: (&str, &Report), b: (&str, &Report), effect: f64) -> Comparison {
        let Pairs { both, left } = pairs::match_rows(a.1, b.1);
        let measured = both.iter().filter(|pair| !pair.row.is_modelled()).count();
        let each = each_of(measured, CONFIDENCE);
        let rows: Vec<Line> =
            both.iter().map(|pair| line(pair.row, pair.a, pair.b, each, effect)).collect();
        Comparison {
            effect,
            confidence: CONFIDENCE,
            warnings: differences::warnings(a.1, b.1),
            regression: rows.iter().any(|line| line.verdict == Verdict::Slower)
                || left.iter().any(|left| left.regression),
            a: run(a),
            b: run(b),
            rows,
            left,
        }
    }

    /// Rows with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|line| line.verdict == verdict).count()
    }
}

/// Judges one step at one size. Rounds of different runs are not the same: samples make no pairs.
fn line(row: &Row, a: &Timed, b: &Timed, confidence: f64, effect: f64) -> Line {
    let modelled = row.is_modelled();
    let plain = Speed { ratio: a.seconds / b.seconds, interval: None };
    let speed = match modelled {
        true => plain,
        false => unpaired(&a.samples.seconds, &b.samples.seconds, confidence).unwrap_or(plain),
    };
    let few = !modelled && speed.interval.is_none();
    let least = if few { effect.max(LEAST_EFFECT_OF_FEW) } else { effect };
    Line {
        ladder: row.ladder.clone(),
        step: row.step.clone(),
        variant: row.variant(),
        n: a.n,
        modelled,
        a_seconds: a.seconds,
        b_seconds: b.seconds,
        ratio: speed.ratio,
        interval: speed.interval,
        verdict: verdict(speed, least),
    }
}

fn run((name, report): (&str, &Report)) -> Run {
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
