//! The ladder `transpose`: a matrix whose rows become columns. Nothing is computed: how the memory is
//! accessed is all there is.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/transpose/`.

mod matrix;
pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::Transpose;

/// A step of this ladder.
pub type Step = ladder::Step;

/// The ladder.
pub static LADDER: Steps<Transpose> =
    Steps::of("transpose", &[NAIVE, TILED, PADDED, SEVERAL_ELEMENTS]);

/// A thread for each element; reads rows, writes columns.
pub const NAIVE: Step = Step::first(
    "01-naive",
    "Naive",
    "a thread for each element",
    problem::TILE * problem::TILE,
    (),
);

/// Rows on both sides, through shared memory.
pub const TILED: Step = Step {
    name: "02-tiled",
    after: Some(NAIVE.name),
    title: "Tiled",
    changes: "tiles of 32 × 32 elements in shared memory",
    code: Code::Cuda { file: "02-tiled", options: &[] },
    ..NAIVE
};

/// No bank conflicts.
pub const PADDED: Step = Step {
    name: "03-padded",
    after: Some(TILED.name),
    title: "Padded",
    changes: "rows of the tile 33 words long",
    code: Code::Cuda { file: "03-padded", options: &[] },
    ..TILED
};

/// Several loads of a thread at once.
pub const SEVERAL_ELEMENTS: Step = Step {
    name: "04-several-elements",
    after: Some(PADDED.name),
    title: "Several elements",
    changes: "four elements a thread",
    code: Code::Cuda { file: "04-several-elements", options: &[] },
    threads: Threads::Blocks { block: problem::TILE * 8, stated: false },
    ..PADDED
};
