//! What is verified of a step, and how it is judged.
//!
//! Accelerations at sizes around the edges of warps, blocks and tiles, there also single launches from
//! states of their own ([`single`]), then positions and velocities after a few time steps.

mod blocks;
mod bodies;
mod case;
mod compare;
mod judge;
#[cfg(test)]
mod mutants;
mod single;
mod sizes;
mod sums;
mod wholes;

pub use blocks::{MOST_SAMPLED, Ran, Sampled};
pub use bodies::{random_vectors, sample, verification_bodies};
pub use case::{Case, Forces, Start, Trajectory, judged};
pub use judge::{Compared, Drift, compared, judge_accelerations, judge_time_steps};
pub use single::{LATER, judge_advance, judge_force};
pub use sizes::{
    BOTH_EVALUATIONS, MOST_OF_ONE_THREAD, REPEATED, SCALED_SIZE, SIZES, TIME_STEP_SIZES, sizes,
    time_steps,
};
pub use sums::{SUM_SIZES, balanced, judge_sums};
pub use wholes::{judge_end, judge_wholes};

/// Sizes at which launches that are planned for one multiprocessor may differ from those for
/// [`MANY`]: of either list the first at which they do is verified.
///
/// Where groups of 64 or of 256 bodies stand in a ring, there is an odd number of them (17, 9), then an
/// even one (16, 8), and the last part of a walk is shorter than the others.
pub const PLANNED_SIZES: [&[u32]; 2] = [&[1060, 2053], &[1000, 1801, 2601]];

/// More multiprocessors than are filled at any of them.
pub const MANY: u32 = 1 << 16;

/// Bodies whose walks round the ring are verified undivided, as if there were no multiprocessor to divide them
/// for: 63 groups of 64 make walks of 32 rounds, as long as a part is with 131072 bodies on an H200; 16
/// groups of 256 make 9, more than the two of a part there.
pub const UNDIVIDED_WALKS: u32 = 4001;

/// Multiprocessors for which a launch is planned that makes whole time steps, and bodies of which they
/// have more than threads.
pub const PLANNED_WHOLES: (u32, u32) = (2, 2053);
