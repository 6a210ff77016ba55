//! Verdicts on differences that are known, or known not to be there.

use super::*;

/// A way to compare, and whether it can bear a drift that both times share.
type Way = (&'static str, fn(&[f64], &[f64], f64) -> Option<Speed>, bool);
const WAYS: [Way; 2] = [("paired", paired, true), ("unpaired", unpaired, false)];

/// How often samples of something `ratio` times as fast get this verdict, for each effect.
fn said<const EFFECTS: usize>(
    expected: Verdict,
    (_, compare, bears_drift): Way,
    (noise, n): (Noise, usize),
    ratio: f64,
    effects: [f64; EFFECTS],
) -> [f64; EFFECTS] {
    let mut times = Synthetic::new(5);
    let mut counts = [0.0; EFFECTS];
    for _ in 0..TRIALS {
        let (others, own) = times.pair(noise, n, ratio, bears_drift);
        let speed = compare(&others, &own, CONFIDENCE).expect("times");
        for (count, effect) in counts.iter_mut().zip(effects) {
            *count += f64::from(u8::from(verdict(speed, effect) == expected));
        }
    }
    counts.map(|count| count / f64::from(TRIALS))
}

/// Two times that are equally long are called different in 5% of all cases at most; where 1% does
/// not count and noise is no wider than that, hardly ever.
#[test]
fn what_is_equal_is_seldom_called_different() {
    for way in WAYS {
        for noise in NOISES.into_iter().chain([Noise::Normal(0.003)]) {
            for n in COUNTS {
                let equal = said(Verdict::NoDifference, way, (noise, n), 1.0, [0.0, 0.01]);
                let [all, counted] = equal.map(|equal| 1.0 - equal);
                let case = format!("{}, {noise:?}, {n}: {all:.4}, {counted:.4}", way.0);
                println!("{case}");
                assert!(all <= 0.05 + chance(0.05), "{case}");
                assert!(counted <= 0.005 || matches!(noise, Noise::LogNormal(_)), "{case}");
            }
        }
    }
}

/// The table in the documentation of [`verdict`]: samples, noise, and how often a difference of 2%,
/// 5% and 20% is found in pairs, then without.
const FOUND: [(usize, f64, [f64; 3], [f64; 3]); 6] = [
    (6, 0.003, [0.94, 1.0, 1.0], [1.0, 1.0, 1.0]),
    (6, 0.01, [0.19, 0.98, 1.0], [0.29, 1.0, 1.0]),
    (12, 0.003, [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
    (12, 0.01, [0.43, 1.0, 1.0], [0.6, 1.0, 1.0]),
    (24, 0.003, [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
    (24, 0.01, [0.64, 1.0, 1.0], [0.9, 1.0, 1.0]),
];

#[test]
fn known_differences_are_found() {
    for (n, deviation, in_pairs, without) in FOUND {
        for (way, expected) in WAYS.into_iter().zip([in_pairs, without]) {
            let found = [1.02, 1.05, 1.2].map(|ratio| {
                let noise = Noise::Normal(deviation);
                let [faster] = said(Verdict::Faster, way, (noise, n), ratio, [0.01]);
                let [slower] = said(Verdict::Slower, way, (noise, n), 1.0 / ratio, [0.01]);
                assert!((faster - slower).abs() <= 2.0 * chance(0.5), "{faster} and {slower}");
                faster
            });
            println!("{}, {n}, {deviation}: {found:.3?}", way.0);
            for (found, expected) in found.into_iter().zip(expected) {
                let off = (found - expected).abs();
                assert!(off <= 0.005 + chance(expected), "{}, {n}: {found}", way.0);
            }
        }
    }
}

#[test]
fn wide_noise_says_no_difference() {
    for way in WAYS {
        for n in COUNTS {
            for ratio in [1.02, 1.0 / 1.02] {
                let noise = Noise::LogNormal(0.3);
                let [none] = said(Verdict::NoDifference, way, (noise, n), ratio, [0.01]);
                assert!(none >= 0.95 - chance(0.05), "{}, {n}: {none}", way.0);
            }
        }
    }
}

/// For all of many intervals to hold at once, each is longer.
#[test]
fn many_intervals_hold_at_once() {
    const ROWS: usize = 10;
    let each = each_of(ROWS, CONFIDENCE);
    assert!((each - 0.995).abs() < 1e-12);
    for n in [10, 30] {
        for (name, compare, bears_drift) in WAYS {
            let all = |confidence: f64| {
                rate(9, |times| {
                    (0..ROWS).all(|_| {
                        let (others, own) = times.pair(Noise::Normal(0.01), n, 1.07, bears_drift);
                        let speed = compare(&others, &own, confidence).expect("times");
                        contains(speed.interval, 1.07)
                    })
                })
            };
            let (corrected, plain) = (all(each), all(CONFIDENCE));
            println!("{name}, {n}: {corrected:.3} of all at once, {plain:.3} uncorrected");
            assert!(corrected >= CONFIDENCE - chance(CONFIDENCE), "{name}, {n}: {corrected}");
            assert!(plain < 0.9, "{name}, {n}: {plain}");
        }
    }
}

/// Times that no clock tells.
#[test]
fn odd_times_are_compared_without_panic() {
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY, 5e-324, f64::MAX] {
        let (ones, others) = ([odd; 7], [1.0; 7]);
        for (_, compare, _) in WAYS {
            let _ = compare(&ones, &others, CONFIDENCE).map(|speed| verdict(speed, 0.01));
        }
        let plausible = odd > 0.0 && odd.is_finite();
        assert_eq!(unpaired(&ones, &others, CONFIDENCE).is_some(), plausible, "{odd}");
    }
    assert_eq!(unpaired(&[], &[1.0], CONFIDENCE), None);
    assert_eq!(paired(&[], &[], CONFIDENCE), None);
}
