//! A detour: sums that keep what rounding takes from them (Kahan).
//! Device code: `kernels/nbody/13x-compensated.cu`.

use nbody::{Arithmetic, Host, Step, Sum};
use nbody_13_lanes::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("each sum becomes two numbers and a function"),
    host: Host {
        arithmetic: Arithmetic {
            sums: |grid| vec![Sum::Compensated(grid.n)],
            ..PARENT.host.arithmetic
        },
        ..PARENT.host
    },
    ..PARENT.then(
        "13x-compensated",
        "Compensated sums",
        "each sum keeps what rounding took from it",
    )
};
