//! What no launch changes is passed once, in constant memory; a launch carries one parameter.
//! Device code: `kernels/nbody/04-constant-params.cu`.

use ladder::Code;
use nbody::{Host, Parameters, Step};
use nbody_03_soa::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "04-constant-params",
    after: Some(PARENT.name),
    title: "Constant parameters",
    changes: "parameters and pointers in constant memory",
    rewrite: None,
    code: Code::Cuda { file: "04-constant-params", options: &[] },
    host: Host { parameters: Parameters::Constant, ..PARENT.host },
    ..PARENT
};
