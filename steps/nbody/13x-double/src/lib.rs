//! A detour: differences, roots and sums in double precision, to know what single precision costs.
//! Device code: `kernels/nbody/13x-double.cu`.

use ladder::Code;
use nbody::{Arithmetic, Host, Step, Sum, Terms};
use nbody_13_lanes::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "13x-double",
    after: Some(PARENT.name),
    detour: true,
    title: "Double precision",
    changes: "differences, roots and sums in f64",
    rewrite: None,
    code: Code::Cuda { file: "13x-double", options: &["--use_fast_math"] },
    host: Host {
        arithmetic: Arithmetic { terms: Terms::Double, sums: |grid| vec![Sum::Exact(grid.n)] },
        ..PARENT.host
    },
    ..PARENT
};
