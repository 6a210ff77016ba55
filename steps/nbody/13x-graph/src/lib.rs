//! A detour: the launches of several time steps are recorded as a graph, which is started with one call, again and again.
//! Device code: `kernels/nbody/13-lanes.cu`.

use nbody::{Host, Run, Step};
use nbody_13_lanes::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "13x-graph",
    after: Some(PARENT.name),
    detour: true,
    title: "Graph of launches",
    changes: "13's source: the launches of 16 time steps recorded, and started by one call",
    rewrite: None,
    host: Host { run: Run::Graph, ..PARENT.host },
    ..PARENT
};
