//! Lock-free insertion: only a body that is in the way takes a lock, and lanes share one fence.
//! Device code: `kernels/barnes-hut/08-lock-free.cu`.

use barnes_hut::Step;
use barnes_hut_07_recompute::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("insertion becomes a state that a lane keeps from round to round"),
    ..PARENT.then("08-lock-free", "Lock-free", "empty places taken by one atomic, one fence a warp")
};
