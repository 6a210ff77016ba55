//! The ladder `queue`: items whose work is of very unequal length. Lanes wait for the longest of their warp, and the
//! GPU for its last warp: how items come to threads is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/queue/`.

pub mod problem;

use ladder::Steps;

use problem::{Plan, Queue, Step};

/// The ladder.
pub static LADDER: Steps<Queue> =
    Steps::of("queue", &[STATIC, ONE_BY_ONE, BATCHES, REFILL, SORTED]).not_modelled(&[(
        "02-one-by-one",
        "how unevenly the warps of a multiprocessor get on that have equal work",
    )]);

/// Each thread knows its items.
const STATIC: Step =
    Step::first("01-static", "Static", "items a stride apart for each thread", 256, Plan::Static);

/// Threads fetch items.
const ONE_BY_ONE: Step = Step {
    host: Plan::Fetched,
    ..STATIC.then("02-one-by-one", "One by one", "a thread fetches its next item")
};

/// Warps fetch items.
const BATCHES: Step = ONE_BY_ONE.then("03-batches", "Batches", "a warp fetches 32 items");

/// Warps fetch items for lanes that are done.
const REFILL: Step = Step {
    rewrite: Some("the loops over items and over rounds become one"),
    ..BATCHES.then("04-refill", "Refill", "new items for lanes that are done, while others go on")
};

/// Items are sorted by length.
const SORTED: Step = Step {
    rewrite: Some("three launches sort the items"),
    host: Plan::Sorted,
    ..BATCHES.then("05-sorted", "Sorted", "items sorted by length, the longest first")
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 300, 300.0, &[]));
