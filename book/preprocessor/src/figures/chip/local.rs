//! Where an array of a thread lies: in registers, or in local memory.

use crate::figures::kit::drawing::Drawing;

pub fn figure() -> String {
    const WORDS: usize = 8;
    let mut drawing = Drawing::new(
        214.0,
        "A thread's array. With a variable index it lies in local memory: each access goes through the L1 cache, and perhaps to L2 and the \
         GPU's memory. With constant indices each element is a register",
    );
    drawing.text((4.0, 14.0), "x[i], i known at run time only");
    drawing.cell("", (4.0, 24.0), (80.0, 28.0), "arithmetic");
    for (place, name) in ["L1", "L2", "memory"].into_iter().enumerate() {
        let left = 124.0 + 80.0 * place as f64;
        drawing.cell("load", (left, 24.0), (62.0, 28.0), name);
        drawing.line((left - (if place == 0 { 40.0 } else { 18.0 }), 38.0), (left, 38.0));
    }
    drawing.text(
        (4.0, 74.0),
        "An address is computed, and a load or a store is issued,\nfor each access.",
    );
    drawing.text((4.0, 124.0), "x[0], x[1], … : every index a constant");
    drawing.cell("", (4.0, 134.0), (80.0, 28.0), "arithmetic");
    drawing.arrow((104.0, 148.0), (86.0, 148.0));
    drawing.row((106.0, 134.0), (31.0, 28.0), (0..WORDS).map(|word| ("busy", format!("r{word}"))));
    drawing
        .text((4.0, 186.0), "Each element is a register: an operand of the instruction\nitself.");
    drawing.html()
}
