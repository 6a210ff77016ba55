//! The ladder `histogram`: how often each of 256 values occurs. Threads that count the same value must
//! not lose each other's counts: where they meet is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/histogram/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::Histogram;

/// A step of this ladder.
pub type Step = ladder::Step;

/// The ladder.
pub static LADDER: Steps<Histogram> = Steps::of("histogram", &[GLOBAL, SHARED, PER_WARP]);

/// Threads of a block.
const BLOCK: u32 = 256;

/// All threads count in the same bins.
pub const GLOBAL: Step =
    Step::first("01-global", "Global atomics", "an atomic addition for each value", BLOCK, ());

/// The threads of a block count in bins of their own.
pub const SHARED: Step = Step {
    name: "02-shared",
    after: Some(GLOBAL.name),
    title: "Shared bins",
    changes: "bins of each block in shared memory",
    code: Code::Cuda { file: "02-shared", options: &[] },
    ..GLOBAL
};

/// The lanes of a warp do.
pub const PER_WARP: Step = Step {
    name: "03-per-warp",
    after: Some(SHARED.name),
    title: "Bins per warp",
    changes: "bins of each warp in shared memory",
    code: Code::Cuda { file: "03-per-warp", options: &[] },
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..SHARED
};
