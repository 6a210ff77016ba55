// SPDX-License-Identifier: MIT OR Apache-2.0
//! A tile without and with a word of padding in each row: the banks of a column.

use super::{Anchor, Drawing};

/// Banks, rows and columns that are drawn; a GPU has 32 of each.
const BANKS: usize = 8;
/// Width of a word.
const CELL: f64 = 26.0;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        286.0,
        "Two tiles of eight rows. Rows of eight words: all words of a column lie in one bank. Rows of nine words: they lie \
         in eight banks",
    );
    tile(&mut drawing, 20.0, BANKS, "rows of 8 words", "the column: one bank, 8 passes");
    tile(&mut drawing, 340.0, BANKS + 1, "rows of 9 words", "the column: 8 banks, 1 pass");
    drawing.text(
        (20.0, 278.0),
        12,
        Anchor::Start,
        "A box: a word, with the number of its bank. Drawn with 8 banks; a GPU has 32.",
    );
    drawing.html()
}

/// A tile whose rows begin `width` words apart, the first column lit.
fn tile(drawing: &mut Drawing, left: f64, width: usize, title: &str, below: &str) {
    drawing.text((left, 18.0), 13, Anchor::Start, title);
    for row in 0..BANKS {
        for column in 0..width {
            let place = (left + CELL * column as f64, 28.0 + CELL * row as f64);
            if column == 0 {
                drawing.filled("load", place, (CELL, CELL));
            }
            drawing.outline(place, (CELL, CELL));
            // The word of padding holds nothing.
            if column < BANKS {
                let bank = (row * width + column) % BANKS;
                let middle = (place.0 + CELL / 2.0, place.1 + CELL / 2.0 + 4.0);
                drawing.text(middle, 12, Anchor::Middle, &bank.to_string());
            }
        }
    }
    drawing.text((left, 28.0 + CELL * BANKS as f64 + 20.0), 13, Anchor::Start, below);
}
