//! A detour: one launch makes all time steps, between whose parts all blocks meet.
//! Device code: `kernels/nbody/13x-one-launch.cu`.

use ladder::{Grid, Launch};
use nbody::{Host, Run, Scratch, Step};
use nbody_13_lanes::STEP as PARENT;

/// Bodies of a warp at a time: `BODIES` in its kernel.
const BODIES: u32 = 2;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some(
        "force and advance become functions, around them a loop with a barrier of the whole grid",
    ),
    needs: (6, 0), // cooperative launches
    host: Host {
        scratch: &[Scratch { name: "meeting", bytes: |_| 4 }],
        run: Run::OneLaunch(run),
        ..PARENT.host
    },
    ..PARENT.then(
        "13x-one-launch",
        "One launch",
        "one launch for all time steps, in which all blocks meet",
    )
};

/// A block for each multiprocessor: so all run at once, wherever one does.
fn run(grid: &Grid) -> Launch {
    let blocks = grid.multiprocessors.min(grid.n.div_ceil(BODIES)).max(1);
    Launch::row("run", blocks, 1024)
}
