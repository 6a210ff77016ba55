//! A detour: differences, roots and sums in double precision, to know what single precision costs.
//! Device code: `kernels/nbody/13x-double.cu`.

use nbody::{Arithmetic, Host, Step, Sum, Terms};
use nbody_13_lanes::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host {
        arithmetic: Arithmetic { terms: Terms::Double, sums: |grid| vec![Sum::Exact(grid.n)] },
        ..PARENT.host
    },
    ..PARENT.then("13x-double", "Double precision", "differences, roots and sums in f64")
};
