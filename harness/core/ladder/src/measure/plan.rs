//! How often a point is sampled: fixed before the first sample.

/// Rounds of a session. Quick points have a sample in each, slower ones in every second or fourth,
/// so that two points always share the rounds of the slower one.
pub const ROUNDS: u32 = 24;

/// Points whose pass lasts longer than the first take part in every second round, longer than
/// the second in every fourth: six samples, the fewest that have a 95% interval.
const EVERY_SECOND: f64 = 0.02;
const EVERY_FOURTH: f64 = 0.1;

/// What a sample should last at least: a thousand times the resolution of a GPU's events (about
/// 0.5 µs: CUDA Driver API, `cuEventElapsedTime`).
const SAMPLE_SECONDS: f64 = 0.5e-3;

/// Passes before a sample last about so long, for caches and clocks to be as they are in a
/// simulation that goes on.
const WARM_UP_SECONDS: f64 = 3e-3;

/// A pass that lasts longer is its own warm-up, and a whole is taken as the sum of the pass and the
/// rest: a launch more or less is nothing against it.
const LONG_SECONDS: f64 = 0.02;

/// The most passes for a sample or before one.
const MOST_LAUNCHES: u32 = 500;

/// How a point is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Passes before a sample.
    pub warm_ups: u32,
    /// Passes started back to back for a sample.
    pub passes: u32,
    /// Wholes started back to back for a sample; 0: one, as the sum of its two parts.
    pub wholes: u32,
    /// It takes part in every so-many-th round.
    pub every: u32,
}

impl Plan {
    /// The plan for passes that last about `seconds`; `wholes` where it was asked for.
    pub fn new(seconds: f64, wholes: Option<u32>) -> Plan {
        let fill = |budget: f64| {
            // A conversion from floating point saturates, also that of 1/0.
            ((budget / seconds).ceil() as u32).clamp(1, MOST_LAUNCHES)
        };
        let is_long = seconds > LONG_SECONDS;
        Plan {
            warm_ups: if is_long { 0 } else { fill(WARM_UP_SECONDS) },
            passes: fill(SAMPLE_SECONDS),
            wholes: match wholes {
                Some(steps) => steps,
                None if is_long => 0,
                None => fill(SAMPLE_SECONDS),
            },
            every: match seconds {
                _ if seconds > EVERY_FOURTH => 4,
                _ if seconds > EVERY_SECOND => 2,
                _ => 1,
            },
        }
    }

    /// Whether the point has a sample in a round, counted from 0.
    pub fn takes_part(&self, round: u32) -> bool {
        (round + 1).is_multiple_of(self.every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_points_are_sampled_less_often_but_never_too_seldom_for_an_interval() {
        let samples = |seconds| {
            let plan = Plan::new(seconds, None);
            (0..ROUNDS).filter(|&round| plan.takes_part(round)).count()
        };
        assert_eq!([samples(0.0), samples(0.02), samples(0.1), samples(5.0)], [24, 24, 12, 6]);
    }

    #[test]
    fn the_rounds_of_a_slower_point_are_those_of_a_quicker_one_too() {
        let plans = [0.01, 0.1, 2.0].map(|seconds| Plan::new(seconds, None));
        for pair in plans.windows(2) {
            for round in 0..ROUNDS {
                assert!(pair[0].takes_part(round) || !pair[1].takes_part(round));
            }
        }
    }

    #[test]
    fn short_launches_are_timed_many_at_a_time() {
        let plan = Plan::new(10e-6, None);
        assert_eq!((plan.warm_ups, plan.passes, plan.wholes), (300, 50, 50));
        let plan = Plan::new(10e-6, Some(1000));
        assert_eq!((plan.passes, plan.wholes), (50, 1000));
        let plan = Plan::new(0.02, None);
        assert_eq!((plan.warm_ups, plan.passes, plan.wholes), (1, 1, 1));
        let plan = Plan::new(0.2, None);
        assert_eq!((plan.warm_ups, plan.passes, plan.wholes), (0, 1, 0));
        assert_eq!(Plan::new(0.0, None).passes, MOST_LAUNCHES);
    }
}
