//! The ladder `append`: an unknown number of results is written to one array, one after the other. Threads must agree
//! on their places; how many of them ask for places at once is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/append/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Append, Plan, Step};

/// The ladder.
pub static LADDER: Steps<Append> =
    Steps::of("append", &[GLOBAL_ATOMIC, PER_WARP, RANGES, PER_BLOCK, LOOK_BACK]);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Every thread asks for a place.
pub const GLOBAL_ATOMIC: Step = Step::first(
    "01-global-atomic",
    "Global atomic",
    "an atomic addition for each value that is kept",
    BLOCK,
    Plan::Striding,
);

/// A warp asks for its lanes.
pub const PER_WARP: Step = Step {
    name: "02-per-warp",
    after: Some(GLOBAL_ATOMIC.name),
    title: "Per warp",
    changes: "places for all lanes of a warp by ballot and popc",
    code: Code::Cuda { file: "02-per-warp", options: &[] },
    ..GLOBAL_ATOMIC
};

/// A warp asks for 64 places at a time.
pub const RANGES: Step = Step {
    name: "03-ranges",
    after: Some(PER_WARP.name),
    title: "Ranges",
    changes: "64 places at a time for a warp, gaps filled at its end",
    code: Code::Cuda { file: "03-ranges", options: &[] },
    host: Plan::WithGaps,
    ..PER_WARP
};

/// A block asks for a tile.
pub const PER_BLOCK: Step = Step {
    name: "04-per-block",
    after: Some(RANGES.name),
    title: "Per block",
    changes: "places for the 4096 values of a tile",
    rewrite: Some("counts of rows and warps take the place of ranges"),
    code: Code::Cuda { file: "04-per-block", options: &[] },
    threads: Threads::Blocks { block: BLOCK, stated: true },
    host: Plan::Striding,
    ..RANGES
};

/// Nobody asks: a tile looks back over those before it.
pub const LOOK_BACK: Step = Step {
    name: "05-look-back",
    after: Some(PER_BLOCK.name),
    title: "Look-back",
    changes: "places by look-back over earlier tiles: the order is kept",
    rewrite: Some("tickets and the look-back take the place of an atomic addition"),
    code: Code::Cuda { file: "05-look-back", options: &[] },
    host: Plan::InOrder,
    ..PER_BLOCK
};
