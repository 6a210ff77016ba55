//! How far f32 arithmetic may be from f64, and why that far.

use ladder::judge::Tolerance;

use crate::step::F32_BITS;

/// Half the distance between 1 and the next f32: the greatest relative error of one rounding.
pub(crate) const ROUNDING: f64 = 1.0 / 16_777_216.0; // 2⁻²⁴

/// What accelerations of `n` bodies may be off.
///
/// A sum of n terms makes n roundings of either sign, which add up as a random walk: the error
/// grows as √n·2⁻²⁴. (The bound n·2⁻²⁴ is never met, and would let a lost body pass.) Seen of f32
/// sums over all pairs, with exact or approximate `rsqrt`, fused or not, on the verification
/// bodies and on clusters: rms (0.24 … 0.31)·√n·2⁻²⁴ from n = 255 to 10⁶ (9.4e-7 at 4099, 5.2e-6 at
/// 131 072), and of the worst body up to 1.05·√n·2⁻²⁴. The tolerances are about twice that. A term
/// itself is off by a few roundings whatever n is, at n = 32 up to 5 of them in the rms and 11 in
/// the worst body: hence a constant share, again about twice.
///
/// What it catches: a verification body of least mass lost by all others changes the rms by
/// 3.5e-4 at n = 4099, where 2.4e-6 is allowed; lost by a single other one, that one's error is
/// 2.0e-5, where 8.6e-6 is allowed.
///
/// Above 2²⁰ bodies a second error outgrows the walk: sums stagnate. Most terms are then less than
/// half the distance between the sum and its neighbouring f32, and are lost whole, all to the same
/// side. Seen of plain f32 sums over clusters of equal masses, as multiples of √n·2⁻²⁴: rms 0.27 at
/// 2²⁰ bodies, 0.83 at 2²¹ (7e-5), 2.8 at 2²², 10 at 2²³ (1.7e-3); so the walk's share grows with
/// the square of n/2²⁰ there. A kernel that sums tile by tile has no such error. At these sizes a
/// lost body is beyond what the timed cluster can show; the verification sizes show it.
///
/// Where a term is computed with fewer significant bits than the 24 of f32 (see
/// [`crate::Host::bits`]), it is off by so much more.
pub fn acceleration_tolerance(n: usize, bits: u32) -> Tolerance {
    let term = f64::from(F32_BITS.saturating_sub(bits)).exp2();
    let stagnation = (n as f64 / STAGNATION).max(1.0).powi(2);
    let walk = (n as f64).sqrt() * stagnation;
    Tolerance {
        rms: (8.0 * term + 0.5 * walk) * ROUNDING,
        worst: (16.0 * term + 2.0 * walk) * ROUNDING,
    }
}

/// Bodies above which plain f32 sums stagnate noticeably.
const STAGNATION: f64 = 1_048_576.0; // 2²⁰

/// What the changes of position and velocity of `n` bodies over a few time steps may be off, and
/// the accelerations at their end.
///
/// A position near 1 is rounded at every step to 2⁻²⁴ of itself, which is 25·2⁻²⁴ of the way that
/// the verification bodies go in three steps (worst body: 80), whatever n is; to that comes the
/// error of the accelerations. Twice what is seen is allowed. A velocity that is not corrected, a
/// step twice as long or a body left behind is off by a hundredth or more.
pub fn time_step_tolerance(n: usize, bits: u32) -> Tolerance {
    let acceleration = acceleration_tolerance(n, bits);
    Tolerance {
        rms: acceleration.rms + 56.0 * ROUNDING,
        worst: acceleration.worst + 160.0 * ROUNDING,
    }
}
