//! How far f32 arithmetic may be from f64, and why that far.
//!
//! Not a bound, which is never met and would let a lost body pass, but what roundings of either sign
//! add up to: each source of error has a variance, which follows from what a step computes with
//! ([`Arithmetic`]) and from the bodies at hand ([`Pulls`]). The tolerance is a small multiple of its
//! root. `cargo run -p nbody-ladder --example tolerances` shows how much is used of it, for any step,
//! size and number of seeds.

mod arithmetic;
mod pulls;

use ladder::Grid;
use ladder::judge::Tolerance;

pub use arithmetic::{Arithmetic, Sum, Terms};
pub use pulls::Pulls;

/// Half the distance between 1 and the next f32: the greatest relative error of one rounding.
pub(crate) const ROUNDING: f64 = 1.0 / 16_777_216.0; // 2⁻²⁴

/// Variance of one rounding, relative to the square of what is rounded: that of an error anywhere
/// within ±2⁻²⁴·2ᵉ, 2⁻⁴⁸·4ᵉ/3, where numbers in [2ᵉ, 2ᵉ⁺¹) are as frequent as their logarithms.
const VARIANCE: f64 = 0.18 * ROUNDING * ROUNDING;

/// What is allowed over the expected rms error: half as much again for what the variances leave out
/// (masses that are heavy where lanes begin, say).
const ROOM: f64 = 1.55;

/// What is allowed over an error that leans to one side.
const LEAN: f64 = 3.0;

/// An [`Arithmetic`] for a number of bodies and a GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    terms: Terms,
    sums: Vec<Sum>,
}

#[cfg(test)]
impl Precision {
    /// Of plain f32 sums of `n` terms.
    pub(crate) fn plain(n: usize) -> Precision {
        Precision { terms: Terms::Single, sums: vec![Sum::Rounded(n as u32)] }
    }
}

/// What results may be off.
#[derive(Debug, Clone, PartialEq)]
pub struct Allowed {
    /// All of them.
    pub tolerance: Tolerance,
    /// Each by itself, in absolute terms: less than the worst for most.
    pub each: Vec<f64>,
}

/// The errors of one result, squared, and in absolute terms.
#[derive(Debug, Clone, Copy, Default)]
struct Error {
    /// Variance of what has either sign.
    random: f64,
    /// Square of what leans to one side.
    lean: f64,
}

impl Precision {
    /// What a step computes with, where it is launched so.
    pub fn new(arithmetic: &Arithmetic, grid: &Grid) -> Precision {
        Precision { terms: arithmetic.terms, sums: (arithmetic.sums)(grid) }
    }

    /// What accelerations may be off.
    ///
    /// A body of least mass lost by a single other one makes an error in that one's acceleration that
    /// exceeds it, with verification bodies and plain sums in f32.
    pub fn accelerations(&self, expected: &[[f64; 3]], pulls: &[Pulls]) -> Allowed {
        allowed(expected, &self.errors(expected, pulls))
    }

    /// What changes of position and velocity may be off after so many time steps of a length, and the
    /// accelerations at their end. `changes` are those that are expected; `start` are the positions
    /// and velocities before, `pulls` those before and at the end.
    ///
    /// A position is rounded at every step, to 2⁻²⁴ of itself; a velocity three times. Accelerations
    /// are off by themselves at each step, and since bodies are not where they should be. Over k steps
    /// of length h their errors change velocities by √k·h and positions by √(k³/3)·h² of one; what
    /// bodies out of place do to velocities grows from step to step, to √(k³/3)·h of what one rounding
    /// of positions does.
    pub fn time_steps(
        &self,
        (steps, dtime): (u32, f32),
        changes: [&[[f64; 3]]; 3],
        start: [&[[f64; 3]]; 2],
        pulls: [&[Pulls]; 2],
    ) -> [Allowed; 3] {
        let (steps, time) = (f64::from(steps), f64::from(dtime));
        let [before, after] = pulls.map(|pulls| self.errors(changes[2], pulls));
        let displaced = |i: usize, by: f64| VARIANCE * by * pulls[1][i].displaced;
        let moved = |values: &[[f64; 3]], roundings: f64, by: f64, of_place: f64| {
            let error = |i: usize| Error {
                random: VARIANCE * roundings * square(values[i])
                    + by * f64::midpoint(before[i].random, after[i].random)
                    + displaced(i, of_place),
                lean: steps * by * before[i].lean,
            };
            (0..values.len()).map(error).collect::<Vec<Error>>()
        };
        let cube = steps.powi(3);
        let positions = moved(start[0], steps, cube / 3.0 * time.powi(4), 0.0);
        let velocities =
            moved(start[1], 3.0 * steps, steps * time.powi(2), cube / 3.0 * time.powi(2));
        let out_of_place = |(i, error): (usize, &Error)| Error {
            random: error.random + displaced(i, steps),
            ..*error
        };
        let accelerations: Vec<Error> = after.iter().enumerate().map(out_of_place).collect();
        [
            allowed(changes[0], &positions),
            allowed(changes[1], &velocities),
            allowed(changes[2], &accelerations),
        ]
    }

    fn errors(&self, expected: &[[f64; 3]], pulls: &[Pulls]) -> Vec<Error> {
        let error = |(a, pulls): (&[f64; 3], &Pulls)| {
            let summed = arithmetic::summed(&self.sums, square(*a), pulls.terms);
            Error {
                random: VARIANCE * (self.terms.roundings(pulls) + summed),
                lean: VARIANCE * self.terms.lean(pulls),
            }
        };
        expected.iter().zip(pulls).map(error).collect()
    }
}

/// What results with these errors may be off, relative to the expected ones.
///
/// The rms is near its expected value, the nearer the more bodies have their part in it. The worst of
/// N such bodies is more than √(22 + 2 ln N) of its standard deviations off, were errors normal, once
/// in about 10⁶ times. That holds for each by itself, too, with the same room as for the rms; but where
/// its variance is less than that of most, it is added to theirs, since something else may count then.
fn allowed(expected: &[[f64; 3]], errors: &[Error]) -> Allowed {
    let total: f64 = expected.iter().map(|r| square(*r)).sum();
    if total == 0.0 {
        return Allowed { tolerance: Tolerance::EXACT, each: vec![0.0; expected.len()] };
    }
    let mean = total / expected.len() as f64;
    let all = |of: fn(f64) -> f64| errors.iter().map(|it| of(it.random + it.lean)).sum::<f64>();
    let (sum, squares) = (all(|it| it), all(|it| it * it));
    let count = sum * sum / squares;
    let most = |count: f64, error: &Error| {
        (22.0 + 2.0 * count.ln()) * error.random + LEAN * LEAN * error.lean
    };
    let relative = |(r, error): (&[f64; 3], &Error)| most(count, error) / square(*r).max(mean);
    let worst = expected.iter().zip(errors).map(relative).fold(0.0, f64::max).sqrt();
    let each: Vec<f64> = errors.iter().map(|error| most(errors.len() as f64, error)).collect();
    let mut sorted = each.clone();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    Allowed {
        tolerance: Tolerance {
            rms: ROOM * Tolerance::of_deviation((sum / total).sqrt(), count).rms,
            worst,
        },
        each: each.iter().map(|own| ROOM * (own + median).sqrt()).collect(),
    }
}

fn square(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum()
}
