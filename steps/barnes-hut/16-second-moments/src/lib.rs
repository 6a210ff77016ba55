//! Nodes pull with their second moments where one mass would be too wrong.
//! Device code: `kernels/barnes-hut/16-second-moments.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::SECOND_MOMENTS;
use barnes_hut_15_groups::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("a second list, of nodes with second moments"),
    host: SECOND_MOMENTS,
    ..PARENT.then(
        "16-second-moments",
        "Second moments",
        "second moments of nodes where they are needed",
    )
};
