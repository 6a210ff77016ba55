//! A node is opened if its error would be too large a part of the acceleration of the last time step.
//! Device code: `kernels/barnes-hut/14-error.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::BY_ERROR;
use barnes_hut_13_curve::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "14-error",
    after: Some(PARENT.name),
    title: "Error",
    changes: "nodes opened by their error, relative to the last acceleration",
    rewrite: None,
    code: Code::Cuda { file: "14-error", options: &["--use_fast_math"] },
    host: BY_ERROR,
    ..PARENT
};
