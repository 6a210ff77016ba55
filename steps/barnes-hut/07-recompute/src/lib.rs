//! Recomputed positions: the centres of cells follow from the way down, and need not be stored nor loaded.
//! Device code: `kernels/barnes-hut/07-recompute.cu`.

use barnes_hut::Step;
use barnes_hut_06_rsqrt::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "07-recompute",
    after: Some(PARENT.name),
    title: "Recompute",
    changes: "centres of cells computed, not loaded",
    rewrite: None,
    code: Code::Cuda { file: "07-recompute", options: &[] },
    ..PARENT
};
