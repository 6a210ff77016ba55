//! The ladder `scan`: the sum of each element and all before it. Blocks depend on the results of others: how they
//! learn these, and how often that moves every element through memory, is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/scan/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Function, Steps, Threads};

use problem::{Host, Plan, Scan, Step};

/// The ladder.
pub static LADDER: Steps<Scan> =
    Steps::of("scan", &[BLOCKS, SHUFFLES, ROWS, SUMS_FIRST, CHAINED, LOOK_BACK, ROUNDS, AHEAD])
        .with_libraries(&[CUB])
        .not_modelled(&[(
            "07-ahead",
            "how long the step before waits for what its blocks tell each other",
        )]);

/// NVIDIA's.
const CUB: Step = Step::library(
    "cub",
    "CUB",
    "cub::DeviceScan::InclusiveSum",
    Function::Cub { code: include_str!("../cub.cu"), arrays: &["in", "out"] },
    Host { per_thread: 1, plan: Plan::OneLaunch },
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Blocks scan in shared memory; their sums are scanned alike.
const BLOCKS: Step = Step {
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..Step::first(
        "01-blocks",
        "Blocks",
        "blocks in shared memory, then their sums alike",
        BLOCK,
        Host { per_thread: 1, plan: Plan::AddAfter },
    )
};

/// Warps scan in registers.
const SHUFFLES: Step = Step {
    rewrite: Some("the scan of a block becomes two functions, for warps and for their sums"),
    ..BLOCKS.then("02-shuffles", "Shuffles", "warps by shuffles, two barriers")
};

/// Threads have sixteen elements.
const ROWS: Step = Step {
    rewrite: Some(
        "loads and stores of four elements become functions that know the end of the array",
    ),
    threads: Threads::Blocks { block: 512, stated: true },
    host: Host { per_thread: 16, plan: Plan::AddAfter },
    ..SHUFFLES.then("03-rows", "Rows", "sixteen elements a thread, in four rows of its warp")
};

/// Elements are written once.
const SUMS_FIRST: Step = Step {
    host: Host { per_thread: 16, plan: Plan::SumBefore },
    ..ROWS.then("04-sums-first", "Sums first", "sums of tiles before their scan")
};

/// A detour: one launch in which each tile waits for the one before it.
const CHAINED: Step = Step {
    host: Host { per_thread: 16, plan: Plan::OneLaunch },
    ..SUMS_FIRST.then("04x-chained", "Chained", "one launch, each tile waits for the one before it")
};

/// One launch in which a tile looks back over those before it.
const LOOK_BACK: Step = Step {
    rewrite: Some("one launch instead of three"),
    host: Host { per_thread: 16, plan: Plan::OneLaunch },
    ..SUMS_FIRST.then(
        "05-look-back",
        "Look-back",
        "one launch, each tile looks back over those before it",
    )
};

/// Blocks stay for all rounds, and add what the tiles of one round have.
const ROUNDS: Step = Step {
    rewrite: Some("a loop over rounds takes the place of tickets and the look-back"),
    needs: (6, 0), // cooperative launches
    host: Host { per_thread: 32, plan: Plan::Rounds(1024) },
    ..LOOK_BACK.then("06-rounds", "Rounds", "blocks stay, each adds the sums of one round of tiles")
};

/// Tiles are loaded and scanned before their turn.
const AHEAD: Step = Step {
    threads: Threads::Blocks { block: 128, stated: true },
    host: Host { per_thread: 32, plan: Plan::Rounds(384) },
    ..ROUNDS.then(
        "07-ahead",
        "Ahead",
        "tiles loaded two rounds ahead, their sums published one round ahead",
    )
};
