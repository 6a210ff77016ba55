//! What is the same for all bodies and in every time step.

use super::random::Random;

/// Length of a time step.
pub const DTIME: f32 = 0.025;

/// Square of the softening length 0.05: it keeps close encounters finite.
pub const EPSSQ: f32 = 0.0025;

/// The numbers that a simulation runs with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constants {
    /// Length of a time step.
    pub dtime: f32,
    /// Square of the softening length.
    pub epssq: f32,
}

impl Constants {
    /// What is timed.
    pub const USUAL: Constants = Constants { dtime: DTIME, epssq: EPSSQ };

    /// Others, for verification: a kernel that has the usual ones built in shows.
    ///
    /// They are greater, by 4 to 16 times the softening and up to one and a half time steps. With less
    /// softening the nearest pairs would decide what is found: how near they are differs from seed to
    /// seed, and code that takes differences of large products loses the more digits of such a pair's
    /// force, the nearer it is. Shorter time steps hide more of a body's way in the rounding of its
    /// position. Tolerances, derived for the usual constants, hold for these with room.
    pub(crate) fn drawn(seed: u64) -> Constants {
        let mut random = Random::new(seed);
        let mut between = |least: f32, most: f32| least + (most - least) * random.uniform() as f32;
        Constants { dtime: between(DTIME, 1.5 * DTIME), epssq: between(4.0 * EPSSQ, 16.0 * EPSSQ) }
    }

    /// Half a time step: what velocities are advanced by.
    pub fn dthf(&self) -> f32 {
        self.dtime / 2.0
    }
}
