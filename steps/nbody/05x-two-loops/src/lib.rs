//! A detour: two loops instead of one with a test in it.
//! Device code: `kernels/nbody/05x-two-loops.cu`.

use nbody::Step;
use nbody_05_rsqrt::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = PARENT.then("05x-two-loops", "Two loops", "the loop split around j == i");
