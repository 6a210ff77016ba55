//! The ladder `separable`: an image of three channels is smoothed, along its rows and along its columns.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/separable/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Passes, Separable, Step, THREADS};

/// The ladder.
pub static LADDER: Steps<Separable> = Steps::of(
    "separable",
    &[TWO_PASSES, ONE_LAUNCH, SIXTEEN_BITS, SURFACE, SHARED_TILE, REGISTER_WINDOW],
);

/// A kernel for each direction.
pub const TWO_PASSES: Step = Step::first(
    "01-two-passes",
    "Two passes",
    "rows, then columns",
    THREADS[0] * THREADS[1],
    Passes::Two { between: "across" },
);

/// Both directions in one launch.
pub const ONE_LAUNCH: Step = Step {
    name: "01x-one-launch",
    after: Some(TWO_PASSES.name),
    detour: true,
    title: "One launch",
    changes: "all blocks wait for each other between the passes",
    rewrite: Some("the passes are loops of one kernel"),
    code: Code::Cuda { file: "01x-one-launch", options: &[] },
    host: Passes::Together,
    ..TWO_PASSES
};

/// A smaller array between the passes.
pub const SIXTEEN_BITS: Step = Step {
    name: "02-sixteen-bits",
    after: Some(TWO_PASSES.name),
    title: "Sixteen bits",
    changes: "16-bit integers between the passes",
    code: Code::Cuda { file: "02-sixteen-bits", options: &[] },
    host: Passes::Two { between: "short across" },
    ..TWO_PASSES
};

/// A surface between the passes.
pub const SURFACE: Step = Step {
    name: "02x-surface",
    after: Some(SIXTEEN_BITS.name),
    detour: true,
    title: "Surface",
    changes: "a surface between the passes, read as a texture",
    code: Code::Cuda { file: "02x-surface", options: &[] },
    host: Passes::Surface,
    ..SIXTEEN_BITS
};

/// Nothing between the passes but shared memory.
pub const SHARED_TILE: Step = Step {
    name: "03-shared-tile",
    after: Some(SIXTEEN_BITS.name),
    title: "Shared tile",
    changes: "both passes of a tile in shared memory",
    rewrite: Some("both passes are one kernel"),
    code: Code::Cuda { file: "03-shared-tile", options: &[] },
    threads: Threads::Blocks { block: THREADS[0] * THREADS[1], stated: false },
    host: Passes::Tile,
    ..SIXTEEN_BITS
};

/// Fewer loads of it.
pub const REGISTER_WINDOW: Step = Step {
    name: "04-register-window",
    after: Some(SHARED_TILE.name),
    title: "Register window",
    changes: "four rows a thread",
    rewrite: None,
    code: Code::Cuda { file: "04-register-window", options: &[] },
    ..SHARED_TILE
};
