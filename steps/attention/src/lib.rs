//! The ladder `attention`: for each query the mean of the rows of V, weighted by a softmax of the query's products with the
//! rows of K.
//!
//! The steps are here; the kernels are in `kernels/attention/`.
//!
//! ```text
//! problem      options, sizes, the figure of merit
//!   └ plan        launches of a step
//!   └ data        queries, keys and values, and the reference of some rows of the result
//! ```

mod data;
pub mod plan;
pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Function, Steps, Threads};

use plan::Plan;
use problem::{Attention, Step};

/// The ladder.
pub static LADDER: Steps<Attention> = Steps::of(
    "attention",
    &[
        NAIVE,
        ONLINE,
        TENSOR_CORES,
        MATRIX_LOADS,
        ASYNC_COPIES,
        TWO_PRODUCTS,
        SKIP,
        LAZY,
        WARP_GROUPS,
        THREE_GROUPS,
        OVERLAP,
        PING_PONG,
        PERSISTENT,
        EXCHANGE,
    ],
)
.with_libraries(&[CUDNN])
.not_modelled(&[
    (
        "02-online",
        "how little the L1 cache keeps of what its parent's threads read, each in a row of its own",
    ),
    (
        "10-overlap",
        "how much of its exponentials runs beside its products, which the model takes for as much as in its parent",
    ),
]);

/// What the steps are compared with.
const CUDNN: Step = Step::library(
    "cudnn",
    "cuDNN BF16",
    "one kernel for a graph of operations, the fastest of those that it proposes",
    Function::Cudnn,
    Plan::Cudnn,
);

/// Three loops that we know.
const NAIVE: Step = Step {
    needs: (8, 0), // numbers of BF16
    ..Step::first(
        "01-naive",
        "Naive",
        "three kernels: scores, their softmax, weighted sums",
        256,
        Plan::ThreeKernels,
    )
};

/// No scores in memory.
const ONLINE: Step = Step {
    rewrite: Some("one kernel takes the place of three, and rescales what it has"),
    code: Code::Cuda { file: "02-online", options: &["--std=c++14"] },
    threads: Threads::Blocks { block: 128, stated: false },
    host: Plan::Fused { queries: 32, threads: 128, shared_rows: 0 },
    ..NAIVE.then("02-online", "Online", "one kernel; four lanes go through the keys with a query")
};

/// Other units.
const TENSOR_CORES: Step = Step {
    rewrite: Some("warps multiply small matrices, and tiles of keys are in shared memory"),
    host: Plan::Fused { queries: 64, threads: 128, shared_rows: 0 },
    ..ONLINE.then("03-tensor-cores", "Tensor cores", "both products; weights stay in registers")
};

/// Fragments by one instruction.
const MATRIX_LOADS: Step = Step {
    rewrite: Some("tiles have another order, in which both products load their factors"),
    ..TENSOR_CORES.then(
        "04-matrix-loads",
        "Matrix loads",
        "`ldmatrix` loads four matrices of 8 × 8 elements",
    )
};

/// Copies while it multiplies.
const ASYNC_COPIES: Step = Step {
    host: Plan::Fused { queries: 64, threads: 128, shared_rows: 4 * KEYS },
    ..MATRIX_LOADS.then("05-async-copies", "Asynchronous copies", "the next tiles come meanwhile")
};

/// Twice as much for each load.
const TWO_PRODUCTS: Step = Step {
    rewrite: Some("a warp has two parts of 16 queries, and Q is in shared memory"),
    host: Plan::Fused { queries: 128, threads: 128, shared_rows: 4 * KEYS + 128 },
    ..ASYNC_COPIES.then("06-two-products", "Two products", "32 queries for each warp")
};

/// Half of the tiles.
const SKIP: Step =
    TWO_PRODUCTS.then("07-skip", "Skip", "no tiles beyond what a block's queries see");

/// Fewer multiplications.
const LAZY: Step = SKIP.then("08-lazy", "Lazy", "rescales only if scores grow by more than 8");

/// Hopper's own instructions.
const WARP_GROUPS: Step = Step {
    rewrite: Some(
        "the copy engine and other instructions take the place of copies, loads and products",
    ),
    needs: (9, 0),
    threads: Threads::Blocks { block: 3 * plan::THREADS, stated: false },
    host: Plan::Mapped { groups: 2, persistent: false },
    ..LAZY.then(
        "09-warp-groups",
        "Warp groups",
        "the copy engine fills tiles, and four warps multiply from shared memory",
    )
};

/// More queries for each key.
const THREE_GROUPS: Step = Step {
    threads: Threads::Blocks { block: 4 * plan::THREADS, stated: false },
    host: Plan::Mapped { groups: 3, persistent: false },
    ..WARP_GROUPS.then("09x-three-groups", "Three groups", "192 queries for each block")
};

/// Products while weights are computed.
const OVERLAP: Step = Step {
    ..WARP_GROUPS.then(
        "10-overlap",
        "Overlap",
        "the next scores are begun before the sums, and computed during the softmax",
    )
};

/// One group multiplies, the other one does not.
const PING_PONG: Step =
    OVERLAP.then("11-ping-pong", "Ping-pong", "two groups of warps take turns to multiply");

/// No ends of blocks.
const PERSISTENT: Step = Step {
    rewrite: Some("both roles go through tiles of queries, one after the other"),
    host: Plan::Mapped { groups: 2, persistent: true },
    ..PING_PONG.then(
        "12-persistent",
        "Persistent blocks",
        "a block has several tiles of queries, and copies ahead across them",
    )
};

/// Wide stores.
const EXCHANGE: Step = Step {
    rewrite: Some("results pass other lanes before they are stored"),
    ..PERSISTENT.then(
        "13-exchange",
        "Exchange",
        "neighbouring lanes exchange results, and store eight at a time",
    )
};

/// Keys of a tile: `KEYS` in the kernels.
const KEYS: u32 = 64;
