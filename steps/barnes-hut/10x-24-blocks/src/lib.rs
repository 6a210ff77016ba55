//! A detour: each kernel is launched with 24 blocks, a number that fitted one GPU, whatever GPU it is.
//! Device code: that of its parent, `kernels/barnes-hut/10-not-volatile.cu`.

use barnes_hut::step::{Blocks, Call};
use barnes_hut::tutorial::{ADVANCE, BOX, BUILD, FORCE_IN_ORDER, SORT, SUMMARISE};
use barnes_hut::{Host, Step};
use barnes_hut_10_not_volatile::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: PARENT.code,
    host: Host { calls: CALLS, ..PARENT.host },
    ..PARENT.then("10x-24-blocks", "24 blocks", "10's kernels, 24 blocks on any GPU")
};

const BLOCKS: Blocks = Blocks::Fixed(24);

const CALLS: &[Call] = &[
    Call::new("box", Blocks::PerMultiprocessor(4), 512, BOX),
    Call::new("build", BLOCKS, 512, BUILD),
    Call::new("summarise", BLOCKS, 128, SUMMARISE).together(),
    Call::new("sort", BLOCKS, 128, SORT).together(),
    Call::new("force", BLOCKS, 128, FORCE_IN_ORDER),
    Call::new("advance", BLOCKS, 1024, ADVANCE),
];
