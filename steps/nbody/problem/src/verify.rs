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

pub use bodies::{random_vectors, sample, verification_bodies};
pub use case::{Case, Forces, Start, TIME_STEPS, Trajectory};
pub use judge::{Compared, Drift, compared, judge_accelerations, judge_time_steps};
pub use single::{LATER, judge_advance, judge_force};

/// Sizes at which accelerations are verified: around the 4 bodies by which compilers unroll a loop,
/// both sides of a warp's and of a block's edge, two full blocks, a size that is no multiple of
/// anything, and a prime with many tiles; that one not by a single thread of a GPU, which has no
/// tiles and would take seconds for it.
pub const SIZES: [u64; 14] = [1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 512, 1000, 4099];

/// More of them on several GPUs: primes, and around 32 bodies for each of eight.
pub const SHARED_SIZES: [u64; 4] = [7, 127, 263, 2003];

/// Above this many bodies a slow step takes seconds: there the later force evaluation stands for
/// the first as well.
pub const BOTH_EVALUATIONS: u64 = 1000;

/// Where two evaluations are compared bit by bit, with warps in different orders where the device
/// can choose.
pub const REPEATED: u64 = 1000;

/// Sizes at which positions and velocities after [`TIME_STEPS`] time steps are verified.
pub const TIME_STEP_SIZES: [u64; 2] = [257, 1000];
