//! The ladder `histogram`: how often each of 256 values occurs. Threads that count the same value must
//! not lose each other's counts: where they meet is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/histogram/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Function, Steps, Threads};

use problem::{Histogram, Plan, Step};

/// The ladder.
pub static LADDER: Steps<Histogram> = Steps::of(
    "histogram",
    &[GLOBAL, SHARED, ONE_VALUE, PER_WARP, MATCH_ANY, WIDE_LOADS, RUNS, PER_BANK, TWO_LOADS],
)
.with_libraries(&[CUB]);

/// NVIDIA's.
const CUB: Step = Step::library(
    "cub",
    "CUB",
    "cub::DeviceHistogram::HistogramEven",
    Function::Cub { code: include_str!("../cub.cu"), arrays: &["in", "bins"] },
    Plan::Resident,
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// All threads count in the same bins.
const GLOBAL: Step = Step::first(
    "01-global",
    "Global atomics",
    "an atomic addition for each value",
    BLOCK,
    Plan::Resident,
);

/// The threads of a block count in bins of their own.
const SHARED: Step = GLOBAL.then("02-shared", "Shared bins", "bins of each block in shared memory");

/// A detour: threads do not stride over the values.
const ONE_VALUE: Step = Step {
    host: Plan::OneValue,
    ..SHARED.then("02x-one-value", "One value a thread", "a thread for each value, without a loop")
};

/// The lanes of a warp do.
const PER_WARP: Step = Step {
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..SHARED.then("03-per-warp", "Bins per warp", "bins of each warp in shared memory")
};

/// A detour: lanes with the same value send one of them.
const MATCH_ANY: Step = Step {
    needs: (7, 0),
    ..PER_WARP.then(
        "03x-match-any",
        "Match any",
        "one addition for all lanes that have the same value",
    )
};

/// Sixteen values at once.
const WIDE_LOADS: Step = PER_WARP.then("04-wide-loads", "Wide loads", "16 values a load");

/// A detour: equal neighbours are counted in a register.
const RUNS: Step =
    WIDE_LOADS.then("04x-runs", "Runs", "a thread counts a run of equal values in a register");

/// A lane has its bins in its own bank.
const PER_BANK: Step = Step {
    threads: Threads::Blocks { block: 512, stated: true },
    ..WIDE_LOADS.then(
        "05-per-bank",
        "Bins per bank",
        "bins of each lane in a bank of its own, for all warps of a block",
    )
};

/// More bytes on their way.
const TWO_LOADS: Step =
    PER_BANK.then("06-two-loads", "Two loads", "two loads of 16 values at a time");
