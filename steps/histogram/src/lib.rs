//! The ladder `histogram`: how often each of 256 values occurs. Threads that count the same value must
//! not lose each other's counts: where they meet is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/histogram/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Histogram, Plan, Step};

/// The ladder.
pub static LADDER: Steps<Histogram> = Steps::of(
    "histogram",
    &[GLOBAL, SHARED, ONE_VALUE, PER_WARP, MATCH_ANY, WIDE_LOADS, RUNS, PER_BANK, TWO_LOADS],
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// All threads count in the same bins.
pub const GLOBAL: Step = Step::first(
    "01-global",
    "Global atomics",
    "an atomic addition for each value",
    BLOCK,
    Plan::Resident,
);

/// The threads of a block count in bins of their own.
pub const SHARED: Step = Step {
    name: "02-shared",
    after: Some(GLOBAL.name),
    title: "Shared bins",
    changes: "bins of each block in shared memory",
    code: Code::Cuda { file: "02-shared", options: &[] },
    ..GLOBAL
};

/// A detour: threads do not stride over the values.
pub const ONE_VALUE: Step = Step {
    name: "02x-one-value",
    after: Some(SHARED.name),
    detour: true,
    title: "One value a thread",
    changes: "a thread for each value, without a loop",
    code: Code::Cuda { file: "02x-one-value", options: &[] },
    host: Plan::OneValue,
    ..SHARED
};

/// The lanes of a warp do.
pub const PER_WARP: Step = Step {
    name: "03-per-warp",
    after: Some(SHARED.name),
    title: "Bins per warp",
    changes: "bins of each warp in shared memory",
    code: Code::Cuda { file: "03-per-warp", options: &[] },
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..SHARED
};

/// A detour: lanes with the same value send one of them.
pub const MATCH_ANY: Step = Step {
    name: "03x-match-any",
    after: Some(PER_WARP.name),
    detour: true,
    title: "Match any",
    changes: "one addition for all lanes that have the same value",
    code: Code::Cuda { file: "03x-match-any", options: &[] },
    needs: (7, 0),
    ..PER_WARP
};

/// Sixteen values at once.
pub const WIDE_LOADS: Step = Step {
    name: "04-wide-loads",
    after: Some(PER_WARP.name),
    title: "Wide loads",
    changes: "16 values a load",
    code: Code::Cuda { file: "04-wide-loads", options: &[] },
    ..PER_WARP
};

/// A detour: equal neighbours are counted in a register.
pub const RUNS: Step = Step {
    name: "04x-runs",
    after: Some(WIDE_LOADS.name),
    detour: true,
    title: "Runs",
    changes: "a thread counts a run of equal values in a register",
    code: Code::Cuda { file: "04x-runs", options: &[] },
    ..WIDE_LOADS
};

/// A lane has its bins in its own bank.
pub const PER_BANK: Step = Step {
    name: "05-per-bank",
    after: Some(WIDE_LOADS.name),
    title: "Bins per bank",
    changes: "bins of each lane in a bank of its own, for all warps of a block",
    code: Code::Cuda { file: "05-per-bank", options: &[] },
    threads: Threads::Blocks { block: 512, stated: true },
    ..WIDE_LOADS
};

/// More bytes on their way.
pub const TWO_LOADS: Step = Step {
    name: "06-two-loads",
    after: Some(PER_BANK.name),
    title: "Two loads",
    changes: "two loads of 16 values at a time",
    code: Code::Cuda { file: "06-two-loads", options: &[] },
    ..PER_BANK
};
