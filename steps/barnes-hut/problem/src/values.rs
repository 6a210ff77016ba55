//! The numbers that a time step runs with, and the reference that does.

use nbody::{Bodies, Constants, DTIME, EPSSQ, Reference};

/// The numbers that a time step runs with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Values {
    /// Side of a cell by distance, from which on it is opened.
    pub(crate) theta: f32,
    /// Length of a time step.
    pub(crate) dtime: f32,
    /// Square of the softening length.
    pub(crate) epssq: f32,
}

/// A limit of errors, which follows θ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorLimit {
    /// Where θ is 0.5.
    pub at_half: f32,
    /// The power of θ with which it grows.
    pub power: i32,
}

impl ErrorLimit {
    /// The limit at a θ.
    pub(crate) fn at(self, theta: f32) -> f32 {
        self.at_half * (2.0 * theta).powi(self.power)
    }
}

impl Values {
    /// What is timed.
    pub(crate) fn usual(theta: f32) -> Values {
        Values { theta, dtime: DTIME, epssq: EPSSQ }
    }

    /// Others: a kernel that has the usual ones built in shows.
    pub(crate) fn drawn(seed: u64) -> Values {
        let share =
            |bits: u64| (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> bits & 0xff) as f32 / 255.0;
        Values {
            theta: 0.4 + 0.4 * share(56),
            dtime: DTIME * (1.0 + 0.5 * share(48)),
            epssq: EPSSQ * (1.0 + 3.0 * share(40)),
        }
    }

    /// 1/θ², as kernels get it.
    pub(crate) fn opening(&self) -> f32 {
        1.0 / (self.theta * self.theta)
    }
}

/// Bodies in f64.
pub(crate) fn reference(bodies: &Bodies, values: Values) -> Reference {
    let Values { dtime, epssq, .. } = values;
    Reference::new(bodies).with(Constants { dtime, epssq })
}
