//! A detour: one idea of the tutorial is left out, by the parameter `WITHOUT`; what its end loses is what the idea is worth.
//! Device code: `kernels/barnes-hut/10x-without.cu`.

use barnes_hut::walk::Walk;
use barnes_hut::{Host, Step};
use barnes_hut_10_not_volatile::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's. Without one of the ideas, each body walks by itself.
pub const STEP: Step = Step {
    name: "10x-without",
    after: Some(PARENT.name),
    detour: true,
    title: "Without",
    changes: "one idea left out, to see what it is worth",
    rewrite: Some("the kernels with and without each idea, in one file"),
    code: Code::Cuda { file: "10x-without", options: &[] },
    host: Host { walks: &[Walk::BySide(32), Walk::BySide(1)], ..PARENT.host },
    ..PARENT
};
