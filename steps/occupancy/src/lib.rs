//! The ladder `occupancy`: how many threads a multiprocessor needs. A copy runs in blocks of several sizes, and with
//! shared memory that it asks for and does not use, so that fewer blocks fit.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/occupancy/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Steps, Threads};

use problem::{Host, Occupancy, Step};

/// The ladder.
pub static LADDER: Steps<Occupancy> = Steps::of(
    "occupancy",
    &[
        BLOCKS,
        SMALL_BLOCKS,
        UNEVEN_BLOCKS,
        LARGE_BLOCKS,
        SHARED_32,
        SHARED_48,
        SHARED_96,
        FOUR_EACH,
    ],
);

/// Blocks of 256 threads, nothing else.
const BLOCKS: Step = Step::first(
    "01-blocks",
    "Full",
    "blocks of 256 threads, nothing else",
    256,
    Host { shared_kib: 0, each: 1 },
);

const SMALL_BLOCKS: Step = Step {
    code: BLOCKS.code,
    threads: Threads::Blocks { block: 32, stated: false },
    ..BLOCKS.then("01x-small-blocks", "Blocks of 32", "32 threads a block")
};

const UNEVEN_BLOCKS: Step = Step {
    code: BLOCKS.code,
    threads: Threads::Blocks { block: 200, stated: false },
    ..BLOCKS.then(
        "01x-uneven-blocks",
        "Blocks of 200",
        "200 threads a block, no whole number of warps",
    )
};

const LARGE_BLOCKS: Step = Step {
    code: BLOCKS.code,
    threads: Threads::Blocks { block: 1024, stated: false },
    ..BLOCKS.then("01x-large-blocks", "Blocks of 1024", "1024 threads a block")
};

const SHARED_32: Step = Step {
    code: BLOCKS.code,
    host: Host { shared_kib: 32, each: 1 },
    ..BLOCKS.then("02-shared-32", "32 KiB", "32 KiB of shared memory a block")
};

const SHARED_48: Step = Step {
    code: BLOCKS.code,
    host: Host { shared_kib: 48, each: 1 },
    ..SHARED_32.then("03-shared-48", "48 KiB", "48 KiB of shared memory a block")
};

const SHARED_96: Step = Step {
    code: BLOCKS.code,
    host: Host { shared_kib: 96, each: 1 },
    ..SHARED_48.then("03x-shared-96", "96 KiB", "96 KiB of shared memory a block")
};

const FOUR_EACH: Step = Step {
    host: Host { shared_kib: 96, each: 4 },
    ..SHARED_48.then("04-four-each", "Four each", "96 KiB, and four elements a thread")
};
