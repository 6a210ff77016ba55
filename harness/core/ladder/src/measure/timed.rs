//! What a report says of a point's samples.

use device::Conditions;
use report::statistics::{median, median_interval, spread};
use report::{Accuracy, CONFIDENCE, Samples, Timed, Whole};

use super::plan::Plan;
use super::sample::Sample;
use super::suspects::suspects;

/// Medians, intervals and spread of samples of size `n`, of which there is at least one.
pub(super) fn of(
    (n, work): (u64, f64),
    accuracy: Accuracy,
    plan: Plan,
    rounds: &[u32],
    samples: &[Sample],
    conditions: &[Conditions],
) -> Timed {
    let seconds: Vec<f64> = samples.iter().map(|sample| sample.seconds).collect();
    let wholes: Option<Vec<f64>> = samples.iter().map(|sample| sample.whole_seconds).collect();
    // Conditions of some samples only could not be told from those of others.
    let conditions = if conditions.len() == samples.len() { conditions } else { &[] };
    Timed {
        n,
        sizes: Vec::new(),
        work,
        seconds: median(&seconds).unwrap_or_default(),
        interval: median_interval(&seconds, CONFIDENCE),
        spread: spread(&seconds),
        passes: plan.passes,
        whole: wholes.as_ref().map(|wholes| Whole {
            seconds: median(wholes).unwrap_or_default(),
            interval: median_interval(wholes, CONFIDENCE),
            count: plan.wholes.max(1),
        }),
        accuracy,
        parent: None,
        samples: Samples {
            round: rounds.to_vec(),
            seconds,
            whole_seconds: wholes.unwrap_or_default(),
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
