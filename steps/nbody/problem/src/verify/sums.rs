//! Sums by themselves, of steps that keep what rounding takes from them.
//!
//! Among any other bodies the roundings of terms hide those of sums. Here some bodies are at one place,
//! and all others at a distance of exactly 1 from it, softening included, with masses of few digits:
//! no pull on the bodies there is rounded. All are multiples of one number that f32 keeps in a sum of
//! few of them, not of many. So what rounding takes from a sum is such a multiple too, and is kept
//! without a loss: the result is the true sum, rounded once.

use ladder::judge::{Mismatch, Tolerance};

use super::case::Forces;
use super::compare::{Judged, acceleration_of, check_stray};
use crate::bodies::Bodies;
use crate::constants::Constants;
use crate::random::Random;
use crate::simulation::State;

/// Sizes at which sums are judged: many, since what is lost last shows in one of four.
pub const SUM_SIZES: [u64; 16] =
    [129, 134, 139, 144, 149, 154, 159, 164, 169, 174, 179, 184, 189, 194, 199, 204];

/// Of each axis bodies are half a unit away, so that with a softening of this they are 1 away.
const EPSSQ: f32 = 0.25;

/// Masses are 2²² to 2²³ of these.
const UNIT: f32 = 1.0 / 1_073_741_824.0; // 2⁻³⁰

/// `n` bodies, of which two neighbours of each 32 are judged. The others pull them to one side; but in
/// four sizes of [`SUM_SIZES`] along the first axis, in four along the second and in four along the
/// third, every other one pulls to the other side. Such a sum all but vanishes where a warp's last two
/// lanes meet: whatever was lost before shows.
pub fn balanced(n: usize, seed: u64) -> Forces {
    let mut random = Random::new(seed ^ n as u64);
    let balanced_axis = SUM_SIZES.iter().position(|&size| size == n as u64).unwrap_or(0) % 4;
    let (mut bodies, mut targets) = (Bodies::with_capacity(n), Vec::new());
    let mut sum = [0.0; 3];
    for i in 0..n {
        let mass = ((1 << 22) + random.below(1 << 22)) as f32 * UNIT;
        let position = if i / 2 % 16 == 5 {
            targets.push(i);
            [0.0; 3]
        } else {
            std::array::from_fn(|axis| if axis == balanced_axis && i % 2 == 1 { -0.5 } else { 0.5 })
        };
        for (sum, x) in sum.iter_mut().zip(position) {
            *sum += f64::from(mass) * f64::from(x);
        }
        bodies.push(mass, position, [0.0; 3]);
    }
    let constants = Constants { epssq: EPSSQ, ..Constants::USUAL };
    let expected = vec![sum.map(|x| f64::from(x as f32)); targets.len()];
    Forces { bodies, constants, seed, targets, expected, pulls: Vec::new() }
}

/// Judges the sums: each must have the bits of the true one.
///
/// # Errors
/// [`Mismatch`].
pub fn judge_sums(case: &Forces, state: &State) -> Result<(), Mismatch> {
    let n = case.bodies.len();
    check_stray(n, state)?;
    let got: Vec<[f64; 3]> = case.targets.iter().map(|&i| acceleration_of(state, i)).collect();
    let quantity = "accelerations, of pulls that are not rounded, by compensated sums";
    let judged = Judged { quantity, n, targets: &case.targets };
    judged.check(&got, &case.expected, Tolerance::EXACT).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reference;
    use ladder::problem::SEED;

    const LANES: usize = 32;

    /// What is lost: by adding a term, or by adding sums of lanes so far apart.
    #[derive(Clone, Copy, PartialEq)]
    enum Lost {
        Nothing,
        OfTerms,
        OfLanes(usize),
        /// What the other lane has kept.
        OfOther(usize),
    }

    /// A sum as a warp computes it: of terms by lanes, then of lanes.
    fn compensated(terms: impl Iterator<Item = f32>, lost: Lost) -> f32 {
        let mut sums = [(0.0f32, 0.0f32); LANES];
        for (j, term) in terms.enumerate() {
            let (high, low) = &mut sums[j % LANES];
            let term = term + *low;
            let total = *high + term;
            *low = if lost == Lost::OfTerms { 0.0 } else { term - (total - *high) };
            *high = total;
        }
        for apart in [16, 8, 4, 2, 1] {
            let before = sums;
            for (lane, (high, low)) in sums.iter_mut().enumerate() {
                let (other, kept) = before[lane ^ apart];
                let kept = if lost == Lost::OfOther(apart) { *low } else { kept };
                let total = *high + other;
                let of_other = total - *high;
                let error = (*high - (total - of_other)) + (other - of_other);
                *low = *low + kept + if lost == Lost::OfLanes(apart) { 0.0 } else { error };
                *high = total;
            }
        }
        sums[0].0 + sums[0].1
    }

    fn judged(n: usize, seed: u64, lost: Lost) -> Result<(), Mismatch> {
        let case = balanced(n, seed);
        let Bodies { mass, position, .. } = &case.bodies;
        let sum = |axis: &Vec<f32>| compensated(mass.iter().zip(axis).map(|(m, x)| m * x), lost);
        let acceleration = position.each_ref().map(|axis| vec![sum(axis); n]);
        judge_sums(&case, &State { bodies: case.bodies.clone(), acceleration, stray: None })
    }

    #[test]
    fn no_pull_is_rounded() {
        for n in SUM_SIZES {
            let case = balanced(n as usize, SEED);
            let exact = Reference::new(&case.bodies).with(case.constants);
            let exact = exact.accelerations(&case.targets);
            assert!(case.targets.len() >= 8);
            let rounded: Vec<[f64; 3]> =
                exact.iter().map(|a| a.map(|x| f64::from(x as f32))).collect();
            assert_eq!(case.expected, rounded);
        }
    }

    #[test]
    fn compensated_sums_pass_and_whatever_they_lose_is_found() {
        let fails = |seed, lost| {
            SUM_SIZES.iter().filter(|&&n| judged(n as usize, seed, lost).is_err()).count()
        };
        for seed in 0..20 {
            assert_eq!(fails(seed, Lost::Nothing), 0, "seed {seed}");
            assert!(fails(seed, Lost::OfTerms) > 0, "seed {seed}");
            for apart in [16, 8, 4, 2, 1] {
                assert!(fails(seed, Lost::OfLanes(apart)) > 0, "seed {seed}, {apart} lanes apart");
                assert!(fails(seed, Lost::OfOther(apart)) > 0, "seed {seed}, {apart} lanes apart");
            }
        }
    }
}
