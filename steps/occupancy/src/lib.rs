//! The ladder `occupancy`: how many threads a multiprocessor needs. A copy runs in blocks of several sizes, and with
//! shared memory that it asks for and does not use, so that fewer blocks fit.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/occupancy/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

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
pub const BLOCKS: Step = Step::first(
    "01-blocks",
    "Full",
    "blocks of 256 threads, nothing else",
    256,
    Host { shared_kib: 0, each: 1 },
);

/// 32 threads a block.
pub const SMALL_BLOCKS: Step = Step {
    name: "01x-small-blocks",
    after: Some(BLOCKS.name),
    detour: true,
    title: "Blocks of 32",
    changes: "32 threads a block",
    threads: Threads::Blocks { block: 32, stated: false },
    ..BLOCKS
};

/// 200 threads a block, no whole number of warps.
pub const UNEVEN_BLOCKS: Step = Step {
    name: "01x-uneven-blocks",
    after: Some(BLOCKS.name),
    detour: true,
    title: "Blocks of 200",
    changes: "200 threads a block, no whole number of warps",
    threads: Threads::Blocks { block: 200, stated: false },
    ..BLOCKS
};

/// 1024 threads a block.
pub const LARGE_BLOCKS: Step = Step {
    name: "01x-large-blocks",
    after: Some(BLOCKS.name),
    detour: true,
    title: "Blocks of 1024",
    changes: "1024 threads a block",
    threads: Threads::Blocks { block: 1024, stated: false },
    ..BLOCKS
};

/// 32 KiB of shared memory a block.
pub const SHARED_32: Step = Step {
    name: "02-shared-32",
    after: Some(BLOCKS.name),
    title: "32 KiB",
    changes: "32 KiB of shared memory a block",
    host: Host { shared_kib: 32, each: 1 },
    ..BLOCKS
};

/// 48 KiB of shared memory a block.
pub const SHARED_48: Step = Step {
    name: "03-shared-48",
    after: Some(SHARED_32.name),
    title: "48 KiB",
    changes: "48 KiB of shared memory a block",
    host: Host { shared_kib: 48, each: 1 },
    ..BLOCKS
};

/// 96 KiB of shared memory a block.
pub const SHARED_96: Step = Step {
    name: "03x-shared-96",
    after: Some(SHARED_48.name),
    detour: true,
    title: "96 KiB",
    changes: "96 KiB of shared memory a block",
    host: Host { shared_kib: 96, each: 1 },
    ..BLOCKS
};

/// 96 KiB, and four elements a thread.
pub const FOUR_EACH: Step = Step {
    name: "04-four-each",
    after: Some(SHARED_48.name),
    title: "Four each",
    changes: "96 KiB, and four elements a thread",
    code: Code::Cuda { file: "04-four-each", options: &[] },
    host: Host { shared_kib: 96, each: 4 },
    ..BLOCKS
};
