//! Barriers between those who write to shared memory and those who read from it.

use ladder::Threads;
use nbody_06_shared_blocking::STEP;

use crate::figures::kit::drawing::Drawing;

/// Threads of a block, and bodies of a tile.
const TILE: u32 = match STEP.threads {
    Threads::Blocks { block, .. } => block,
    Threads::One | Threads::Cores => 1,
};

/// What the warps of a block do between two barriers: its name, its fill, how long it takes the last of
/// them, and when each of them begins and ends.
struct Phase {
    name: &'static str,
    fill: &'static str,
    lasts: f64,
    warps: [(f64, f64); 3],
}

const LOAD: Phase = Phase {
    name: "load tile",
    fill: "load",
    lasts: 84.0,
    warps: [(2.0, 40.0), (16.0, 60.0), (8.0, 78.0)],
};
const USE: Phase = Phase {
    name: "use tile",
    fill: "busy",
    lasts: 116.0,
    warps: [(4.0, 96.0), (4.0, 74.0), (4.0, 110.0)],
};

/// Warps write, wait for the last of them, and read.
pub fn barrier() -> String {
    let mut drawing = Drawing::new(
        130.0,
        "Three warps write a tile at different times, wait at a barrier until the last has come, then read",
    );
    let phases = [Phase { name: "write", ..LOAD }, Phase { name: "read", ..USE }];
    warps(&mut drawing, 4.0, &phases, 1.45);
    drawing.html()
}

/// A tile of bodies in shared memory: who brings it, who reads it, and the two barriers between.
pub fn tile() -> String {
    let mut drawing = Drawing::new(
        342.0,
        format!(
            "A tile of {TILE} bodies is copied from global to shared memory, one body by each thread; a barrier; then all {TILE} threads read \
         all bodies of the tile; a second barrier, before the next tile takes its place"
        ),
    );
    drawing.text((4.0, 14.0), &format!("global memory: all bodies, in tiles of {TILE}"));
    let tiles = (0..5).map(|tile| (if tile == 2 { "load" } else { "" }, ""));
    drawing.row((4.0, 22.0), (70.0, 30.0), tiles);
    drawing.cell("load", (144.0, 94.0), (70.0, 30.0), "");
    drawing.dashed((134.0, 166.0), (90.0, 30.0), &format!("{TILE} threads"));
    for k in 0..5 {
        let x = 151.0 + 14.0 * f64::from(k);
        drawing.arrow((x, 54.0), (x, 92.0));
        drawing.arrow((179.0, 126.0), (x, 164.0));
    }
    drawing.text((224.0, 70.0), "each thread brings\none body");
    drawing.end((134.0, 106.0), "shared memory:\nthe tile");
    drawing.text((224.0, 138.0), "each thread reads\nevery body of it");
    warps(&mut drawing, 216.0, &[LOAD, USE, Phase { name: "load next", ..LOAD }], 1.0);
    drawing.html()
}

/// Three warps over time, with a barrier after each phase but the last.
fn warps(drawing: &mut Drawing, top: f64, phases: &[Phase], stretch: f64) {
    for warp in 0..3 {
        drawing.text((4.0, top + 16.0 + 28.0 * warp as f64), &format!("warp {warp}"));
    }
    let mut start = 56.0;
    for (k, phase) in phases.iter().enumerate() {
        let end = start + stretch * phase.lasts;
        let has_barrier = k + 1 < phases.len();
        for (warp, (from, to)) in phase.warps.into_iter().enumerate() {
            let (top, to) = (top + 2.0 + 28.0 * warp as f64, start + stretch * to);
            let from = start + stretch * from;
            drawing.filled(phase.fill, (from, top), (to - from, 20.0));
            if has_barrier {
                drawing.line((to, top + 10.0), (end, top + 10.0));
            }
        }
        drawing.middle(((start + end) / 2.0, top + 106.0), phase.name);
        if has_barrier {
            drawing.outline((end - 1.0, top), (2.0, 90.0));
            drawing.middle((end, top + 122.0), "barrier");
        }
        start = end;
    }
}
