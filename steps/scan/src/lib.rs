//! The ladder `scan`: the sum of each element and all before it. Blocks depend on the results of others: how they
//! learn these, and how often that moves every element through memory, is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/scan/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Host, Plan, Scan, Step};

/// The ladder.
pub static LADDER: Steps<Scan> =
    Steps::of("scan", &[BLOCKS, SHUFFLES, ROWS, SUMS_FIRST, CHAINED, LOOK_BACK, ROUNDS, AHEAD])
        .not_modelled(&[(
            "07-ahead",
            "how long the step before waits for what its blocks tell each other",
        )]);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Blocks scan in shared memory; their sums are scanned alike.
pub const BLOCKS: Step = Step {
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
pub const SHUFFLES: Step = Step {
    name: "02-shuffles",
    after: Some(BLOCKS.name),
    title: "Shuffles",
    changes: "warps by shuffles, two barriers",
    rewrite: Some("the scan of a block becomes two functions, for warps and for their sums"),
    code: Code::Cuda { file: "02-shuffles", options: &[] },
    ..BLOCKS
};

/// Threads have sixteen elements.
pub const ROWS: Step = Step {
    name: "03-rows",
    after: Some(SHUFFLES.name),
    title: "Rows",
    changes: "sixteen elements a thread, in four rows of its warp",
    rewrite: Some(
        "loads and stores of four elements become functions that know the end of the array",
    ),
    code: Code::Cuda { file: "03-rows", options: &[] },
    threads: Threads::Blocks { block: 512, stated: true },
    host: Host { per_thread: 16, plan: Plan::AddAfter },
    ..SHUFFLES
};

/// Elements are written once.
pub const SUMS_FIRST: Step = Step {
    name: "04-sums-first",
    after: Some(ROWS.name),
    title: "Sums first",
    changes: "sums of tiles before their scan",
    rewrite: None,
    code: Code::Cuda { file: "04-sums-first", options: &[] },
    host: Host { per_thread: 16, plan: Plan::SumBefore },
    ..ROWS
};

/// A detour: one launch in which each tile waits for the one before it.
pub const CHAINED: Step = Step {
    name: "04x-chained",
    after: Some(SUMS_FIRST.name),
    detour: true,
    title: "Chained",
    changes: "one launch, each tile waits for the one before it",
    code: Code::Cuda { file: "04x-chained", options: &[] },
    host: Host { per_thread: 16, plan: Plan::OneLaunch },
    ..SUMS_FIRST
};

/// One launch in which a tile looks back over those before it.
pub const LOOK_BACK: Step = Step {
    name: "05-look-back",
    after: Some(SUMS_FIRST.name),
    title: "Look-back",
    changes: "one launch, each tile looks back over those before it",
    rewrite: Some("one launch instead of three"),
    code: Code::Cuda { file: "05-look-back", options: &[] },
    host: Host { per_thread: 16, plan: Plan::OneLaunch },
    ..SUMS_FIRST
};

/// Blocks stay for all rounds, and add what the tiles of one round have.
pub const ROUNDS: Step = Step {
    name: "06-rounds",
    after: Some(LOOK_BACK.name),
    title: "Rounds",
    changes: "blocks stay, each adds the sums of one round of tiles",
    rewrite: Some("a loop over rounds takes the place of tickets and the look-back"),
    code: Code::Cuda { file: "06-rounds", options: &[] },
    needs: (6, 0), // cooperative launches
    host: Host { per_thread: 32, plan: Plan::Rounds(1024) },
    ..LOOK_BACK
};

/// Tiles are loaded and scanned before their turn.
pub const AHEAD: Step = Step {
    name: "07-ahead",
    after: Some(ROUNDS.name),
    title: "Ahead",
    changes: "tiles loaded two rounds ahead, their sums published one round ahead",
    rewrite: None,
    code: Code::Cuda { file: "07-ahead", options: &[] },
    threads: Threads::Blocks { block: 128, stated: true },
    host: Host { per_thread: 32, plan: Plan::Rounds(384) },
    ..ROUNDS
};
