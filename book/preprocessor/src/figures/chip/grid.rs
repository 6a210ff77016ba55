//! A grid, one of its blocks, one of that block's warps, and the warp's lanes.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::shared::WARP;

/// Threads of the block that is drawn, and the blocks of the grid.
const BLOCK: usize = 256;
const BLOCKS: usize = 4;
/// The block and the warp of which the parts are drawn.
const CHOSEN: usize = 2;
/// Where the drawing begins, and how wide it is.
const LEFT: f64 = 4.0;
const WIDE: f64 = 352.0;

pub fn figure() -> String {
    let warps = BLOCK / WARP;
    let mut drawing = Drawing::new(
        232.0,
        "A grid of four blocks; one block enlarged into 8 warps of 32 threads; one warp enlarged into its 32 lanes",
    );
    row(&mut drawing, 22.0, "a grid of four blocks", BLOCKS, "block ");
    row(
        &mut drawing,
        102.0,
        &format!("block {CHOSEN}: {warps} warps of {WARP} threads"),
        warps,
        "",
    );
    drawing.middle((LEFT + WIDE / 2.0, 176.0), &format!("warp {CHOSEN}: {WARP} lanes"));
    let lane = WIDE / WARP as f64;
    for k in 0..WARP {
        drawing.filled("busy", (LEFT + lane * k as f64 + 1.0, 182.0), (lane - 2.0, 28.0));
    }
    let first = CHOSEN * WARP;
    drawing.text((LEFT, 226.0), &format!("thread {first}: lane 0"));
    let last = format!("thread {}: lane {}", first + WARP - 1, WARP - 1);
    drawing.end((LEFT + WIDE, 226.0), &last);
    drawing.html()
}

/// Parts side by side, and lines from the chosen one to what it consists of.
fn row(drawing: &mut Drawing, top: f64, title: &str, parts: usize, name: &str) {
    drawing.middle((LEFT + WIDE / 2.0, top - 6.0), title);
    let width = WIDE / parts as f64;
    let cells = (0..parts).map(|k| (if k == CHOSEN { "busy" } else { "" }, format!("{name}{k}")));
    drawing.row((LEFT, top), (width, 28.0), cells);
    let chosen = LEFT + width * CHOSEN as f64;
    drawing.line((chosen, top + 28.0), (LEFT, top + 80.0));
    drawing.line((chosen + width, top + 28.0), (LEFT + WIDE, top + 80.0));
}
