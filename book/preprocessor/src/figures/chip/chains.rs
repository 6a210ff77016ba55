//! Instructions that depend on each other, and independent ones that fill the gaps.

use crate::figures::kit::drawing::Drawing;

/// Cycles from an instruction to the next that needs its result.
const LATENCY: usize = 4;
const CYCLES: usize = 16;
const WIDE: f64 = 18.0;
const LEFT: f64 = 66.0;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        206.0,
        "Cycles of a scheduler. One warp with one chain of dependent instructions issues in one cycle of four; with two chains in two; \
         with four chains in every cycle",
    );
    drawing.text((LEFT, 14.0), "the scheduler's cycles");
    for (row, chains) in [1, 2, 4].into_iter().enumerate() {
        let top = 22.0 + 44.0 * row as f64;
        drawing.text(
            (4.0, top + 16.0),
            &format!("{chains} chain{}", if chains > 1 { "s" } else { "" }),
        );
        let cells = (0..CYCLES).map(|cycle| {
            let chain = cycle % LATENCY;
            let fill = if chain < chains { ["busy", "load"][chain % 2] } else { "" };
            (
                fill,
                if chain < chains {
                    char::from(b'a' + chain as u8).to_string()
                } else {
                    String::new()
                },
            )
        });
        drawing.row((LEFT, top), (WIDE, 24.0), cells);
    }
    let words = format!(
        "A letter: an instruction of that chain. Its result is there\n{LATENCY} cycles later; until then the chain waits. More warps\nwould fill the gaps as well."
    );
    drawing.text((4.0, 164.0), &words);
    drawing.html()
}
