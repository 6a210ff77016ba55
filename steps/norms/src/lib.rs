//! The ladder `norms`: each row of a matrix is moved to mean 0 and scaled to variance 1 (layer norm), or only scaled
//! (RMS norm), as between the layers of a model.
//!
//! The steps are here, the problem is in [`problem`], its rows in [`rows`]; the kernels are in `kernels/norms/`.

pub mod problem;
pub mod rows;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Long, Norms, Plan, Rows, Step, Written};

/// The ladder.
pub static LADDER: Steps<Norms> = Steps::of(
    "norms",
    &[NAIVE, BLOCK, MOMENTS, VECTORS, REGISTERS, WARP_ROWS, CLUSTERS, COPY, ROOT, RESIDUAL, TEAMS],
)
.not_modelled(&[(
    "03-moments",
    "how much of its divisions hides behind its loads, which the model takes for less than it is",
)]);

/// Three loops over each row.
const NAIVE: Step = Step::first(
    "01-naive",
    "Naive",
    "a thread for each row",
    128,
    Plan { rows: Rows::Threads, writes: Written::Layer },
);

/// Neighbours in a row.
const BLOCK: Step = Step {
    rewrite: Some("a block takes the place of a thread, and its threads add up their sums"),
    threads: Threads::Blocks { block: 256, stated: false },
    host: Plan { rows: Rows::Blocks, ..NAIVE.host },
    code: Code::Cuda { file: "02-block", options: &["--std=c++14"] },
    ..NAIVE.then("02-block", "Block", "a block for each row")
};

/// Two loops.
const MOMENTS: Step = Step {
    rewrite: Some("the rules for moments of elements and of parts are new"),
    ..BLOCK.then("03-moments", "Moments", "mean and variance in one pass")
};

/// Sixteen bytes an instruction.
const VECTORS: Step = Step {
    rewrite: Some("pieces of four elements take the place of elements"),
    ..MOMENTS.then("04-vectors", "Vectors", "four elements at a time")
};

/// One load and one store of each element.
const REGISTERS: Step = Step {
    host: Plan { rows: Rows::ByLength { warps: false, long: Long::Block }, ..NAIVE.host },
    ..VECTORS.then("05-registers", "Registers", "rows of up to 16384 elements stay in registers")
};

/// Short rows.
const WARP_ROWS: Step = Step {
    rewrite: Some("a kernel for short rows is new, and the others are included"),
    host: Plan { rows: Rows::ByLength { warps: true, long: Long::Block }, ..NAIVE.host },
    ..REGISTERS.then("06-warp-rows", "Warp rows", "a warp for each row of up to 1024 elements")
};

/// Long rows.
const CLUSTERS: Step = Step {
    rewrite: Some("a kernel for long rows is new, and the others are included"),
    needs: (9, 0),
    host: Plan { rows: Rows::ByLength { warps: true, long: Long::Cluster }, ..NAIVE.host },
    ..WARP_ROWS.then("07-clusters", "Clusters", "the blocks of a cluster share a long row")
};

/// What cannot be exceeded.
const COPY: Step = Step {
    rewrite: Some("a copy is no norm: nothing of it stays"),
    needs: (7, 0),
    host: Plan { rows: Rows::All, writes: Written::Copy },
    ..CLUSTERS.then("07x-copy", "Limit: a copy", "copies the elements instead")
};

/// No mean.
const ROOT: Step = Step {
    rewrite: Some("one sum takes the place of two, and no part is merged"),
    host: Plan { writes: Written::Root, ..CLUSTERS.host },
    ..CLUSTERS.then("08-rms", "RMS norm", "divides by the root mean square, without a mean")
};

/// One kernel instead of two.
const RESIDUAL: Step = Step {
    rewrite: Some("four kernels read and write one more matrix each"),
    host: Plan { writes: Written::Residual, ..CLUSTERS.host },
    ..ROOT.then("09-residual", "Residual", "adds another matrix first, and keeps the sums")
};

/// Work during the wait.
const TEAMS: Step = Step {
    rewrite: Some("blocks stay for many rows, which the copy engine brings and stores"),
    host: Plan { rows: Rows::ByLength { warps: true, long: Long::Team }, ..NAIVE.host },
    ..CLUSTERS.then(
        "10-teams",
        "Teams",
        "teams of blocks sum the long row after the next before they store one",
    )
};
