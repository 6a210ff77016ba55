//! The ladder `transpose`: a matrix whose rows become columns. Nothing is computed: how the memory is
//! accessed is all there is.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/transpose/`.

mod matrix;
pub mod problem;

use ladder::{Steps, Threads};

use problem::{Plan, Step, Transpose};

/// The ladder.
pub static LADDER: Steps<Transpose> =
    Steps::of("transpose", &[NAIVE, TILED, SWIZZLED, PADDED, SEVERAL_ELEMENTS, LARGE_TILES, COPY])
        .not_modelled(&[(
            "05x-copy",
            "that memory takes stores in pieces of 256 bytes 6 % more slowly than in rows",
        )]);

/// A thread for each element; reads rows, writes columns.
const NAIVE: Step = Step::first(
    "01-naive",
    "Naive",
    "a thread for each element",
    problem::TILE * problem::TILE,
    Plan::Tiles(problem::TILE),
);

/// Rows on both sides, through shared memory.
const TILED: Step = NAIVE.then("02-tiled", "Tiled", "tiles of 32 × 32 elements in shared memory");

/// No bank conflicts, without padding.
const SWIZZLED: Step =
    TILED.then("02x-swizzled", "Swizzled", "words of a row of the tile in another order");

/// No bank conflicts.
const PADDED: Step = TILED.then("03-padded", "Padded", "rows of the tile 33 words long");

/// Several loads of a thread at once.
const SEVERAL_ELEMENTS: Step = Step {
    threads: Threads::Blocks { block: problem::TILE * 8, stated: false },
    ..PADDED.then("04-several-elements", "Several elements", "four elements a thread")
};

/// Longer rows of a tile.
const LARGE_TILES: Step = Step {
    host: Plan::Tiles(64),
    ..SEVERAL_ELEMENTS.then(
        "05-large-tiles",
        "Large tiles",
        "tiles of 64 × 64, sixteen elements a thread",
    )
};

/// What cannot be exceeded.
const COPY: Step = Step {
    host: Plan::Copy,
    ..LARGE_TILES.then("05x-copy", "Limit: a copy", "copies what is transposed already")
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 100, 80_000.0, &[]));
