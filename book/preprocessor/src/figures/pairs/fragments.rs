//! Which lane holds what of the matrices of tensor cores: two results side by side, and an operand.
//!
//! As the PTX ISA has the fragments of `mma.m16n8k16`: lane 4g + t holds rows g and g + 8, columns 2t and 2t + 1 of a result, and of
//! the left operand those and the columns 8 further.

use crate::figures::kit::drawing::{Drawing, Point};

/// Rows of a tile, and boxes of two columns in each.
const ROWS: usize = 16;
const BOXES: usize = 8;
/// Height of a box.
const HIGH: f64 = 15.0;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        344.0,
        "Which lane holds what: in the results of two products, 16 bodies by 8 partners each, and in a 16 by 16 operand. The lanes \
         stand at the same places",
    );
    drawing.text((2.0, 14.0), "two results: squared distances");
    drawing.middle((41.0, 34.0), "partners 0–7");
    drawing.middle((126.0, 34.0), "8–15");
    matrix(&mut drawing, (2.0, 42.0), 19.5, 8.0);
    drawing.arrow((170.0, 162.0), (198.0, 162.0));
    drawing.text((202.0, 14.0), "one operand: s");
    drawing.middle((280.0, 34.0), "partners 0–15");
    matrix(&mut drawing, (202.0, 42.0), 19.5, 0.0);
    drawing.text(
        (2.0, 300.0),
        "The arrow: root, cube, and two to a register. A row: a body.\n\
         A box: two elements side by side, in the lane whose\n\
         number it bears; those of lanes 0 to 3 stand out.",
    );
    drawing.html()
}

/// A tile of pairs, by lanes.
pub fn tile() -> String {
    let mut drawing = Drawing::new(
        328.0,
        "A tile of 16 by 16 pairs, a row for each body and a column for each partner: which lane computes which pair",
    );
    drawing.text((64.0, 14.0), "partners 0 to 15");
    matrix(&mut drawing, (64.0, 22.0), 36.0, 0.0);
    for row in [0, 7, 8, ROWS - 1] {
        drawing.end((58.0, 34.0 + HIGH * row as f64), &format!("body {row}"));
    }
    drawing.text(
        (4.0, 284.0),
        "A box: two pairs side by side, computed by the lane whose\n\
         number it bears. Lane 0 has the first box of rows 0 and 8,\n\
         and the fifth: eight pairs.",
    );
    drawing.html()
}

/// A matrix of 16 × 16 of boxes so wide, whose halves stand so far apart.
fn matrix(drawing: &mut Drawing, corner: Point, wide: f64, gap: f64) {
    for row in 0..ROWS {
        for column in 0..BOXES {
            let (class, apart) = if column < BOXES / 2 { ("load", 0.0) } else { ("busy", gap) };
            let (group, lane) = (row % 8, 4 * (row % 8) + column % 4);
            let (x, y) = (corner.0 + apart + wide * column as f64, corner.1 + HIGH * row as f64);
            for _ in 0..if group == 0 { 2 } else { 1 } {
                drawing.tinted(class, (x, y), (wide - 1.0, HIGH - 1.0));
            }
            drawing.middle((x + wide / 2.0, y + 11.5), &lane.to_string());
        }
    }
}
