//! Keys follow the curve of Hilbert, on which neighbours touch.
//! Device code: `kernels/barnes-hut/13-curve.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::LISTS;
use barnes_hut_12_lists::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step =
    Step { host: LISTS, ..PARENT.then("13-curve", "Curve", "keys along the curve of Hilbert") };
