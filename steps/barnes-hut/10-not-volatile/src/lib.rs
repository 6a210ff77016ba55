//! Fewer volatile accesses, so that the caches serve loads, and barriers that throttle loops which wait.
//! Device code: `kernels/barnes-hut/10-not-volatile.cu`.

use barnes_hut::Step;
use barnes_hut_09_pre_pass::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step =
    PARENT.then("10-not-volatile", "Caches", "volatile only where needed, throttled loops");
