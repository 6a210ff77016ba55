//! Random numbers that are the same on every system.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A stream of random numbers, decided by its seed.
pub(super) struct Random(ChaCha8Rng);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform in 0 ≤ x < 1, a multiple of 2⁻⁵³.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * 2f64.powi(-53)
    }

    /// A direction, all equally likely.
    pub(super) fn direction(&mut self) -> Direction {
        Direction { height: self.uniform(), turn: self.uniform() }
    }

    /// Uniform in 0 ≤ x < `end`; `end` is at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        // 2⁵³ exceeds any number of bodies so far that no index is favoured noticeably.
        ((self.uniform() * end as f64) as usize).min(end - 1)
    }
}

/// A direction as it is drawn, both numbers uniform in 0 ≤ x < 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction {
    height: f64,
    turn: f64,
}

impl Direction {
    /// The vector of this length.
    pub(super) fn vector(self, length: f64) -> [f64; 3] {
        let z = (1.0 - 2.0 * self.height) * length;
        let across = (length * length - z * z).max(0.0).sqrt();
        // The standard library's sine and cosine differ between systems in their last bit.
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * self.turn);
        [across * cosine, across * sine, z]
    }
}
