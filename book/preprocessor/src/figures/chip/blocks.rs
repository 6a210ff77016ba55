//! Blocks of a grid on multiprocessors that have room for two each, while the rest waits.

use crate::figures::kit::drawing::Drawing;

/// Blocks of the grid, multiprocessors, and the blocks that one has room for.
const BLOCKS: usize = 12;
const PROCESSORS: usize = 4;
const ROOM: usize = 2;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        150.0,
        "Twelve blocks of a grid and four multiprocessors, which have room for two blocks each: eight blocks run, the rest wait",
    );
    drawing.text((4.0, 25.0), "waiting");
    for (k, block) in (PROCESSORS * ROOM..BLOCKS).enumerate() {
        drawing.dashed((68.0 + 74.0 * k as f64, 4.0), (29.0, 32.0), &block.to_string());
    }
    drawing.text((68.0, 56.0), "when a block ends, the next one takes its place");
    drawing.text((4.0, 118.0), "running");
    for processor in 0..PROCESSORS {
        let left = 62.0 + 74.0 * processor as f64;
        drawing.outline((left, 72.0), (70.0, 72.0));
        drawing.middle((left + 35.0, 90.0), &format!("SM {processor}"));
        let blocks = (0..ROOM).map(|k| ("busy", processor + PROCESSORS * k));
        drawing.row((left + 6.0, 98.0), (29.0, 36.0), blocks);
    }
    drawing.html()
}
