//! Distances, too, as products of matrices: one product of 16 numbers a pair.
//! Device code: `kernels/nbody/17-tensor-distances.cu`.

use nbody::{Arithmetic, Host, Scratch, Step, Terms};
use nbody_16_tensor_sums::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some(
        "what it shares with the steps after it is included; the rest is loads that come early",
    ),
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
    ..PARENT.then(
        "17-tensor-distances",
        "Tensor distances",
        "squared distances as products of matrices",
    )
};
