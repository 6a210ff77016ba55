//! Sums stay in the tensor cores for four products: fewer additions, somewhat larger errors, since tensor cores round towards zero.
//! Device code: `kernels/nbody/17-tensor-distances.cu`.

use ladder::Code;
use nbody::Step;
use nbody_17_tensor_distances::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: Code::Cuda {
        file: "17-tensor-distances",
        options: &["--use_fast_math", "--std=c++14", "-DFLUSH=2"],
    },
    ..PARENT.then(
        "18-longer-sums",
        "Longer sums",
        "17's source with -DFLUSH=2: sums stay longer in the tensor cores",
    )
};
