//! Intervals and verdicts against synthetic times whose differences are known.

mod known;
mod synthetic;

use synthetic::{Noise, Synthetic};

use super::*;

/// Of every interval here.
const CONFIDENCE: f64 = 0.95;

/// Trials of each case.
const TRIALS: u32 = 1000;

/// The most that a rate of `TRIALS` may be off by chance: three standard deviations; the trials are the same on every
/// run.
fn chance(rate: f64) -> f64 {
    3.0 * (rate * (1.0 - rate) / f64::from(TRIALS)).sqrt()
}

/// In how many of the trials `holds` says yes, as a part of them.
fn rate(seed: u64, mut holds: impl FnMut(&mut Synthetic) -> bool) -> f64 {
    let mut times = Synthetic::new(seed);
    let yes = (0..TRIALS).filter(|_| holds(&mut times)).count();
    yes as f64 / f64::from(TRIALS)
}

fn contains(interval: Option<Interval>, value: f64) -> bool {
    interval.is_some_and(|interval| interval.low <= value && value <= interval.high)
}

const NOISES: [Noise; 5] = [
    Noise::Normal(0.01),
    Noise::LogNormal(0.3),
    Noise::HeavyTailed(0.01),
    Noise::ClockSteps,
    Noise::Ties,
];
const COUNTS: [usize; 3] = [6, 10, 30];

#[test]
fn intervals_hold_what_they_should_as_often_as_they_say() {
    println!("| noise | samples | median | paired | unpaired |");
    for noise in NOISES {
        for n in COUNTS {
            let truth = noise.median();
            let of_median = rate(1, |times| {
                contains(median_interval(&times.take(noise, n), CONFIDENCE), truth)
            });
            let of_pairs = rate(2, |times| {
                let (others, own) = times.pair(noise, n, 1.07, true);
                contains(paired(&others, &own, CONFIDENCE).and_then(|speed| speed.interval), 1.07)
            });
            let of_sets = rate(3, |times| {
                let (others, own) = times.pair(noise, n, 1.07, false);
                contains(unpaired(&others, &own, CONFIDENCE).and_then(|speed| speed.interval), 1.07)
            });
            println!("| {noise:?} | {n} | {of_median:.3} | {of_pairs:.3} | {of_sets:.3} |");
            for found in [of_median, of_pairs, of_sets] {
                assert!(found >= CONFIDENCE - chance(CONFIDENCE), "{noise:?}, {n}: {found}");
            }
        }
    }
}
