//! A warp looks at 32 nodes at a time and lists those that pull; the list is worked off 32 at a time.
//! Device code: `kernels/barnes-hut/12-lists.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::LISTS;
use barnes_hut_11_keys::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("the walk becomes one over batches of nodes"),
    host: LISTS,
    ..PARENT.then("12-lists", "Lists", "32 nodes at a time; lists of what pulls, in shared memory")
};
