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

use ladder::Steps;

use precision::Precision;
use problem::{Gemm, Plan, Step};

/// The ladder.
pub static LADDER: Steps<Gemm> = Steps::of("gemm", &[NAIVE, COALESCED, SHARED_TILE]);

/// Rows and columns of C that a block of 32 × 32 threads computes.
const TILE_32: Plan =
    Plan { precision: Precision::Fp32, tile: [32, 32], threads: [32, 32], shared_bytes: 0 };

/// The three loops, of which two are threads.
const NAIVE: Step = Step::first("01-naive", "Naive", "a thread for each element", 1024, TILE_32);

/// Neighbours in a row.
const COALESCED: Step =
    NAIVE.then("02-coalesced", "Coalesced", "a warp computes 32 elements of a row");

/// Each element of A and B is loaded once for 32 results.
const SHARED_TILE: Step =
    COALESCED.then("03-shared-tile", "Shared tile", "tiles of A and B in shared memory");
