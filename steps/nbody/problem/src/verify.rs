//! What is verified of a step, and how it is judged.
//!
//! Accelerations at sizes around the edges of warps, blocks and tiles, there also single launches from
//! states of their own ([`single`]), then positions and velocities after a few time steps.

mod bodies;
mod case;
mod judge;
#[cfg(test)]
mod mutants;
mod single;
mod sizes;
mod wholes;

pub use bodies::{random_vectors, sample, verification_bodies};
pub use case::{Case, Forces, Start, Trajectory, judged};
pub use judge::{Compared, Drift, compared, judge_accelerations, judge_time_steps};
pub use single::{LATER, judge_advance, judge_force};
pub use sizes::{
    BOTH_EVALUATIONS, MOST_OF_ONE_THREAD, REPEATED, SIZES, TIME_STEP_SIZES, sizes, time_steps,
};
pub use wholes::{judge_end, judge_wholes};

/// Multiprocessors for which launches are planned, too.
pub const FEW: [u32; 2] = [1, 2];

/// More multiprocessors than are filled at [`PLANNED_SIZES`].
pub const MANY: u32 = 1 << 16;

/// Sizes at which launches may differ that are planned for [`FEW`] multiprocessors and for [`MANY`]:
/// of those at which they do, the first is verified.
pub const PLANNED_SIZES: [u32; 4] = [1000, 1801, 2053, 2601];
