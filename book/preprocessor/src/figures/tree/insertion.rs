//! What a place of the tree may be while threads insert bodies, and what changes it.

use crate::figures::kit::drawing::Drawing;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        212.0,
        "States of a place in the tree: empty, a body, locked, a cell. An empty place becomes a body by one atomic compare-and-swap. A body becomes \
         locked while both bodies are moved into new cells, and then a cell",
    );
    let states = [("", "empty"), ("load", "a body"), ("", "locked"), ("busy", "a cell")];
    let left = |place: usize| 4.0 + 96.0 * place as f64;
    for (place, (fill, name)) in states.into_iter().enumerate() {
        drawing.cell(fill, (left(place), 62.0), (62.0, 32.0), name);
        if place > 0 {
            drawing.arrow((left(place) - 32.0, 78.0), (left(place) - 2.0, 78.0));
        }
    }
    drawing.middle((left(1) - 17.0, 36.0), "compare\nand swap");
    drawing.middle((left(2) - 17.0, 36.0), "compare\nand swap");
    drawing.middle((left(3) - 17.0, 36.0), "fence,\nstore");
    drawing.text((4.0, 128.0), "Most bodies find an empty place: one atomic operation\nis the whole insertion, and nothing waits.");
    drawing.text((4.0, 174.0), "Only where a body is in the way is the place locked.\nOthers that arrive meanwhile try again from there.");
    drawing.html()
}
