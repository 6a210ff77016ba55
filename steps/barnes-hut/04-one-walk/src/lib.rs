//! Synchronised execution: a warp walks the union of its lanes' ways through the tree, with one stack in shared memory.
//! Device code: `kernels/barnes-hut/04-one-walk.cu`.

use barnes_hut::walk::Walk;
use barnes_hut::{Host, Step};
use barnes_hut_03_sorting::STEP as PARENT;
use ladder::Threads;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("the walk of a thread becomes that of a warp"),
    threads: Threads::Blocks { block: 128, stated: true },
    host: Host { walks: &[Walk::BySide(32)], ..PARENT.host },
    ..PARENT.then("04-one-walk", "One walk", "a warp walks the tree as one")
};
