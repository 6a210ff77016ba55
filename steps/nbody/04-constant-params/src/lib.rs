//! What no launch changes is passed once, in constant memory; a launch carries one parameter.
//! Device code: `kernels/nbody/04-constant-params.cu`.

use nbody::{Host, Parameters, Step};
use nbody_03_soa::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { parameters: Parameters::Constant, ..PARENT.host },
    ..PARENT.then(
        "04-constant-params",
        "Constant parameters",
        "parameters and pointers in constant memory",
    )
};
