//! A detour: a thread waits for its lock in a loop of its own, and works after that.
//! Device code: `kernels/barnes-hut/01x-lock-first.cu`.

use barnes_hut::Step;
use barnes_hut_01_naive::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("the loop that waits comes before the work, not around it"),
    needs: (7, 0), // lanes that make progress each for itself
    ..PARENT.then(
        "01x-lock-first",
        "Lock first",
        "wait for the lock, then work: a deadlock in lockstep",
    )
};
