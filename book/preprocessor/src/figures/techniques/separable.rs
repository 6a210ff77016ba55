//! A filter in two passes, and a tile with the margin that both need.

use crate::figures::kit::drawing::Drawing;

/// Coefficients of a row that are drawn; the ladder has nine.
const TAPS: usize = 5;
const SIDE: f64 = 14.0;

pub fn passes() -> String {
    let mut drawing = Drawing::new(
        184.0,
        "A square of 25 products, or a row of five and then a column of five: the result is the same where the coefficients are products",
    );
    let square =
        |drawing: &mut Drawing, left: f64, title: &str, wanted: fn(usize, usize) -> bool| {
            drawing.text((left, 14.0), title);
            for row in 0..TAPS + 2 {
                let cells = (0..TAPS + 2).map(|column| {
                    let is_in = (1..=TAPS).contains(&row) && (1..=TAPS).contains(&column);
                    let middle = (TAPS + 2) / 2;
                    let fill = match (row, column) {
                        place if place == (middle, middle) => "load",
                        _ if is_in && wanted(row, column) => "busy",
                        _ => "",
                    };
                    (fill, "")
                });
                drawing.row((left, 24.0 + SIDE * row as f64), (SIDE, SIDE), cells);
            }
        };
    square(&mut drawing, 4.0, "one pass", |_, _| true);
    square(&mut drawing, 132.0, "rows …", |row, _| row == (TAPS + 2) / 2);
    square(&mut drawing, 254.0, "… then columns", |_, column| column == (TAPS + 2) / 2);
    let words = format!(
        "{} products for each result in one pass, {} in two.\nThe ladder's filter has 9 coefficients: {} and {}.",
        TAPS * TAPS,
        2 * TAPS,
        9 * 9,
        2 * 9
    );
    drawing.text((4.0, 150.0), &words);
    drawing.html()
}

/// A tile of results, and what must be loaded and summed for it.
pub fn margin() -> String {
    /// Pixels of a tile, and the reach of the filter, as the kernel has them.
    const TILE: (usize, usize) = (32, 16);
    const REACH: usize = 4;
    const UNIT: f64 = 4.6;
    let (width, rows) = (TILE.0 + 2 * REACH, TILE.1 + 2 * REACH);
    let mut drawing = Drawing::new(
        208.0,
        format!(
            "A tile of {} by {} results within {width} by {rows} pixels that are loaded. Sums along rows are needed for {rows} rows of {}",
            TILE.0, TILE.1, TILE.0
        ),
    );
    let side = |pixels: usize| UNIT * pixels as f64;
    let (left, top) = (4.0, 24.0);
    drawing.text((4.0, 14.0), "a tile and its margin");
    drawing.cell("load", (left, top), (side(width), side(rows)), "");
    let inner = (left + side(REACH), top + side(REACH));
    drawing.filled("paper", (inner.0, top), (side(TILE.0), side(rows)));
    drawing.tinted("busy", (inner.0, top), (side(TILE.0), side(rows)));
    drawing.cell(
        "",
        inner,
        (side(TILE.0), side(TILE.1)),
        &format!("{} × {} results", TILE.0, TILE.1),
    );
    let more = |pixels: usize| 100 * pixels / (TILE.0 * TILE.1) - 100;
    let loaded = format!("{width} × {rows} pixels are loaded: {} % more", more(width * rows));
    drawing.legend((4.0, 156.0), "load", &loaded);
    let summed =
        format!("{} × {rows} are summed along rows: {} % more", TILE.0, more(TILE.0 * rows));
    drawing.legend((4.0, 178.0), "busy", &summed);
    drawing.text((4.0, 202.0), "Neighbouring blocks load and sum the same margins.");
    drawing.html()
}
