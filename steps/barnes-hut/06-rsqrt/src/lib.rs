//! The inverse square root: one instruction of the chip instead of two long sequences.
//! Device code: `kernels/barnes-hut/06-rsqrt.cu`.

use barnes_hut::Step;
use barnes_hut_05_voting::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "06-rsqrt",
    after: Some(PARENT.name),
    title: "rsqrtf",
    changes: "rsqrtf instead of 1 / sqrtf",
    rewrite: None,
    code: Code::Cuda { file: "06-rsqrt", options: &[] },
    ..PARENT
};
