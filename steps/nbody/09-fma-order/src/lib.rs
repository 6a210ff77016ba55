//! The terms of a sum reordered, so that each product is fused with an addition.
//! Device code: `kernels/nbody/09-fma-order.cu`.

use nbody::Step;
use nbody_08_no_if::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step =
    PARENT.then("09-fma-order", "FMA order", "sums ordered so that multiply-adds fuse");
