//! The walk divided over several GPUs: each makes the whole tree, walks for warps of its own, and gathers accelerations.
//! Device code: `kernels/barnes-hut/18-divided.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::DIVIDED;
use barnes_hut::step::ELSEWHERE;
use barnes_hut_16_second_moments::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    elsewhere: Some(ELSEWHERE),
    host: DIVIDED,
    ..PARENT.then(
        "18-divided",
        "Divided",
        "the walk divided over several GPUs, accelerations gathered",
    )
};
