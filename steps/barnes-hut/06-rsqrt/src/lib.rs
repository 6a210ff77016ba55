//! The inverse square root: one instruction of the chip instead of two long sequences.
//! Device code: `kernels/barnes-hut/06-rsqrt.cu`.

use barnes_hut::Step;
use barnes_hut_05_voting::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = PARENT.then("06-rsqrt", "rsqrtf", "rsqrtf instead of 1 / sqrtf");
