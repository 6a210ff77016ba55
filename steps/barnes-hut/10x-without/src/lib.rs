//! A detour: one idea of the tutorial is left out, by the parameter `WITHOUT`; what its end loses is what the idea is worth.
//! Device code: `kernels/barnes-hut/10x-without.cu`.

use barnes_hut::walk::Walk;
use barnes_hut::{Host, Step};
use barnes_hut_10_not_volatile::STEP as PARENT;

/// What this step changes; the rest is its parent's. Without one of the ideas, each body walks by itself.
pub const STEP: Step = Step {
    rewrite: Some("the kernels with and without each idea, in one file"),
    host: Host { walks: &[Walk::BySide(32), Walk::BySide(1)], ..PARENT.host },
    ..PARENT.then("10x-without", "Without", "one idea left out, to see what it is worth")
};
