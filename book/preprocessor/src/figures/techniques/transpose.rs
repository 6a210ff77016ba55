//! A tile that turns rows into columns, and where its words lie in banks.

use crate::figures::kit::drawing::Drawing;

/// Rows and columns that are drawn; a tile has 32.
const SIDE: usize = 8;
const WIDE: f64 = 15.0;

/// Read by rows, written by rows, turned in shared memory between.
pub fn tile() -> String {
    let mut drawing = Drawing::new(
        196.0,
        "Three squares. Input: a row is read. Shared memory: it is stored as a row, and a column is read. Output: that is written as a row",
    );
    let squares = [
        ("input: rows", 0, true),
        ("tile: row in, column out", 1, true),
        ("output: rows", 2, false),
    ];
    for (title, place, _) in squares {
        let left = 4.0 + 122.0 * f64::from(place);
        drawing.middle((left + 52.0, 14.0), title.split(": ").next().unwrap_or(title));
        for row in 0..SIDE {
            let cells = (0..SIDE).map(|column| {
                let is_read = match place {
                    0 => row == 2,
                    1 => row == 2 || column == 5,
                    _ => row == 5,
                };
                let is_column = (place == 1 && column == 5) || place == 2;
                (
                    if !is_read {
                        ""
                    } else if is_column {
                        "load"
                    } else {
                        "busy"
                    },
                    "",
                )
            });
            drawing.row((left, 24.0 + WIDE * row as f64), (13.0, WIDE), cells);
        }
    }
    drawing.arrow((108.0, 62.0), (126.0, 62.0));
    drawing.arrow((230.0, 106.0), (248.0, 106.0));
    let words = "Memory sees rows only, on both sides: whole sectors.\nThe turn happens in shared memory, where a column\ncosts no more than a row if it lies in different banks.";
    drawing.text((4.0, 162.0), words);
    drawing.html()
}

/// The banks of a tile whose columns are mixed by exclusive or.
pub fn swizzled() -> String {
    let bank = |row: usize, column: usize| column ^ row;
    let mut drawing = Drawing::new(
        200.0,
        "Two tiles of eight rows, without padding. Plain: a column lies in one bank. Swizzled: word column xor row, so that each column \
         lies in eight banks",
    );
    for (left, title, is_swizzled) in [(4.0, "plain", false), (190.0, "swizzled", true)] {
        drawing.text((left, 14.0), title);
        for row in 0..SIDE {
            // Where the words of the tile's first column lie.
            let cells = (0..SIDE).map(|place| {
                let wanted = if is_swizzled { bank(row, 0) } else { 0 };
                (if place == wanted { "load" } else { "" }, place)
            });
            drawing.row((left, 22.0 + 18.0 * row as f64), (19.0, 18.0), cells);
        }
    }
    drawing.text((4.0, 184.0), "Filled: the words of column 0. The numbers are banks.");
    drawing.html()
}
