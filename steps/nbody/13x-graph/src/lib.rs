//! A detour: the launches of several time steps are recorded as a graph, which is started with one call, again and again.
//! Device code: `kernels/nbody/13-lanes.cu`.

use nbody::{Host, Run, Step};
use nbody_13_lanes::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: PARENT.code,
    host: Host { run: Run::Graph, ..PARENT.host },
    ..PARENT.then(
        "13x-graph",
        "Graph of launches",
        "13's source: the launches of 16 time steps recorded, and started by one call",
    )
};
