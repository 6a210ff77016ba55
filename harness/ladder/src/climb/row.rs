//! What became of a step, written into its row.

use device::TimeSource;

use super::Done;
use crate::measure::Measurement;
use crate::report::{Accuracy, Outcome, Row, Samples, Timed};
use crate::verify::{Errors, Problem, Tolerance};

/// A step that verified and was timed.
pub(super) fn fill(row: &mut Row, done: Done) {
    let Done { measurement, drift, also, note } = done;
    if !(measurement.seconds > 0.0 && measurement.step_seconds > 0.0) {
        row.reason = Some(format!(
            "the clock saw no time pass at n = {}; choose a larger --size",
            measurement.n
        ));
        return;
    }
    row.outcome = match measurement.source {
        TimeSource::Model => Outcome::Simulated,
        TimeSource::Device | TimeSource::Host => Outcome::Measured,
    };
    row.reason = note;
    row.time_source = Some(measurement.source);
    row.energy_drift = Some(drift.energy);
    row.momentum_drift = Some(drift.momentum);
    let step_seconds = measurement.step_seconds;
    row.timed = vec![timed(&measurement, 1, step_seconds)];
    row.timed.extend(also);
}

/// A step that did not verify.
pub(super) fn explain(row: &mut Row, problem: &Problem) {
    row.reason = Some(problem.to_string());
    match problem {
        Problem::Device(error) if error.is_skipped() => row.outcome = Outcome::Skipped,
        Problem::Device(_) => row.outcome = Outcome::Failed,
        Problem::Wrong(wrong) => {
            row.outcome = Outcome::Wrong;
            row.wrong = wrong
                .mismatch()
                .map(|mismatch| accuracy(wrong.n(), mismatch.errors, mismatch.tolerance));
        }
    }
}

/// Errors as a report has them: NaN and infinity are no numbers there.
fn accuracy(n: usize, errors: Errors, tolerance: Tolerance) -> Accuracy {
    let finite = |value: f64| Some(value).filter(|value| value.is_finite());
    Accuracy {
        n: n as u64,
        rms: finite(errors.rms),
        worst: finite(errors.worst),
        tolerance: tolerance.rms,
    }
}

/// A measurement at one size.
pub(super) fn timed(at: &Measurement, time_steps: u32, step_seconds: f64) -> Timed {
    Timed {
        n: at.n as u64,
        seconds: at.seconds,
        interval: None,
        spread: None,
        step_seconds,
        step_interval: None,
        launches: 1,
        time_steps,
        accuracy: accuracy(at.n, at.errors, at.tolerance),
        parent: None,
        samples: Samples { seconds: at.samples.clone(), ..Samples::default() },
    }
}
