//! Recomputed positions: the centres of cells follow from the way down, and need not be stored nor loaded.
//! Device code: `kernels/barnes-hut/07-recompute.cu`.

use barnes_hut::Step;
use barnes_hut_06_rsqrt::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step =
    PARENT.then("07-recompute", "Recompute", "centres of cells computed, not loaded");
