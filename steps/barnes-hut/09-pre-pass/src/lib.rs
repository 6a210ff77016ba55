//! A wait-free first pass over the cells: what has to wait does so when most work is done.
//! Device code: `kernels/barnes-hut/09-pre-pass.cu`.

use barnes_hut::Step;
use barnes_hut_08_lock_free::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step =
    PARENT.then("09-pre-pass", "Pre-pass", "cells summed up without waiting first");
