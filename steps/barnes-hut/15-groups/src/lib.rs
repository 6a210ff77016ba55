//! Groups of bodies with a wide box are divided; warps take them from a queue.
//! Device code: `kernels/barnes-hut/15-groups.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::GROUPS;
use barnes_hut_14_error::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("the walk becomes a function, called for each group"),
    host: GROUPS,
    ..PARENT.then("15-groups", "Groups", "wide groups divided; a queue of groups")
};
