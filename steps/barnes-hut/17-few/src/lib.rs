//! Few bodies: groups so small that every warp has some, and a graph of launches.
//! Device code: `kernels/barnes-hut/17-few.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::FEW;
use barnes_hut_16_second_moments::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: FEW,
    ..PARENT.then("17-few", "Few bodies", "small groups where bodies are few; launches in a graph")
};
