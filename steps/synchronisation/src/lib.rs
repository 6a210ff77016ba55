//! The ladder `synchronisation`: a tree of sums, whose nodes need those below them. Nothing is computed to speak of:
//! how threads learn that what they need is there is all there is.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/synchronisation/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Plan, Step, Synchronisation};

/// The ladder.
pub static LADDER: Steps<Synchronisation> =
    Steps::of("synchronisation", &[LAUNCHES, GRID_BARRIER, FLAGS, WAIT_FIRST, ARRIVALS, TILES]);

/// A launch for each level.
pub const LAUNCHES: Step = Step::first(
    "01-launches",
    "Launches",
    "a launch for each level of the tree",
    256,
    Plan::Launches,
);

/// All blocks wait for each other after a level.
pub const GRID_BARRIER: Step = Step {
    name: "02-grid-barrier",
    after: Some(LAUNCHES.name),
    title: "Grid barrier",
    changes: "one launch, a barrier of the grid after each level",
    code: Code::Cuda { file: "02-grid-barrier", options: &[] },
    needs: (6, 0), // cooperative launches
    host: Plan::Barrier,
    ..LAUNCHES
};

/// A node waits for its children.
pub const FLAGS: Step = Step {
    name: "03-flags",
    after: Some(GRID_BARRIER.name),
    title: "Flags",
    changes: "a node waits for the flags of its children",
    rewrite: Some("a thread for each node, and a wait of its own, instead of levels and a barrier"),
    code: Code::Cuda { file: "03-flags", options: &[] },
    needs: device::ANY_GPU,
    host: Plan::Flags,
    ..GRID_BARRIER
};

/// A detour: the wait is a loop of its own.
pub const WAIT_FIRST: Step = Step {
    name: "03x-wait-first",
    rewrite: None,
    after: Some(FLAGS.name),
    detour: true,
    title: "Wait first",
    changes: "the work after the loop that waits: a deadlock in lockstep",
    code: Code::Cuda { file: "03x-wait-first", options: &[] },
    needs: (7, 0), // lanes that make progress each for itself
    ..FLAGS
};

/// The second at a node goes on.
pub const ARRIVALS: Step = Step {
    name: "04-arrivals",
    after: Some(FLAGS.name),
    title: "Arrivals",
    changes: "the thread that arrives second at a node goes on; nobody waits",
    rewrite: None,
    code: Code::Cuda { file: "04-arrivals", options: &[] },
    host: Plan::Arrivals,
    ..FLAGS
};

/// Lanes of a tile add by shuffles.
pub const TILES: Step = Step {
    name: "05-tiles",
    after: Some(ARRIVALS.name),
    title: "Tiles",
    changes: "tiles of 32 lanes add five levels by shuffles",
    code: Code::Cuda { file: "05-tiles", options: &[] },
    ..ARRIVALS
};
