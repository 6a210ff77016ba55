//! Few bodies: groups so small that every warp has some, and a graph of launches.
//! Device code: `kernels/barnes-hut/17-few.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::FEW;
use barnes_hut_16_second_moments::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "17-few",
    after: Some(PARENT.name),
    title: "Few bodies",
    changes: "small groups where bodies are few; launches in a graph",
    rewrite: None,
    code: Code::Cuda { file: "17-few", options: &["--use_fast_math"] },
    host: FEW,
    ..PARENT
};
