//! The ladder `transpose`: a matrix whose rows become columns. Nothing is computed: how the memory is
//! accessed is all there is.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/transpose/`.

mod matrix;
pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Plan, Step, Transpose};

/// The ladder.
pub static LADDER: Steps<Transpose> =
    Steps::of("transpose", &[NAIVE, TILED, SWIZZLED, PADDED, SEVERAL_ELEMENTS, LARGE_TILES, COPY])
        .not_modelled(&[(
            "05x-copy",
            "that memory takes stores in pieces of 256 bytes 6 % more slowly than in rows",
        )]);

/// A thread for each element; reads rows, writes columns.
pub const NAIVE: Step = Step::first(
    "01-naive",
    "Naive",
    "a thread for each element",
    problem::TILE * problem::TILE,
    Plan::Tiles(problem::TILE),
);

/// Rows on both sides, through shared memory.
pub const TILED: Step = Step {
    name: "02-tiled",
    after: Some(NAIVE.name),
    title: "Tiled",
    changes: "tiles of 32 × 32 elements in shared memory",
    code: Code::Cuda { file: "02-tiled", options: &[] },
    ..NAIVE
};

/// No bank conflicts, without padding.
pub const SWIZZLED: Step = Step {
    name: "02x-swizzled",
    after: Some(TILED.name),
    detour: true,
    title: "Swizzled",
    changes: "words of a row of the tile in another order",
    code: Code::Cuda { file: "02x-swizzled", options: &[] },
    ..TILED
};

/// No bank conflicts.
pub const PADDED: Step = Step {
    name: "03-padded",
    after: Some(TILED.name),
    title: "Padded",
    changes: "rows of the tile 33 words long",
    code: Code::Cuda { file: "03-padded", options: &[] },
    ..TILED
};

/// Several loads of a thread at once.
pub const SEVERAL_ELEMENTS: Step = Step {
    name: "04-several-elements",
    after: Some(PADDED.name),
    title: "Several elements",
    changes: "four elements a thread",
    code: Code::Cuda { file: "04-several-elements", options: &[] },
    threads: Threads::Blocks { block: problem::TILE * 8, stated: false },
    ..PADDED
};

/// Longer rows of a tile.
pub const LARGE_TILES: Step = Step {
    name: "05-large-tiles",
    after: Some(SEVERAL_ELEMENTS.name),
    title: "Large tiles",
    changes: "tiles of 64 × 64, sixteen elements a thread",
    code: Code::Cuda { file: "05-large-tiles", options: &[] },
    host: Plan::Tiles(64),
    ..SEVERAL_ELEMENTS
};

/// What cannot be exceeded.
pub const COPY: Step = Step {
    name: "05x-copy",
    after: Some(LARGE_TILES.name),
    detour: true,
    title: "Limit: a copy",
    changes: "copies what is transposed already",
    code: Code::Cuda { file: "05x-copy", options: &[] },
    host: Plan::Copy,
    ..LARGE_TILES
};
