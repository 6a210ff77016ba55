//! The walk divided over several GPUs: each makes the whole tree, walks for warps of its own, and gathers accelerations.
//! Device code: `kernels/barnes-hut/18-divided.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::DIVIDED;
use barnes_hut::step::ELSEWHERE;
use barnes_hut_16_second_moments::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "18-divided",
    after: Some(PARENT.name),
    title: "Divided",
    changes: "the walk divided over several GPUs, accelerations gathered",
    rewrite: None,
    code: Code::Cuda { file: "18-divided", options: &["--use_fast_math"] },
    elsewhere: Some(ELSEWHERE),
    host: DIVIDED,
    ..PARENT
};
