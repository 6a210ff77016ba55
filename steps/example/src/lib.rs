//! The ladder `example`: a scaled array plus another one.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/example/`.

pub mod problem;

use ladder::Steps;

use problem::{Problem, Step};

/// The ladder.
pub static LADDER: Steps<Problem> = Steps::of("example", &[NAIVE]);

/// A thread for each element.
const NAIVE: Step = Step::first("01-naive", "Naive", "a thread for each element", 256, ());

// A size, at most `SIZES.simulated`, and what `work` counts for it: the bytes of 1000 elements in three arrays.
#[cfg(test)]
ladder::tests!(expect_simulated(&LADDER, 1000, 12_000.0, &[]));
