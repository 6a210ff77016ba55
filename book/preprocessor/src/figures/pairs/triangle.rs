//! The square of all pairs of bodies on a CPU, of which the steps from pairs on compute one triangle.

use cpu_07_pairs::BLOCK;
use cpu_10_tiles::{OTHERS, STRIP};

use crate::figures::kit::drawing::{Drawing, Point};

/// Strips of a triangle.
const STRIPS: usize = 9;

/// Every pair from both sides, and each pair once.
pub fn pairs() -> String {
    let mut drawing = Drawing::new(
        262.0,
        "Of the square of all pairs, the triangle above the diagonal is computed; blocks along the diagonal are computed from both sides",
    );
    let (side, corner) = (16.0, (206.0, 40.0));
    drawing.text((20.0, 14.0), "every pair\nfrom both sides");
    drawing.tinted("busy", (20.0, 40.0), (side * STRIPS as f64, side * STRIPS as f64));
    square(&mut drawing, (20.0, 40.0), side);
    drawing.text((206.0, 14.0), "each pair\nonce");
    triangle(&mut drawing, corner, side, |_| ("load", "busy"));
    drawing.legend(
        (4.0, 222.0),
        "load",
        &format!("blocks of {BLOCK}: still both sides, each for itself"),
    );
    drawing.legend(
        (4.0, 240.0),
        "busy",
        "after them: whole vectors;\neach adds to i and is taken from j",
    );
    drawing.html()
}

/// The triangle in strips, and these in tiles.
pub fn tiles() -> String {
    /// Strips from one tile to the next: not to scale.
    const TILE: f64 = 2.75;
    let mut drawing =
        Drawing::new(194.0, "The triangle of pairs in strips, and each strip in tiles");
    let (side, corner) = (18.0, (20.0, 8.0));
    triangle(&mut drawing, corner, side, |_| ("load", "busy"));
    for strip in 0..STRIPS {
        let (x, y) = (corner.0 + side * (strip as f64 + 1.0), corner.1 + side * strip as f64);
        for tile in 0..4 {
            let left = x + side * TILE * f64::from(tile);
            let width = (side * TILE).min(corner.0 + side * STRIPS as f64 - left);
            if width > 0.0 {
                drawing.outline((left, y), (width, side));
            }
            if (strip, tile) == (1, 1) {
                drawing.filled("busy", (left, y), (width, side));
            }
        }
    }
    drawing.legend((194.0, 26.0), "load", &format!("a strip of {STRIP} bodies\nwith each other"));
    let words = format!(
        "a tile: the strip with\n{OTHERS} others (not to\nscale). Their positions,\nand the sums of this\ntile, stay in the second\n\
         cache, while every body\nof the strip passes"
    );
    drawing.legend((194.0, 66.0), "busy", &words);
    drawing.html()
}

/// Strips dealt to two threads, forth and back.
pub fn threads() -> String {
    let mut drawing = Drawing::new(
        196.0,
        "Strips of the triangle dealt to two threads in the order A B B A; each thread has its own sums, which are added in order",
    );
    let thread = |strip| if [0, 3].contains(&(strip % 4)) { ("busy", "A") } else { ("load", "B") };
    triangle(&mut drawing, (20.0, 8.0), 18.0, |strip| (thread(strip).0, thread(strip).0));
    for strip in 0..STRIPS {
        let y = 8.0 + 18.0 * (strip as f64 + 0.75);
        drawing.middle((191.0, y), thread(strip).1);
    }
    drawing.text((216.0, 22.0), "each thread writes\nto sums of its own");
    drawing.row((216.0, 54.0), (130.0, 26.0), [("busy", "A")]);
    drawing.row((216.0, 90.0), (130.0, 26.0), [("load", "B")]);
    drawing.arrow((281.0, 118.0), (281.0, 140.0));
    drawing.text((216.0, 156.0), "then: 0 + A + B,\nalways in this order");
    drawing.html()
}

/// Strips from the diagonal on, each filled as `fills` says on the diagonal and behind it.
fn triangle(
    drawing: &mut Drawing,
    (x, y): Point,
    side: f64,
    fills: impl Fn(usize) -> (&'static str, &'static str),
) {
    for strip in 0..STRIPS {
        let (diagonal, behind) = fills(strip);
        let (left, top) = (x + side * strip as f64, y + side * strip as f64);
        drawing.tinted(diagonal, (left, top), (side, side));
        drawing.tinted(behind, (left + side, top), (side * (STRIPS - strip - 1) as f64, side));
    }
    square(drawing, (x, y), side);
}

/// The frame of all pairs, with the names of its sides.
fn square(drawing: &mut Drawing, (x, y): Point, side: f64) {
    let all = side * STRIPS as f64;
    drawing.outline((x, y), (all, all));
    drawing.middle((x - 8.0, y + all / 2.0 + 4.0), "i");
    drawing.middle((x + all / 2.0, y + all + 15.0), "j");
}
