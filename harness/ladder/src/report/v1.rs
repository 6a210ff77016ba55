//! Reports of schema 1, which runs before November 2026 wrote, as reports of today.

use device::{Info, TimeSource};
use serde::Deserialize;

use super::{Accuracy, Machine, Outcome, Report, Row, SCHEMA, Samples, Timed};
use crate::Request;
use crate::statistics::{median_interval, spread};
use crate::step::F32_BITS;
use crate::verify::acceleration_tolerance;

/// The version of the format that this reads.
pub(super) const OLD_SCHEMA: u32 = 1;

/// A report as schema 1 had it. Machine, device and options have not changed since but for fields
/// that may be missing.
#[derive(Deserialize)]
pub(super) struct OldReport {
    date: String,
    machine: Machine,
    device: Option<Info>,
    options: Request,
    seed: u64,
    revision: Option<String>,
    rows: Vec<OldRow>,
}

/// One row of schema 1. How it compares with others is not read: that is computed anew.
#[derive(Deserialize)]
struct OldRow {
    ladder: String,
    step: String,
    title: String,
    changes: String,
    after: Option<String>,
    detour: bool,
    outcome: Outcome,
    reason: Option<String>,
    device: Option<String>,
    time_source: Option<TimeSource>,
    code: Option<String>,
    /// The step's own size, or the one at which it is wrong.
    n: Option<u64>,
    seconds: Option<f64>,
    step_seconds: Option<f64>,
    error_rms: Option<f64>,
    error_worst: Option<f64>,
    tolerance: Option<f64>,
    energy_drift: Option<f64>,
    momentum_drift: Option<f64>,
    /// Single force evaluations at the step's own size.
    samples: Vec<f64>,
    also: Vec<Also>,
}

/// A measurement at a further size. Its errors were within the tolerance; what they were was not
/// written.
#[derive(Deserialize)]
struct Also {
    n: u64,
    time_steps: u32,
    seconds: f64,
    step_seconds: f64,
}

impl From<OldReport> for Report {
    /// The same report, its rows not yet related.
    fn from(old: OldReport) -> Report {
        let OldReport { date, machine, device, options, seed, revision, rows } = old;
        let rows = (0..).zip(rows).map(|(session, row)| row.into_row(session)).collect();
        Report { schema: SCHEMA, date, machine, device, options, seed, revision, rows }
    }
}

impl OldRow {
    /// Steps were timed one after another then, so each row is a session of its own: its samples
    /// make no pairs with another's.
    fn into_row(self, session: u32) -> Row {
        let accuracy = self.n.zip(self.tolerance).map(|(n, tolerance)| Accuracy {
            n,
            rms: self.error_rms,
            worst: self.error_worst,
            tolerance,
        });
        let mut timed = Vec::new();
        if let (true, Some(n), Some(seconds)) = (self.outcome.is_verified(), self.n, self.seconds) {
            let own = Also {
                n,
                time_steps: 1,
                seconds,
                step_seconds: self.step_seconds.unwrap_or(seconds),
            };
            let accuracy = accuracy.unwrap_or_else(|| untold(n));
            timed.push(own.into_timed(accuracy, self.samples));
        }
        for also in self.also {
            // With `--size 1000` the size of short launches was a step's own as well.
            if timed.iter().all(|other| other.n != also.n) {
                let accuracy = untold(also.n);
                timed.push(also.into_timed(accuracy, Vec::new()));
            }
        }
        Row {
            ladder: self.ladder,
            step: self.step,
            title: self.title,
            changes: self.changes,
            after: self.after,
            detour: self.detour,
            block: None,
            defines: Vec::new(),
            threads: None,
            outcome: self.outcome,
            reason: self.reason,
            device: self.device,
            time_source: self.time_source,
            code: self.code,
            interrupted: false,
            session,
            timed,
            times_first: None,
            wrong: accuracy.filter(|_| self.outcome == Outcome::Wrong),
            energy_drift: self.energy_drift,
            momentum_drift: self.momentum_drift,
            end_to_end: None,
            occupancy: None,
            limits: None,
            cpu_limits: None,
        }
    }
}

impl Also {
    fn into_timed(self, accuracy: Accuracy, samples: Vec<f64>) -> Timed {
        Timed {
            n: self.n,
            seconds: self.seconds,
            interval: median_interval(&samples, super::CONFIDENCE),
            spread: spread(&samples),
            step_seconds: self.step_seconds,
            step_interval: None,
            launches: 1,
            time_steps: self.time_steps,
            accuracy,
            parent: None,
            samples: Samples {
                round: (0..).take(samples.len()).collect(),
                seconds: samples,
                ..Samples::default()
            },
        }
    }
}

/// Errors that were looked at and not written.
fn untold(n: u64) -> Accuracy {
    let bodies = usize::try_from(n).unwrap_or(usize::MAX);
    Accuracy { n, rms: None, worst: None, tolerance: acceleration_tolerance(bodies, F32_BITS).rms }
}
