//! `f64` operations rounded towards zero or to one side, from the CPU's operations to nearest.
//!
//! The nearest number is at hand, and so is the sign of what it lacks, from transformations without error: the exact result
//! lies between the nearest number and one of its neighbours, and the rounding chooses one of the two. Numbers near the ends
//! of the range, for which a part of an exact result could be lost, and results of zero, whose sign depends on the rounding,
//! are left to [`super::softfloat`].

use super::Rounding;

/// Zero, or a magnitude from 2⁻⁴⁸⁰ to 2⁴⁸⁰: products, quotients and what they lack are in the range of normal numbers.
#[inline(always)]
fn is_ordinary(a: f64) -> bool {
    const LEAST: f64 = f64::from_bits((1023 - 480) << 52);
    const MOST: f64 = f64::from_bits((1023 + 480) << 52);
    (LEAST..=MOST).contains(&a.abs()) | (a == 0.0)
}

/// A magnitude up to 2¹⁰⁰⁰: sums do not overflow, and those of subnormal numbers are exact.
#[inline(always)]
fn is_not_huge(a: f64) -> bool {
    const MOST: f64 = f64::from_bits((1023 + 1000) << 52);
    a.abs() <= MOST
}

/// Knuth's TwoSum: the nearest number to a + b, and what it lacks.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    let of_a = sum - of_b;
    (sum, (a - of_a) + (b - of_b))
}

/// The upper and the lower half of the bits (Veltkamp).
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * a; // 2²⁷ + 1
    let upper = scaled - (scaled - a);
    (upper, a - upper)
}

/// Dekker's product: the nearest number to a · b, and what it lacks.
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a, a_low), (b, b_low)) = (split(a), split(b));
    (product, a_low * b_low - (((product - a * b) - a_low * b) - a * b_low))
}

/// What `rounding` chooses, where the exact result is `nearest`, or a little more or less as the sign of `lacks` says.
#[inline(always)]
fn choose(nearest: f64, lacks: f64, rounding: Rounding) -> f64 {
    let up = match rounding {
        Rounding::Nearest => return nearest,
        Rounding::Zero => nearest < 0.0,
        Rounding::Down => false,
        Rounding::Up => true,
    };
    let moves = if up { lacks > 0.0 } else { lacks < 0.0 };
    // Adding 1 to the bits moves away from zero.
    let away = if up == (nearest < 0.0) { u64::MAX } else { 1 };
    f64::from_bits(nearest.to_bits().wrapping_add(if moves { away } else { 0 }))
}

/// a + b.
#[inline(always)]
pub(super) fn add(a: f64, b: f64, rounding: Rounding) -> Option<f64> {
    let (sum, lacks) = two_sum(a, b);
    let is_exact = is_not_huge(a) & is_not_huge(b) & (sum != 0.0);
    is_exact.then(|| choose(sum, lacks, rounding))
}

/// a · b.
#[inline(always)]
pub(super) fn mul(a: f64, b: f64, rounding: Rounding) -> Option<f64> {
    let (product, lacks) = two_product(a, b);
    (is_ordinary(a) & is_ordinary(b)).then(|| choose(product, lacks, rounding))
}

/// a · b + c, not to nearest, by the exact sum of Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
/// algorithms using rounding to odd", 2008.
#[inline(always)]
pub(super) fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> Option<f64> {
    let (product, product_lacks) = two_product(a, b);
    let (low, lowest) = two_sum(c, product_lacks);
    let (high, middle) = two_sum(product, low);
    // Exact: high + middle + lowest = sum + lacks + small_lacks.
    let (small, small_lacks) = two_sum(middle, lowest);
    let (sum, lacks) = two_sum(high, small);
    let is_known = (small_lacks == 0.0) | (lacks.abs() > small_lacks.abs());
    let is_exact = is_ordinary(a) & is_ordinary(b) & is_not_huge(c) & is_known & (sum != 0.0);
    is_exact.then(|| choose(sum, lacks, rounding))
}

/// a / b.
#[inline(always)]
pub(super) fn div(a: f64, b: f64, rounding: Rounding) -> Option<f64> {
    let quotient = a / b;
    let (product, product_lacks) = two_product(quotient, b);
    // Both differences are exact: the remainder has no more bits than b.
    let remainder = (a - product) - product_lacks;
    let lacks = if b < 0.0 { -remainder } else { remainder };
    let is_exact = is_ordinary(a) & is_ordinary(b) & (a != 0.0) & (b != 0.0);
    is_exact.then(|| choose(quotient, lacks, rounding))
}

/// √a.
#[inline(always)]
pub(super) fn sqrt(a: f64, rounding: Rounding) -> Option<f64> {
    let root = a.sqrt();
    let (square, square_lacks) = two_product(root, root);
    (is_ordinary(a) & (a > 0.0)).then(|| choose(root, (a - square) - square_lacks, rounding))
}

#[cfg(test)]
mod tests {
    use super::super::softfloat;
    use super::*;

    const ROUNDINGS: [Rounding; 3] = [Rounding::Zero, Rounding::Down, Rounding::Up];

    /// SplitMix64.
    fn bits(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number with a magnitude around 1, of any bits or of few.
    fn number(state: &mut u64) -> f64 {
        let fraction = match bits(state) % 3 {
            0 => 1 << (bits(state) % 52),
            _ => bits(state) & ((1 << 52) - 1),
        };
        f64::from_bits(bits(state) << 63 | (1003 + bits(state) % 40) << 52 | fraction)
    }

    #[test]
    fn ordinary_numbers_get_the_bits_of_integer_arithmetic() {
        let mut state = 7;
        let mut left = 0;
        for n in 0..30_000 {
            let (a, b) = (number(&mut state), number(&mut state));
            // An addend that nearly cancels the product, one that nearly is half a unit of it, or any.
            let c = match n % 3 {
                0 => f64::from_bits((-(a * b)).to_bits() ^ (bits(&mut state) % 4)),
                1 => a * b * [1.1e-16, -2.2e-16, 9.0e15][bits(&mut state) as usize % 3],
                _ => number(&mut state),
            };
            for rounding in ROUNDINGS {
                let exact = |a, b, c| softfloat::fma(a, b, c, rounding).to_bits();
                let is = |quick: Option<f64>, exact: u64| {
                    let Some(quick) = quick else { return false };
                    assert_eq!(quick.to_bits(), exact, "{rounding:?} {a:e} {b:e} {c:e}");
                    true
                };
                assert!(is(mul(a, b, rounding), exact(a, b, 0.0_f64.copysign(a * b))));
                assert!(is(div(a, b, rounding), softfloat::div(a, b, 0.0, rounding).to_bits()));
                assert!(is(
                    sqrt(a.abs(), rounding),
                    softfloat::sqrt(a.abs(), 0.0, rounding).to_bits()
                ));
                left += u32::from(!is(add(a, c, rounding), exact(a, 1.0, c)));
                left += u32::from(!is(fma(a, b, c, rounding), exact(a, b, c)));
            }
        }
        assert!(left < 1000, "{left} sums of 180000 were left to integer arithmetic");
    }

    #[test]
    fn numbers_near_the_ends_of_the_range_are_left_to_integer_arithmetic() {
        let (tiny, huge) = (f64::MIN_POSITIVE, f64::MAX);
        for rounding in ROUNDINGS {
            for end in [tiny, huge, tiny / 8.0, f64::INFINITY, f64::NAN] {
                assert_eq!(mul(end, 1.5, rounding), None);
                assert_eq!(div(1.5, end, rounding), None);
                assert_eq!(fma(1.5, end, 1.0, rounding), None);
                assert_eq!(sqrt(end, rounding), None);
            }
            assert_eq!(add(huge, 1.0, rounding), None);
            assert_eq!(
                add(1.5, -1.5, rounding),
                None,
                "a zero, whose sign depends on the rounding"
            );
            assert_eq!(fma(1.5, 2.0, -3.0, rounding), None);
            assert_eq!(div(0.0, 2.0, rounding), None);
            assert_eq!(sqrt(-1.0, rounding), None);
        }
    }
}
