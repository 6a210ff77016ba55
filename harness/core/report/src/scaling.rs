//! How the speed of steps grows with the number of GPUs: `scaling.json`.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::statistics::Interval;
use crate::{Accuracy, Figure, Machine, Outcome, ReportError, TimeSource, format, io, json};

/// The version of the format.
pub const SCHEMA: u32 = 2;

/// Its file in a report's folder.
pub const FILE: &str = "scaling.json";

/// How speed grows with the number of GPUs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scaling {
    /// Version of this format.
    pub schema: u32,
    /// Day of the run, year-month-day.
    pub date: String,
    /// Git revision of the code; none where it is not known.
    pub revision: Option<String>,
    /// The computer, of several the one with the first GPU.
    pub machine: Machine,
    /// The figure of merit of the ladder.
    pub figure: Figure,
    /// The GPU, of which there are several; of simulated ones that whose time is modelled.
    pub gpu: Option<String>,
    /// Version of NVIDIA's driver, such as "580.95.05".
    pub driver: Option<String>,
    /// Through what GPUs exchanged data: "NCCL 2.21.5".
    pub exchange: Option<String>,
    /// Whether there was one process for each GPU, under a launcher.
    pub launched: bool,
    /// Sizes of strong scaling.
    pub sizes: Vec<u64>,
    /// Size on one GPU of weak scaling.
    pub weak: u64,
    /// Decided what was random in verification; 0 where that is not known.
    #[serde(default)]
    pub seed: u64,
    /// What was found of each step, number of GPUs and size.
    pub rows: Vec<Row>,
}

/// A step on some GPUs at some size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// Number of GPUs.
    pub gpus: u32,
    /// How the size changes with the number of GPUs.
    pub series: Series,
    /// Problem size `n`.
    pub n: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it was not measured.
    pub reason: Option<String>,
    /// Its times.
    pub timed: Option<Timed>,
    /// Errors of the results on all GPUs.
    pub accuracy: Option<Accuracy>,
    /// How it compares with the fastest step on one GPU.
    pub gain: Option<Gain>,
}

impl Row {
    /// A row that gives only a step's outcome.
    pub fn untimed(
        step: &str,
        gpus: u32,
        (series, n): (Series, u64),
        outcome: Outcome,
        reason: &str,
    ) -> Row {
        Row {
            step: step.to_owned(),
            gpus,
            series,
            n,
            outcome,
            reason: Some(reason.to_owned()),
            timed: None,
            accuracy: None,
            gain: None,
        }
    }
}

/// In one line.
impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.gpus == 1 { "" } else { "s" };
        let Row { step, gpus, n, .. } = self;
        write!(f, "{step} on {gpus} GPU{plural}, {} scaling, n = {n}: ", self.series.word())?;
        match (&self.timed, &self.reason) {
            (Some(timed), _) => write!(f, "{} ms", format::significant(1e3 * timed.seconds)),
            (None, Some(reason)) => write!(f, "{}: {reason}", self.outcome),
            (None, None) => write!(f, "{}", self.outcome),
        }
    }
}

/// How the size changes with the number of GPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Series {
    /// The size stays the same on any number of GPUs.
    Strong,
    /// The work grows as the number of GPUs: each has as much to do.
    Weak,
}

impl Series {
    /// Its word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Series::Strong => "strong",
            Series::Weak => "weak",
        }
    }
}

/// Times of the figure's `whole`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timed {
    /// Median time of one, with all exchanges, on the slowest GPU, s.
    pub seconds: f64,
    /// 95% interval of that median, s; none where time is modelled.
    pub interval: Option<Interval>,
    /// Relative standard deviation of the samples, from their median deviation.
    pub spread: Option<f64>,
    /// Median time of the launches of one alone, on the slowest GPU, s.
    pub launches_seconds: f64,
    /// Work of one, in the units of the figure.
    pub work: f64,
    /// How many of the figure's `whole` are one sample.
    pub count: u32,
    /// What the times were taken from.
    pub source: TimeSource,
    /// The samples of `seconds`.
    pub samples: Vec<f64>,
}

impl Timed {
    /// Units of work per second.
    pub fn rate(&self) -> f64 {
        self.work / self.seconds
    }
}

/// A speed over that of the fastest step on one GPU: at the same size, or in weak scaling with that of one GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gain {
    /// Folder of the fastest step on one GPU.
    pub over: String,
    /// This row's rate over that step's rate.
    pub speed: f64,
    /// That ratio, divided by the number of GPUs.
    pub efficiency: f64,
}

impl Scaling {
    /// Reads one from a folder, or the file itself.
    ///
    /// # Errors
    /// It cannot be read, or is no such report.
    pub fn read(path: &Path) -> Result<Scaling, ReportError> {
        let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        io::read_version(&file, SCHEMA)
    }

    /// The report as JSON text, with a final line end.
    ///
    /// # Panics
    /// Never: it holds nothing that JSON has not.
    pub fn to_json(&self) -> String {
        json::to_text(self).expect("data is JSON")
    }

    /// Compares every row with the fastest one on one GPU.
    pub fn relate(&mut self) {
        let rate = |row: &Row| row.timed.as_ref().map(Timed::rate);
        let alone: Vec<(Series, u64, String, f64)> = self
            .rows
            .iter()
            .filter(|row| row.gpus == 1)
            .filter_map(|row| Some((row.series, row.n, row.step.clone(), rate(row)?)))
            .collect();
        for row in &mut self.rows {
            let n = if row.series == Series::Weak { self.weak } else { row.n };
            let same = alone.iter().filter(|(series, of, ..)| (*series, *of) == (row.series, n));
            let fastest = same.max_by(|a, b| a.3.total_cmp(&b.3));
            row.gain = fastest.zip(rate(row)).map(|((_, _, over, alone), rate)| Gain {
                over: over.clone(),
                speed: rate / alone,
                efficiency: rate / alone / f64::from(row.gpus),
            });
        }
    }

    /// Takes rows from another run in the place of those of the same step, number of GPUs and size.
    pub fn replace(&mut self, rows: Vec<Row>) {
        let key = |row: &Row| (row.step.clone(), row.gpus, row.series.word(), row.n);
        self.rows.retain(|old| rows.iter().all(|new| key(new) != key(old)));
        self.rows.extend(rows);
        self.rows.sort_by_key(|row| (row.series.word(), row.n, row.gpus, row.step.clone()));
    }
}

/// The format as a JSON schema, as text with a final line end.
///
/// # Panics
/// Never: a schema is JSON.
pub fn schema() -> String {
    json::to_text(&schemars::schema_for!(Scaling)).expect("a schema is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{scaled as row, scaling as of};

    #[test]
    fn rows_are_compared_with_the_fastest_on_one_gpu() {
        let scaling = of(vec![
            row("a", 1, Series::Strong, 1000, 4.0),
            row("b", 1, Series::Strong, 1000, 2.0),
            row("a", 2, Series::Strong, 1000, 1.25),
            row("a", 1, Series::Weak, 500, 1.0),
            row("a", 4, Series::Weak, 1000, 1.25),
            row("a", 2, Series::Strong, 77, 1.0),
        ]);
        let gain =
            |at: usize| scaling.rows[at].gain.clone().map(|it| (it.over, it.speed, it.efficiency));
        assert_eq!(gain(0), Some(("b".to_owned(), 0.5, 0.5)));
        assert_eq!(gain(2), Some(("b".to_owned(), 1.6, 0.8)));
        assert_eq!(gain(4), Some(("a".to_owned(), 3.2, 0.8)));
        assert_eq!(gain(5), None, "nothing to compare with");
    }

    #[test]
    fn what_is_written_is_read_and_replaced_row_by_row() {
        let mut scaling = of(vec![row("a", 1, Series::Strong, 1000, 4.0)]);
        scaling.replace(vec![
            row("a", 1, Series::Strong, 1000, 3.0),
            row("a", 2, Series::Strong, 1000, 2.0),
        ]);
        assert_eq!(scaling.rows.len(), 2);
        assert_eq!(scaling.rows[0].timed.as_ref().map(|timed| timed.seconds), Some(3.0));
        let folder = tempfile::tempdir().expect("a folder");
        let text = serde_json::to_string(&scaling).expect("JSON");
        std::fs::write(folder.path().join(FILE), text).expect("written");
        assert_eq!(Scaling::read(folder.path()).expect("read"), scaling);
        assert!(schema().contains("Gain"));
    }
}
