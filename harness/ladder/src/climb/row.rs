//! What became of a step, written into its row.

use device::TimeSource;

use super::Done;
use crate::measure::Measurement;
use crate::report::{Also, Outcome, Row};
use crate::verify::Problem;

/// A step that verified and was timed.
pub(super) fn fill(row: &mut Row, done: Done) {
    let Done { measurement, drift, also, note } = done;
    let n = measurement.n as f64;
    if !(measurement.seconds > 0.0 && measurement.step_seconds > 0.0) {
        row.reason = Some(format!("the clock saw no time pass at n = {n}; choose a larger --size"));
        return;
    }
    row.outcome = match measurement.source {
        TimeSource::Model => Outcome::Simulated,
        TimeSource::Device | TimeSource::Host => Outcome::Measured,
    };
    row.reason = note;
    row.time_source = Some(measurement.source);
    row.n = Some(measurement.n as u64);
    row.seconds = Some(measurement.seconds);
    row.step_seconds = Some(measurement.step_seconds);
    row.interactions_per_second = Some(n * n / measurement.seconds);
    row.error_rms = Some(measurement.errors.rms);
    row.error_worst = Some(measurement.errors.worst);
    row.tolerance = Some(measurement.tolerance.rms);
    row.energy_drift = Some(drift.energy);
    row.momentum_drift = Some(drift.momentum);
    row.samples = measurement.samples;
    row.also = also;
}

/// A step that did not verify.
pub(super) fn explain(row: &mut Row, problem: &Problem) {
    row.reason = Some(problem.to_string());
    match problem {
        Problem::Device(error) if error.is_skipped() => row.outcome = Outcome::Skipped,
        Problem::Device(_) => row.outcome = Outcome::Failed,
        Problem::Wrong(wrong) => {
            row.outcome = Outcome::Wrong;
            row.n = Some(wrong.n() as u64);
            if let Some(mismatch) = wrong.mismatch() {
                // NaN and infinity are no numbers of a report.
                let finite = |value: f64| Some(value).filter(|value| value.is_finite());
                row.error_rms = finite(mismatch.errors.rms);
                row.error_worst = finite(mismatch.errors.worst);
                row.tolerance = Some(mismatch.tolerance.rms);
            }
        }
    }
}

/// A measurement at a further size.
pub(super) fn also(at: &Measurement, time_steps: u32, step_seconds: f64) -> Also {
    Also { n: at.n as u64, time_steps, seconds: at.seconds, step_seconds }
}
