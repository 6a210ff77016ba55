//! Groups of bodies with a wide box are divided; warps take them from a queue.
//! Device code: `kernels/barnes-hut/15-groups.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::GROUPS;
use barnes_hut_14_error::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "15-groups",
    after: Some(PARENT.name),
    title: "Groups",
    changes: "wide groups divided; a queue of groups",
    rewrite: Some("the walk becomes a function, called for each group"),
    code: Code::Cuda { file: "15-groups", options: &["--use_fast_math"] },
    host: GROUPS,
    ..PARENT
};
