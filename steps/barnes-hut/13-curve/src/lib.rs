//! Keys follow the curve of Hilbert, on which neighbours touch.
//! Device code: `kernels/barnes-hut/13-curve.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::LISTS;
use barnes_hut_12_lists::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "13-curve",
    after: Some(PARENT.name),
    title: "Curve",
    changes: "keys along the curve of Hilbert",
    rewrite: None,
    code: Code::Cuda { file: "13-curve", options: &["--use_fast_math"] },
    host: LISTS,
    ..PARENT
};
