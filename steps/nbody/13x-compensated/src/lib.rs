//! A detour: sums that keep what rounding takes from them (Kahan).
//! Device code: `kernels/nbody/13x-compensated.cu`.

use ladder::Code;
use nbody::{Arithmetic, Host, Step, Sum};
use nbody_13_lanes::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "13x-compensated",
    after: Some(PARENT.name),
    detour: true,
    title: "Compensated sums",
    changes: "each sum keeps what rounding took from it",
    rewrite: Some("each sum becomes two numbers and a function"),
    code: Code::Cuda { file: "13x-compensated", options: &["--use_fast_math"] },
    host: Host {
        arithmetic: Arithmetic {
            sums: |grid| vec![Sum::Compensated(grid.n)],
            ..PARENT.host.arithmetic
        },
        ..PARENT.host
    },
    ..PARENT
};
