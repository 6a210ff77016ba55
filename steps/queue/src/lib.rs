//! The ladder `queue`: items whose work is of very unequal length. Lanes wait for the longest of their warp, and the
//! GPU for its last warp: how items come to threads is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/queue/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Plan, Queue, Step};

/// The ladder.
pub static LADDER: Steps<Queue> =
    Steps::of("queue", &[STATIC, ONE_BY_ONE, BATCHES, REFILL, SORTED]).not_modelled(&[(
        "02-one-by-one",
        "how unevenly the warps of a multiprocessor get on that have equal work",
    )]);

/// Each thread knows its items.
pub const STATIC: Step =
    Step::first("01-static", "Static", "items a stride apart for each thread", 256, Plan::Static);

/// Threads fetch items.
pub const ONE_BY_ONE: Step = Step {
    name: "02-one-by-one",
    after: Some(STATIC.name),
    title: "One by one",
    changes: "a thread fetches its next item",
    code: Code::Cuda { file: "02-one-by-one", options: &[] },
    host: Plan::Fetched,
    ..STATIC
};

/// Warps fetch items.
pub const BATCHES: Step = Step {
    name: "03-batches",
    after: Some(ONE_BY_ONE.name),
    title: "Batches",
    changes: "a warp fetches 32 items",
    code: Code::Cuda { file: "03-batches", options: &[] },
    ..ONE_BY_ONE
};

/// Warps fetch items for lanes that are done.
pub const REFILL: Step = Step {
    name: "04-refill",
    after: Some(BATCHES.name),
    title: "Refill",
    changes: "new items for lanes that are done, while others go on",
    rewrite: Some("the loops over items and over rounds become one"),
    code: Code::Cuda { file: "04-refill", options: &[] },
    ..BATCHES
};

/// Items are sorted by length.
pub const SORTED: Step = Step {
    name: "05-sorted",
    after: Some(BATCHES.name),
    title: "Sorted",
    changes: "items sorted by length, the longest first",
    rewrite: Some("three launches sort the items"),
    code: Code::Cuda { file: "05-sorted", options: &[] },
    host: Plan::Sorted,
    ..BATCHES
};
