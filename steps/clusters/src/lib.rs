//! The ladder `clusters`: how often each of 65 536 values occurs. The bins take more shared memory than a block has, and the
//! blocks of a cluster have it together.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/clusters/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Function, Steps, Threads};

use problem::{Histogram, Place, Step};

/// The ladder.
pub static LADDER: Steps<Histogram> =
    Steps::of("clusters", &[GLOBAL, CLUSTER, HALVES, PACKED]).with_libraries(&[CUB]);

/// NVIDIA's.
const CUB: Step = Step::library(
    "cub",
    "CUB",
    "cub::DeviceHistogram::HistogramEven",
    Function::Cub { code: include_str!("../cub.cu"), arrays: &["in", "bins"] },
    Place::Global,
);

/// How kernels are compiled: they have lambda functions.
const fn code(file: &'static str) -> Code {
    Code::Cuda { file, options: &["--std=c++14"] }
}

/// Bins in global memory.
const GLOBAL: Step = Step {
    code: code("01-global"),
    ..Step::first(
        "01-global",
        "Global atomics",
        "an atomic addition for each value",
        256,
        Place::Global,
    )
};

/// Bins in the shared memory of two blocks.
const CLUSTER: Step = Step {
    code: code("02-cluster"),
    needs: (9, 0),
    threads: Threads::Blocks { block: 1024, stated: true },
    host: Place::Blocks { of: 2, is_cluster: true },
    ..GLOBAL.then("02-cluster", "Cluster", "two blocks count in each other's shared memory")
};

/// No additions far away.
const HALVES: Step = Step {
    code: code("03-halves"),
    needs: (7, 0),
    host: Place::Blocks { of: 2, is_cluster: false },
    ..CLUSTER.then(
        "03-halves",
        "Halves",
        "two blocks read the same values, and count half of their range each",
    )
};

/// Nothing twice.
const PACKED: Step = Step {
    code: code("04-packed"),
    host: Place::Packed,
    ..HALVES.then("04-packed", "Packed", "bins of 16 bits, so that a block has all of them")
};
