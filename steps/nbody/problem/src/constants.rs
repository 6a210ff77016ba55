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
    /// They are greater, up to four times the softening and one and a half time steps: tolerances
    /// are derived for the usual ones. Less softening would need more of them in close encounters,
    /// shorter time steps hide more of a body's way in the rounding of its position.
    pub(crate) fn drawn(seed: u64) -> Constants {
        let mut random = Random::new(seed);
        let mut between = |least: f32, most: f32| least + (most - least) * random.uniform() as f32;
        Constants { dtime: between(DTIME, 1.5 * DTIME), epssq: between(EPSSQ, 4.0 * EPSSQ) }
    }

    /// Half a time step: what velocities are advanced by.
    pub fn dthf(&self) -> f32 {
        self.dtime / 2.0
    }
}
