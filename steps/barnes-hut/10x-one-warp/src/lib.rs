//! A detour: the tutorial's last kernels without full multithreading, one warp for each multiprocessor as in the first step.
//! Device code: that of its parent, `kernels/barnes-hut/10-not-volatile.cu`.

use barnes_hut::step::{Blocks, Call};
use barnes_hut::tutorial::{ADVANCE, BOX, BUILD, FORCE_IN_ORDER, SORT, SUMMARISE};
use barnes_hut::{Host, Step};
use barnes_hut_10_not_volatile::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: PARENT.code,
    host: Host { calls: CALLS, ..PARENT.host },
    ..PARENT.then("10x-one-warp", "One warp", "10's kernels, one warp per multiprocessor")
};

const WARP: Blocks = Blocks::PerMultiprocessor(1);

const CALLS: &[Call] = &[
    Call::new("box", WARP, 32, BOX),
    Call::new("build", WARP, 32, BUILD),
    Call::new("summarise", WARP, 32, SUMMARISE).together(),
    Call::new("sort", WARP, 32, SORT).together(),
    Call::new("force", WARP, 32, FORCE_IN_ORDER),
    Call::new("advance", WARP, 32, ADVANCE),
];
