//! A node is opened if its error would be too large a part of the acceleration of the last time step.
//! Device code: `kernels/barnes-hut/14-error.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::BY_ERROR;
use barnes_hut_13_curve::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: BY_ERROR,
    ..PARENT.then(
        "14-error",
        "Error",
        "nodes opened by their error, relative to the last acceleration",
    )
};
