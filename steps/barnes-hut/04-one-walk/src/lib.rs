//! Synchronised execution: a warp walks the union of its lanes' ways through the tree, with one stack in shared memory.
//! Device code: `kernels/barnes-hut/04-one-walk.cu`.

use barnes_hut::walk::Walk;
use barnes_hut::{Host, Step};
use barnes_hut_03_sorting::STEP as PARENT;
use ladder::{Code, Threads};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "04-one-walk",
    after: Some(PARENT.name),
    title: "One walk",
    changes: "a warp walks the tree as one",
    rewrite: Some("the walk of a thread becomes that of a warp"),
    code: Code::Cuda { file: "04-one-walk", options: &[] },
    threads: Threads::Blocks { block: 128, stated: true },
    host: Host { walks: &[Walk::BySide(32)], ..PARENT.host },
    ..PARENT
};
