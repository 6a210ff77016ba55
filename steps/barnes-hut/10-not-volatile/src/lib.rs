//! Fewer volatile accesses, so that the caches serve loads, and barriers that throttle loops which wait.
//! Device code: `kernels/barnes-hut/10-not-volatile.cu`.

use barnes_hut::Step;
use barnes_hut_09_pre_pass::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "10-not-volatile",
    after: Some(PARENT.name),
    title: "Caches",
    changes: "volatile only where needed, throttled loops",
    rewrite: None,
    code: Code::Cuda { file: "10-not-volatile", options: &[] },
    ..PARENT
};
