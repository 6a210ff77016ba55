//! Sums stay in the tensor cores for four products: fewer additions, somewhat larger errors, since tensor cores round towards zero.
//! Device code: `kernels/nbody/16-tensor-distances.cu`.

use ladder::Code;
use nbody::Step;
use nbody_16_tensor_distances::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "17-longer-sums",
    after: Some(PARENT.name),
    title: "Longer sums",
    changes: "16's source with -DFLUSH=2: sums stay longer in the tensor cores",
    code: Code::Cuda {
        file: "16-tensor-distances",
        options: &["--use_fast_math", "--std=c++14", "-DFLUSH=2"],
    },
    ..PARENT
};
