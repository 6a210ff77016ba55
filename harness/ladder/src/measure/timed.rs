//! What a report says of a point's samples.

use device::Conditions;

use super::plan::Plan;
use super::sample::Sample;
use super::suspects::suspects;
use report::{Accuracy, CONFIDENCE, Samples, Timed};
use report::statistics::{median, median_interval, spread};

/// Medians, intervals and spread of samples, of which there is at least one.
pub(super) fn of(
    accuracy: Accuracy,
    plan: Plan,
    rounds: &[u32],
    samples: &[Sample],
    conditions: &[Conditions],
) -> Timed {
    let seconds: Vec<f64> = samples.iter().map(|sample| sample.seconds).collect();
    let step_seconds: Vec<f64> = samples.iter().map(|sample| sample.step_seconds).collect();
    // Conditions of some samples only could not be told from those of others.
    let conditions = if conditions.len() == samples.len() { conditions } else { &[] };
    Timed {
        n: accuracy.n,
        seconds: median(&seconds).unwrap_or_default(),
        interval: median_interval(&seconds, CONFIDENCE),
        spread: spread(&seconds),
        step_seconds: median(&step_seconds).unwrap_or_default(),
        step_interval: median_interval(&step_seconds, CONFIDENCE),
        launches: plan.launches,
        time_steps: plan.time_steps.max(1),
        accuracy,
        parent: None,
        samples: Samples {
            round: rounds.to_vec(),
            seconds,
            step_seconds,
            clock_mhz: column(conditions, |now| now.clock_mhz),
            memory_clock_mhz: column(conditions, |now| now.memory_clock_mhz),
            temperature_c: column(conditions, |now| now.temperature_c),
            power_w: column(conditions, |now| now.power_w),
            suspects: suspects(samples, conditions),
        },
    }
}

/// One of the conditions at each sample; none if it is not known at each.
fn column<T>(conditions: &[Conditions], of: impl Fn(&Conditions) -> Option<T>) -> Vec<T> {
    conditions.iter().map(of).collect::<Option<Vec<T>>>().unwrap_or_default()
}
