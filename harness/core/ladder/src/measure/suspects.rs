//! Samples that may not show what a step can do. They are marked and counted all the same: whoever
//! drops what does not fit finds what was expected.

use device::Conditions;
use report::Suspect;
use report::statistics::{median, spread};

use super::sample::Sample;

/// A clock that is lower than usual by more than this part is marked.
const LOWER_CLOCK: f64 = 0.02;

/// A sample is an outlier if it is this many times the spread away from the median …
const OUTLIER_SPREADS: f64 = 5.0;

/// … and by more than this part of it.
const OUTLIER_PART: f64 = 0.01;

/// The suspects among samples; `conditions` are as many as the samples, or none at all.
pub(super) fn suspects(samples: &[Sample], conditions: &[Conditions]) -> Vec<Suspect> {
    let seconds: Vec<f64> = samples.iter().map(|sample| sample.seconds).collect();
    let usual = median(&seconds).unwrap_or_default();
    let far = (OUTLIER_SPREADS * spread(&seconds).unwrap_or_default()).max(OUTLIER_PART);
    let clocks: Vec<f64> =
        conditions.iter().filter_map(|now| now.clock_mhz.map(f64::from)).collect();
    let usual_clock = median(&clocks).unwrap_or_default();

    let mut found = Vec::new();
    for (place, &time) in seconds.iter().enumerate() {
        let mut tell = |reason| found.push(Suspect { sample: place as u32, reason });
        if let Some(now) = conditions.get(place) {
            if !now.throttled.is_empty() {
                tell(format!("the GPU lowered its clocks: {}", now.throttled.join(", ")));
            }
            if let Some(clock) = now.clock_mhz
                && f64::from(clock) < usual_clock * (1.0 - LOWER_CLOCK)
            {
                tell(format!("its clock was {clock} MHz, and usually {usual_clock} MHz"));
            }
            if now.others > 0 {
                tell(format!("other processes compute on this GPU: {}", now.others));
            }
        }
        if (time / usual - 1.0).abs() > far {
            tell(format!("{:+.1}% off the median", 100.0 * (time / usual - 1.0)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(seconds: &[f64]) -> Vec<Sample> {
        seconds.iter().map(|&seconds| Sample { seconds, whole_seconds: None }).collect()
    }

    #[test]
    fn steady_samples_are_not_suspect() {
        assert_eq!(suspects(&samples(&[1.0, 1.001, 0.999, 1.0, 1.002]), &[]), []);
        assert_eq!(suspects(&samples(&[1.0]), &[]), []);
        assert_eq!(suspects(&[], &[]), []);
    }

    #[test]
    fn what_lies_far_off_is_marked_and_nothing_else() {
        let found = suspects(&samples(&[1.0, 1.001, 0.999, 1.0, 1.3]), &[]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].sample, 4);
        assert!(found[0].reason.contains("+30.0%"), "{}", found[0].reason);
    }

    #[test]
    fn what_the_gpu_says_is_told() {
        let calm = Conditions { clock_mhz: Some(1980), ..Conditions::default() };
        let capped = Conditions { throttled: vec!["power cap".to_owned()], ..calm.clone() };
        let slow = Conditions { clock_mhz: Some(1700), ..calm.clone() };
        let shared = Conditions { others: 2, ..calm.clone() };
        let found = suspects(&samples(&[1.0; 5]), &[calm.clone(), capped, slow, shared, calm]);
        let told: Vec<_> = found.iter().map(|s| (s.sample, s.reason.as_str())).collect();
        assert_eq!(
            told,
            [
                (1, "the GPU lowered its clocks: power cap"),
                (2, "its clock was 1700 MHz, and usually 1980 MHz"),
                (3, "other processes compute on this GPU: 2"),
            ]
        );
    }
}
