//! A warp looks at 32 nodes at a time and lists those that pull; the list is worked off 32 at a time.
//! Device code: `kernels/barnes-hut/12-lists.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::LISTS;
use barnes_hut_11_keys::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "12-lists",
    after: Some(PARENT.name),
    title: "Lists",
    changes: "32 nodes at a time; lists of what pulls, in shared memory",
    rewrite: Some("the walk becomes one over batches of nodes"),
    code: Code::Cuda { file: "12-lists", options: &["--use_fast_math"] },
    host: LISTS,
    ..PARENT
};
