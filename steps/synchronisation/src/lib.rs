//! The ladder `synchronisation`: a tree of sums, whose nodes need those below them. Nothing is computed to speak of:
//! how threads learn that what they need is there is all there is.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/synchronisation/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::Steps;

use problem::{Plan, Step, Synchronisation};

/// The ladder.
pub static LADDER: Steps<Synchronisation> =
    Steps::of("synchronisation", &[LAUNCHES, GRID_BARRIER, FLAGS, WAIT_FIRST, ARRIVALS, TILES]);

/// A launch for each level.
const LAUNCHES: Step = Step::first(
    "01-launches",
    "Launches",
    "a launch for each level of the tree",
    256,
    Plan::Launches,
);

/// All blocks wait for each other after a level.
const GRID_BARRIER: Step = Step {
    needs: (6, 0), // cooperative launches
    host: Plan::Barrier,
    ..LAUNCHES.then(
        "02-grid-barrier",
        "Grid barrier",
        "one launch, a barrier of the grid after each level",
    )
};

const FLAGS: Step = Step {
    rewrite: Some("a thread for each node, and a wait of its own, instead of levels and a barrier"),
    needs: device::ANY_GPU,
    host: Plan::Flags,
    ..GRID_BARRIER.then("03-flags", "Flags", "a node waits for the flags of its children")
};

/// A detour: the wait is a loop of its own.
const WAIT_FIRST: Step = Step {
    needs: (7, 0), // lanes that make progress each for itself
    ..FLAGS.then(
        "03x-wait-first",
        "Wait first",
        "the work after the loop that waits: a deadlock in lockstep",
    )
};

const ARRIVALS: Step = Step {
    host: Plan::Arrivals,
    ..FLAGS.then(
        "04-arrivals",
        "Arrivals",
        "the thread that arrives second at a node goes on; nobody waits",
    )
};

const TILES: Step =
    ARRIVALS.then("05-tiles", "Tiles", "tiles of 32 lanes add five levels by shuffles");
