//! The ladder `sort`: keys in ascending order, digit by digit from the last. How many bits a digit has, how a key learns its
//! place, and how often keys go through memory is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/sort/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Function, Steps, Threads};

use problem::{Plan, Sort, Step, Tiles};

/// The ladder.
pub static LADDER: Steps<Sort> = Steps::of(
    "sort",
    &[ONE_BIT, DIGITS, BALLOTS, SORTED_TILE, ONE_SWEEP, VOTES, LARGER_TILES, PAIRS],
)
.not_modelled(&[("05-one-sweep", "how long its blocks wait for what those before them count")])
.with_libraries(&[CUB, CUB_PAIRS]);

/// NVIDIA's.
const CUB: Step = Step::library(
    "cub",
    "CUB",
    "cub::DeviceRadixSort::SortKeys",
    Function::Cub { code: include_str!("../cub.cu"), arrays: &["in", "out"] },
    Tiles::of(1, Plan::Sweeps),
);

/// The same with a value for each key.
const CUB_PAIRS: Step = Step::library(
    "cub-pairs",
    "CUB, pairs",
    "cub::DeviceRadixSort::SortPairs",
    Function::Cub {
        code: include_str!("../cub-pairs.cu"),
        arrays: &["in", "out", "values", "values out"],
    },
    Tiles::of(1, Plan::Sweeps),
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// A pass for each bit.
const ONE_BIT: Step = Step {
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..Step::first(
        "01-one-bit",
        "One bit",
        "32 passes, one for each bit",
        BLOCK,
        Tiles::of(1, Plan::Counts { bits: 1 }),
    )
};

/// A pass for four bits.
const DIGITS: Step = Step {
    host: Tiles::of(8, Plan::Counts { bits: 4 }),
    ..ONE_BIT.then("02-digits", "Digits", "8 passes, counts of four bits for each thread")
};

/// A pass for eight bits.
const BALLOTS: Step = Step {
    rewrite: Some("warps rank their keys in registers, without a table of the threads' counts"),
    host: Tiles::of(16, Plan::Counts { bits: 8 }),
    ..DIGITS.then("03-ballots", "Ballots", "4 passes, equal digits of a warp by ballots")
};

/// Neighbours are stored together.
const SORTED_TILE: Step =
    BALLOTS.then("04-sorted-tile", "Sorted tile", "tiles sorted in shared memory before the store");

/// One launch for a digit.
const ONE_SWEEP: Step = Step {
    rewrite: Some("one launch for a digit instead of three, and one for the counts of all"),
    host: Tiles::of(16, Plan::Sweeps),
    ..SORTED_TILE.then("05-one-sweep", "One sweep", "one launch for a digit, tiles look back")
};

/// Fewer instructions for each bit.
const VOTES: Step =
    ONE_SWEEP.then("06-votes", "Votes", "three instructions for each bit of a digit");

/// More keys for each look back.
const LARGER_TILES: Step = Step {
    rewrite: Some("places are known before keys are stored where counts were"),
    host: Tiles::of(32, Plan::Sweeps),
    ..VOTES.then("07-larger-tiles", "Larger tiles", "8192 keys a tile, two ranks in a register")
};

/// What most sorts are for.
const PAIRS: Step = Step {
    rewrite: Some("a tile is stored twice, first its keys and then its values"),
    threads: Threads::Blocks { block: 2 * BLOCK, stated: true },
    host: Tiles { has_values: true, ..Tiles::of(20, Plan::Sweeps) },
    library: Some(CUB_PAIRS.name),
    ..LARGER_TILES.then("08-pairs", "Pairs", "a value of 32 bits travels with each key")
};
