//! Sums in whole numbers: the same bits in every run, since their order does not matter.
//! Device code: `kernels/nbody/14x-fixed-point.cu`.

use nbody::{Arithmetic, Host, Scratch, Step, Sum, ring};
use nbody_14_pairs::{GROUP, STEP as PARENT};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    reproducible: true,
    host: Host {
        arithmetic: Arithmetic {
            sums: |grid| ring::sums(grid, GROUP, 1, |_, like| Sum::Exact(like)),
            ..PARENT.host.arithmetic
        },
        scratch: &[Scratch { name: "sums", bytes: |bodies| bodies as usize * 24 }],
        ..PARENT.host
    },
    ..PARENT.then(
        "14x-fixed-point",
        "Fixed point",
        "sums in whole numbers: the same bits in every run",
    )
};
