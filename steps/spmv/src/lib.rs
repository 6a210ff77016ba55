//! The ladder `spmv`: the product of a sparse matrix and a vector.
//!
//! The steps are here, the problem is in [`problem`], the matrices in [`matrix`], and the formats in which steps hold them in
//! [`formats`]. The kernels are in `kernels/spmv/`.

pub mod formats;
pub mod matrix;
pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Function, Steps, Threads};

use problem::{Plan, Spmv, Step};

/// The ladder.
pub static LADDER: Steps<Spmv> = Steps::of(
    "spmv",
    &[NAIVE, WARP_ROWS, EIGHT_LANES, MERGE, TILES, READING, COLUMNS, SLICES, SORTED],
)
.not_modelled(&[
    ("01-naive", LONGEST_ROW),
    ("02-warp-rows", LONGEST_ROW),
    ("02x-eight-lanes", LONGEST_ROW),
    (
        "03-merge",
        "how long its additions to the same rows wait for each other, which the model takes for longer than they do",
    ),
    (
        "06-slices",
        "how long its warps wait for their loads, which the model takes for longer than they do",
    ),
])
.with_libraries(&[CUSPARSE]);

/// Why steps that give a row to a few lanes have no modelled time.
const LONGEST_ROW: &str =
    "how long the longest row is, for which all else waits: that of a sample is shorter";

/// NVIDIA's.
const CUSPARSE: Step = Step::library(
    "cusparse",
    "cuSPARSE",
    "cusparseSpMV of a matrix in CSR",
    Function::Cub {
        code: include_str!("../cusparse.cu"),
        arrays: &["starts", "columns", "values", "x", "y"],
    },
    Plan::Rows { lanes: 1 },
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// A loop over a row.
const NAIVE: Step =
    Step::first("01-naive", "Naive", "a thread for each row", BLOCK, Plan::Rows { lanes: 1 });

/// Neighbours of a row.
const WARP_ROWS: Step = Step {
    host: Plan::Rows { lanes: 32 },
    ..NAIVE.then("02-warp-rows", "Warp rows", "a warp for each row")
};

/// As many lanes as rows have use for.
const EIGHT_LANES: Step = Step {
    host: Plan::Rows { lanes: 8 },
    ..WARP_ROWS.then("02x-eight-lanes", "Eight lanes", "eight lanes for each row")
};

/// The same for each thread, whatever the rows are.
const MERGE: Step = Step {
    rewrite: Some("threads have equal shares of elements and rows, and no rows of their own"),
    reproducible: false,
    threads: Threads::Blocks { block: BLOCK, stated: true },
    host: Plan::Shares { items: 7 },
    ..WARP_ROWS.then("03-merge", "Merge", "an equal share of elements and rows for each thread")
};

/// Neighbours are loaded together.
const TILES: Step = Step {
    rewrite: Some("a kernel finds the shares of blocks, and threads divide them in shared memory"),
    host: Plan::Tiles,
    ..MERGE.then("04-tiles", "Tiles", "products of a block's share in shared memory")
};

/// What cannot be exceeded in this format.
const READING: Step = Step {
    rewrite: Some("nothing is multiplied: only the loads stay"),
    reproducible: true,
    host: Plan::Reading,
    ..TILES.then("04x-reading", "Limit: reading", "adds up the words of the matrix")
};

/// Another order in memory.
const COLUMNS: Step = Step {
    reproducible: false,
    host: Plan::Columns,
    ..NAIVE.then("05-columns", "Columns", "first elements of all rows, then second ones (ELL)")
};

/// Fewer zeros to fill up with.
const SLICES: Step = Step {
    host: Plan::Slices { sorted: false },
    ..COLUMNS.then("06-slices", "Slices", "each 32 rows are as long as their longest")
};

/// Fewer still.
const SORTED: Step = Step {
    host: Plan::Slices { sorted: true },
    ..SLICES.then("07-sorted", "Sorted", "rows of similar length share a slice")
};
