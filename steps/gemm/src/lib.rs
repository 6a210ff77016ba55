//! The ladder `gemm`: C = α A B + β C, the product of two matrices, scaled and added to a third.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/gemm/`.
//!
//! ```text
//! problem      shapes, data, launches
//!   └ precision   types of the elements that are multiplied, and how far off their products may be
//!   └ matrices    random elements, the reference of some elements
//!   └ residues    Freivalds' check of all elements
//! ```

mod matrices;
pub mod precision;
pub mod problem;
mod residues;
#[cfg(test)]
mod tests;

use ladder::{Steps, Threads};

use precision::Precision;
use problem::{Gemm, Plan, Step};

/// The ladder.
pub static LADDER: Steps<Gemm> =
    Steps::of("gemm", &[NAIVE, COALESCED, SHARED_TILE, COLUMN, BLOCK, SPLIT]);

/// The three loops, of which two are threads.
const NAIVE: Step = Step::first(
    "01-naive",
    "Naive",
    "a thread for each element",
    1024,
    Plan::of(Precision::Fp32, [32, 32], [32, 32]),
);

/// Neighbours in a row.
const COALESCED: Step =
    NAIVE.then("02-coalesced", "Coalesced", "a warp computes 32 elements of a row");

/// Each element of A and B is loaded once for 32 results.
const SHARED_TILE: Step =
    COALESCED.then("03-shared-tile", "Shared tile", "tiles of A and B in shared memory");

/// An element of B in a register.
const COLUMN: Step = Step {
    threads: Threads::Blocks { block: 512, stated: false },
    host: Plan::of(Precision::Fp32, [64, 64], [512, 1]),
    ..SHARED_TILE.then("04-column", "Column", "eight elements of a column for each thread")
};

/// Elements of both in registers.
const BLOCK: Step = Step {
    threads: Threads::Blocks { block: 256, stated: false },
    host: Plan::of(Precision::Fp32, [128, 128], [256, 1]),
    ..COLUMN.then("05-block", "Block", "8 × 8 elements for each thread")
};

/// More blocks where there are few tiles.
const SPLIT: Step = Step {
    host: Plan { split: true, ..BLOCK.host },
    ..BLOCK.then("05x-split", "Split sums", "several blocks for a tile where there are few tiles")
};
