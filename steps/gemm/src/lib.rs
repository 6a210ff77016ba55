//! The ladder `gemm`: C = α A B + β C, the product of two matrices, scaled and added to a third.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/gemm/`.
//!
//! ```text
//! problem      shapes, data, launches
//!   └ plan        launches of a step
//!   └ precision   types of the elements that are multiplied, and how far off their products may be
//!   └ matrices    random elements, the reference of some elements
//!   └ residues    Freivalds' check of all elements
//! libraries    cuBLAS, which the steps are compared with
//! ```

pub mod libraries;
mod matrices;
pub mod plan;
pub mod precision;
pub mod problem;
mod residues;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use plan::Plan;
use precision::Precision;
use problem::{Gemm, Step};

/// The ladder.
pub static LADDER: Steps<Gemm> = Steps::of(
    "gemm",
    &[
        NAIVE,
        COALESCED,
        SHARED_TILE,
        COLUMN,
        BLOCK,
        BLOCK_SPLIT,
        PADDING,
        VECTORS,
        SWIZZLE,
        TWO_BUFFERS,
        ASYNC_COPIES,
        WARP_TILES,
        SPLIT,
        TENSOR_CORES,
        SIXTEEN_BITS,
        MATRIX_LOADS,
        STAGES,
        STAGES_TF32,
        STAGES_FP16,
        EPILOGUE,
        WGMMA,
        PRODUCER,
        PERSISTENT,
        EXCHANGE,
        CLUSTERS,
        FP8,
        PROMOTION,
    ],
)
.not_modelled(&[(
    "22x-promotion",
    "how long tensor cores wait while sums are added, of which the model hides too much behind the other warps' products",
)])
.with_libraries(libraries::ALL);

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
    rewrite: Some("the loop over own rows becomes two, and what is loaded has other threads"),
    threads: Threads::Blocks { block: 256, stated: false },
    host: Plan::of(Precision::Fp32, [128, 128], [256, 1]),
    ..COLUMN.then("05-block", "Block", "8 × 8 elements for each thread")
};

/// More blocks where there are few tiles.
const BLOCK_SPLIT: Step = Step {
    host: Plan { split: true, ..BLOCK.host },
    ..BLOCK.then("05x-split", "Split sums", "several blocks for a tile where there are few tiles")
};

/// No tests in the loop.
const PADDING: Step = Step {
    rewrite: Some("a kernel that copies comes before, and no load has a test"),
    host: Plan { padded: Some(8), ..BLOCK.host },
    ..BLOCK.then("06-padding", "Padding", "A and B are padded to whole tiles first")
};

/// Sixteen bytes an instruction.
const VECTORS: Step = Step {
    rewrite: Some(
        "all loads and stores are of four elements, and rows of A are columns of its tile",
    ),
    ..PADDING.then("07-vectors", "Vectors", "four neighbours at a time; A's tile is transposed")
};

/// No bank conflicts.
const SWIZZLE: Step = VECTORS.then(
    "08-swizzle",
    "Swizzle",
    "elements of A's tile in an order without bank conflicts",
);

/// Loads while it multiplies.
const TWO_BUFFERS: Step = Step {
    rewrite: Some("tiles are fetched for the next round, and stored after this one"),
    ..SWIZZLE.then("09-two-buffers", "Two buffers", "the next tiles come while these are used")
};

/// Less through registers.
const ASYNC_COPIES: Step = Step {
    needs: (8, 0),
    ..TWO_BUFFERS.then("10-async-copies", "Asynchronous copies", "B's tile passes no register")
};

/// More results for each load from shared memory.
const WARP_TILES: Step = Step {
    rewrite: Some("threads have other rows and columns, and load ahead what they multiply"),
    code: Code::Cuda { file: "11-warp-tiles", options: &["--std=c++14"] }, // it has lambda functions
    threads: Threads::Blocks { block: 128, stated: false },
    host: Plan { threads: [128, 1], ..ASYNC_COPIES.host },
    ..ASYNC_COPIES.then(
        "11-warp-tiles",
        "Warp tiles",
        "64 × 64 elements for each warp, 8 × 16 for each thread",
    )
};

/// All multiprocessors, whatever the shape.
const SPLIT: Step = Step {
    host: Plan { split: true, ..WARP_TILES.host },
    ..WARP_TILES.then(
        "12-split",
        "Split sums",
        "several blocks for a tile where there are few tiles",
    )
};

/// Other units.
const TENSOR_CORES: Step = Step {
    rewrite: Some("warps multiply small matrices instead of numbers"),
    library: Some(libraries::TF32),
    threads: Threads::Blocks { block: 256, stated: false },
    host: Plan { padded: Some(16), ..Plan::of(Precision::Tf32, [128, 128], [256, 1]) },
    ..SPLIT.then(
        "13-tensor-cores",
        "Tensor cores",
        "products of 16 × 8 and 8 × 8 elements, in TF32",
    )
};

/// Half the bytes.
const SIXTEEN_BITS: Step = Step {
    rewrite: Some("elements have another type, and pairs of them lie in a register"),
    library: Some(libraries::BF16),
    host: Plan { precision: Precision::Bf16, padded: Some(32), ..TENSOR_CORES.host },
    ..TENSOR_CORES.then("14-sixteen-bits", "Sixteen bits", "factors of BF16")
};

/// Fragments by one instruction.
const MATRIX_LOADS: Step = SIXTEEN_BITS.then(
    "15-matrix-loads",
    "Matrix loads",
    "`ldmatrix` loads four matrices of 8 × 8 elements",
);

/// Large tiles, of which two are on their way.
const STAGES: Step = Step {
    rewrite: Some("three tiles in dynamic shared memory take the place of two buffers"),
    host: Plan {
        tile: [256, 128],
        padded: Some(64),
        shared_bytes: 3 * 48 * 1024,
        ordered: true,
        ..MATRIX_LOADS.host
    },
    ..MATRIX_LOADS.then(
        "16-stages",
        "Stages",
        "three tiles in shared memory, 64 × 64 elements for each warp",
    )
};

/// The same with more bits.
const STAGES_TF32: Step = Step {
    rewrite: Some("elements have another type, and the product is that of the transposes"),
    library: Some(libraries::TF32),
    host: Plan { precision: Precision::Tf32, padded: Some(32), ..STAGES.host },
    ..STAGES.then("16x-tf32", "TF32", "the same with factors of TF32")
};

/// The same with three more bits and a smaller range.
const STAGES_FP16: Step = Step {
    code: Code::Cuda { file: "16-stages", options: &["--std=c++14", "-DFP16"] },
    library: Some(libraries::FP16),
    host: Plan { precision: Precision::Fp16, ..STAGES.host },
    ..STAGES.then("16x-fp16", "FP16", "the same with factors of FP16")
};

/// Whole rows.
const EPILOGUE: Step = STAGES.then(
    "17-epilogue",
    "Epilogue",
    "sums go through shared memory, so that a warp stores whole rows",
);

/// Hopper's own instructions.
const WGMMA: Step = Step {
    rewrite: Some(
        "the copy engine and other instructions take the place of copies, loads and products",
    ),
    needs: (9, 0),
    host: Plan { shared_bytes: 4 * 48 * 1024, maps: true, ..EPILOGUE.host },
    ..EPILOGUE.then(
        "18-wgmma",
        "Warp groups",
        "the copy engine fills tiles, and four warps multiply from shared memory",
    )
};

/// Threads that copy, and threads that multiply.
const PRODUCER: Step = Step {
    threads: Threads::Blocks { block: 384, stated: false },
    host: Plan { threads: [384, 1], ..WGMMA.host },
    ..WGMMA.then(
        "19-producer",
        "Producer",
        "some warps only have tiles copied, the others only multiply",
    )
};

/// No ends of blocks.
const PERSISTENT: Step = Step {
    rewrite: Some("both roles go through tiles of C, one after the other"),
    host: Plan { persistent: true, ..PRODUCER.host },
    ..PRODUCER.then(
        "20-persistent",
        "Persistent blocks",
        "a block computes several tiles, and copies ahead across them",
    )
};

/// Wide stores.
const EXCHANGE: Step = PERSISTENT.then(
    "21-exchange",
    "Exchange",
    "neighbouring lanes exchange sums, and store four at a time",
);

/// Tiles for two blocks.
const CLUSTERS: Step = Step {
    rewrite: Some(
        "copies and barriers are those of two blocks, which meet at the beginning and at the end",
    ),
    host: Plan { cluster: 2, ..EXCHANGE.host },
    ..EXCHANGE.then("21x-clusters", "Clusters", "two blocks share the copies of B's tiles")
};

/// Half the bytes again.
const FP8: Step = Step {
    rewrite: Some("elements have another type, B lies column by column, and blocks are clusters"),
    library: Some(libraries::FP8),
    host: Plan { precision: Precision::Fp8, ..CLUSTERS.host },
    ..EXCHANGE.then("22-fp8", "FP8", "factors of eight bits, twice as many products at once")
};

/// More bits.
const PROMOTION: Step = Step {
    host: Plan { precision: Precision::Fp8InParts, ..FP8.host },
    ..FP8.then("22x-promotion", "Promotion", "sums of 128 terms are added up as floats")
};
