//! What a step computes with, and the roundings that it makes.

use ladder::Grid;

use super::Pulls;

/// What a step computes with.
#[derive(Debug, Clone, Copy)]
pub struct Arithmetic {
    /// How a pull is computed.
    pub terms: Terms,
    /// How pulls are added up: how many at a time, then how many of these sums, and so on. For the
    /// CPU `block` is the lanes of a vector and `multiprocessors` the number of threads.
    pub sums: fn(&Grid) -> Vec<Sum>,
}

/// How a pull is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    /// In f64.
    Double,
    /// In f32.
    Single,
    /// In f32 from an estimate of 1/r, whose error is taken out of the cube as a whole.
    Refined,
    /// As the difference of two moments, which tensor cores add up from halves.
    Moments,
    /// The same with distances as differences of squares, from halves too.
    Squares,
}

/// How so many numbers are added up, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// In f32: each addition rounds.
    Rounded(u32),
    /// Without a loss that counts: in f64, or in whole numbers.
    Exact(u32),
    /// The same in f32, with what rounding takes kept: sums that f32 holds come out exactly, and any
    /// other as if it were rounded once.
    Compensated(u32),
    /// In f32, so many numbers of which some are greater: their squares are together those of so many
    /// equal ones.
    Uneven(u32, u32),
}

/// Roundings of a pull in f32, in units of one rounding's variance.
///
/// 1/r is off by up to 2⁻²²·⁹ (PTX ISA, `rsqrt.approx.f32`; a root and a division are no better by
/// much), and counts three times in the cube: so 9 times in the variance. r² counts one and a half
/// times, and is made of three differences, three products and three additions. Products follow.
/// Seen with sums that lose nothing: 27, from 2 bodies to 4099.
const SINGLE: f64 = 27.0;

/// The same without a root: what is left is rounded a few times.
const REFINED: f64 = 12.0;

/// What moments lose as two halves each, in units of a rounding of a moment as great as the greatest
/// mass at a distance of 1.
///
/// Two halves have 22 bits. But a moment is at most a few times 1 in units of the greatest mass, so
/// that the second half is below 2⁻¹², where halves are subnormal or nearly: multiples of 2⁻²⁴. An
/// error anywhere within ±2⁻²⁵ has the variance 2⁻⁴⁸/12.
const HALVES: f64 = 0.46;

/// What a squared distance loses, in units of a rounding of the coordinates' products.
///
/// The second half of a coordinate x is at most 2⁻¹²·x, and rounded to 11 bits itself: a standard
/// deviation of 0.64·2⁻²⁴·x, which counts twice, for either body: 18 roundings. The product of both
/// second halves is left out: 11 more. An error of r² counts one and a half times in a pull: 65.
/// Seen: 76 to 84, since the products are cut off to 25 bits when they are added.
const COORDINATES: f64 = 80.0;

/// Products that a sum of moments stays in the tensor cores: two with distances in f32, the second
/// halves' and the first's; then four, the most by far, of partners' sums.
const STAYS: [f64; 2] = [2.0, 4.0];

/// What each of them takes from the sum, in units of a rounding: a result is cut off, so that up to
/// 2⁻²³ of it is missing, always to the same side; in the mean 0.72·2⁻²⁴, which is √3 roundings.
const CUT: f64 = 3.0;

impl Terms {
    /// Variance of what roundings of either sign make of all terms, in roundings.
    pub(super) fn roundings(self, pulls: &Pulls) -> f64 {
        let Pulls { terms, halves, coordinates, .. } = pulls;
        match self {
            Terms::Double => 0.0,
            Terms::Single => SINGLE * terms,
            Terms::Refined => REFINED * terms,
            Terms::Moments => SINGLE * terms + HALVES * halves,
            Terms::Squares => SINGLE * terms + HALVES * halves + COORDINATES * coordinates,
        }
    }

    /// Square of what leans to one side, in roundings.
    pub(super) fn lean(self, pulls: &Pulls) -> f64 {
        let stays = match self {
            Terms::Double | Terms::Single | Terms::Refined => return 0.0,
            Terms::Moments => STAYS[0],
            Terms::Squares => STAYS[1],
        };
        CUT * stays * stays * pulls.moment
    }
}

/// Bodies above which plain f32 sums stagnate: most terms are then less than half the distance between
/// the sum and its neighbouring f32, and are lost whole, all to the same side. Seen over clusters of
/// equal masses, as multiples of what random roundings make: 1.3 at 10⁶ bodies, 3.3 at 2²¹, 11 at
/// 2²², 41 at 2²³.
const STAGNATION: f64 = 1_048_576.0; // 2²⁰

/// Variance of what adding up makes, in roundings, of terms whose squares have this sum, where the
/// square of the result is `result`.
///
/// Of k terms of a sum of n, in any order, the square is expected to be k²/n² of the whole sum's, and
/// k/n·(1 − k/n) of what the terms' squares exceed that of n equal ones. Each addition rounds such a
/// part. Over all of them: n/3 of the whole sum's square and n/6 of the terms'. So a plain sum of
/// many terms is off by √(n/3) roundings, 0.25·√n·2⁻²⁴.
///
/// Where a sum is made of m others, each of these is an m-th of it, and besides has the terms that are
/// greater than others.
pub(super) fn summed(sums: &[Sum], result: f64, terms: f64) -> f64 {
    let parts = |count: f64| result / count + terms * (1.0 - 1.0 / count);
    let (mut roundings, mut count) = (result, 1.0); // the acceleration itself is an f32
    for &sum in sums.iter().rev() {
        let (Sum::Rounded(length)
        | Sum::Exact(length)
        | Sum::Compensated(length)
        | Sum::Uneven(length, _)) = sum;
        let length = f64::from(length.max(1));
        if let Sum::Rounded(_) | Sum::Uneven(..) = sum {
            let stagnation = 1.0 + (length / STAGNATION).powi(2);
            let walk = parts(count) / 3.0 + parts(count * length) / 6.0;
            roundings += stagnation.powi(2) * (length - 1.0) * walk;
        }
        count *= match sum {
            Sum::Uneven(_, like) => f64::from(like.max(1)),
            _ => length,
        };
    }
    roundings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Partial sums of numbers in many orders, against the formula.
    #[test]
    fn partial_sums_are_as_great_as_expected() {
        let mut random = Random::new(1);
        let mut terms: Vec<f64> =
            (0..100).map(|i| random.uniform() - f64::from(i % 3) * 0.4).collect();
        let sum: f64 = terms.iter().sum();
        let squares: f64 = terms.iter().map(|t| t * t).sum();
        let (mut seen, orders) = (0.0, 20_000);
        for _ in 0..orders {
            for i in 1..terms.len() {
                terms.swap(i, random.below(i + 1));
            }
            let mut partial = terms[0];
            for term in &terms[1..] {
                partial += term;
                seen += partial * partial / f64::from(orders);
            }
        }
        let expected = summed(&[Sum::Rounded(100)], sum * sum, squares) - sum * sum;
        assert!((seen / expected - 1.0).abs() < 0.05, "{seen} {expected}");
        let exact = summed(&[Sum::Exact(100)], sum * sum, squares);
        assert_eq!(exact, sum * sum, "only the result is rounded");
    }

    #[test]
    fn shorter_sums_lose_less_and_long_ones_stagnate() {
        let roundings = |sums: &[Sum]| summed(sums, 1.0, 0.0);
        let plain = roundings(&[Sum::Rounded(4096)]);
        assert!((plain / (4096.0 / 3.0) - 1.0).abs() < 0.01, "{plain}");
        let lanes = roundings(&[Sum::Rounded(128), Sum::Rounded(32)]);
        assert!(lanes < plain / 50.0, "{lanes}");
        let [half, twice] = [1 << 19, 1 << 21].map(|n| roundings(&[Sum::Rounded(n)]).sqrt());
        assert!(twice > 3.5 * 2.0 * half, "{half} {twice}");
    }
}
