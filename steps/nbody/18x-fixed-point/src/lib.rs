//! Tensor cores with sums in whole numbers: every run gives the same bits, and adding up rounds nothing.
//! Device code: `kernels/nbody/18x-fixed-point.cu`.

use ladder::Code;
use nbody::{Arithmetic, Host, Scratch, Step, Sum, ring};
use nbody_18_longer_sums::STEP as PARENT;

/// Bodies of a group, which a warp has in its registers: `GROUP` in its kernel.
const GROUP: u32 = 64;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: Code::Cuda { file: "18x-fixed-point", options: &["--use_fast_math", "--std=c++14"] },
    reproducible: true,
    host: Host {
        arithmetic: Arithmetic {
            sums: |grid| ring::sums(grid, GROUP, 4, |_, like| Sum::Exact(like)),
            ..PARENT.host.arithmetic
        },
        scratch: &[
            Scratch { name: "sums", bytes: |bodies| bodies as usize * 32 },
            Scratch { name: "moments", bytes: |bodies| bodies as usize * 16 },
            Scratch { name: "bodies", bytes: |bodies| bodies as usize * 32 },
            Scratch { name: "partners", bytes: |bodies| bodies as usize * 32 },
        ],
        ..PARENT.host
    },
    ..PARENT.then(
        "18x-fixed-point",
        "Tensor, fixed point",
        "sums in whole numbers: the same bits in every run",
    )
};
