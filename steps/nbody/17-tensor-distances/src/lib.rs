//! Distances, too, as products of matrices: one product of 16 numbers a pair.
//! Device code: `kernels/nbody/17-tensor-distances.cu`.

use ladder::Code;
use nbody::{Arithmetic, Host, Scratch, Step, Terms};
use nbody_16_tensor_sums::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "17-tensor-distances",
    after: Some(PARENT.name),
    title: "Tensor distances",
    changes: "squared distances as products of matrices",
    rewrite: Some(
        "what it shares with the steps after it is included; the rest is loads that come early",
    ),
    code: Code::Cuda { file: "17-tensor-distances", options: &["--use_fast_math", "--std=c++14"] },
    host: Host {
        arithmetic: Arithmetic { terms: Terms::Squares, ..PARENT.host.arithmetic },
        scratch: &[
            Scratch { name: "sums", bytes: |bodies| bodies as usize * 16 },
            Scratch { name: "moments", bytes: |bodies| bodies as usize * 16 },
            Scratch { name: "bodies", bytes: |bodies| bodies as usize * 32 },
            Scratch { name: "partners", bytes: |bodies| bodies as usize * 32 },
        ],
        ..PARENT.host
    },
    ..PARENT
};
