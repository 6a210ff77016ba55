//! The ladder `stencil`: two steps of the heat equation in a box, each point from itself and its six neighbours.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/stencil/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Axis, Plan, Stencil, Step};

/// The ladder.
pub static LADDER: Steps<Stencil> =
    Steps::of("stencil", &[NAIVE, NEIGHBOURS, COPY, COLUMN, PLANE, VECTORS, TWO_STEPS]);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Lanes have neighbours that are far apart in memory.
const NAIVE: Step = Step::first(
    "01-naive",
    "Naive",
    "a thread for each point, neighbouring lanes along z",
    BLOCK,
    Plan::Points(Axis::Z),
);

/// Lanes have neighbours in memory.
const NEIGHBOURS: Step = Step {
    host: Plan::Points(Axis::X),
    ..NAIVE.then("02-neighbours", "Neighbours", "neighbouring lanes along x")
};

/// What cannot be exceeded by one step at a time.
const COPY: Step = Step {
    host: Plan::Copy,
    ..NEIGHBOURS.then("02x-copy", "Limit: a copy", "copies all points twice instead")
};

/// Three points of a column stay in registers.
const COLUMN: Step = Step {
    host: Plan::Columns,
    ..NEIGHBOURS.then("03-column", "Column", "a thread goes along z, and keeps three points")
};

/// Neighbours by shared memory.
const PLANE: Step = COLUMN.then("03x-plane", "Plane", "neighbours of a plane from shared memory");

/// Sixteen bytes an instruction.
const VECTORS: Step = Step {
    code: Code::Cuda { file: "04-vectors", options: &["--std=c++14"] },
    host: Plan::Vectors,
    ..COLUMN.then("04-vectors", "Vectors", "four neighbours at a time")
};

/// Points are read once for two steps.
const TWO_STEPS: Step = Step {
    rewrite: Some("a thread has four rows instead, and a plane of each step is in shared memory"),
    host: Plan::Together,
    ..VECTORS.then("05-two-steps", "Two steps", "both steps in one sweep")
};
