//! What runs after what: warps that fill each other's waits, and loops whose loads and arithmetic are ordered.

use crate::figures::kit::drawing::Drawing;

/// Where time begins and ends.
const START: f64 = 4.0;
const END: f64 = 356.0;

/// One warp that waits most of the time, and four that fill each other's waits.
pub fn latency() -> String {
    const WARPS: usize = 4;
    const ISSUE: f64 = 24.0;
    const PERIOD: f64 = 116.0;
    let mut drawing = Drawing::new(
        202.0,
        "One warp alone computes a little and waits a lot. With many warps, each one's waiting is filled by the others' computing, \
         and the processor is always busy",
    );
    for (top, title, warps) in [(0.0, "one warp", 1), (66.0, "many warps", WARPS)] {
        drawing.text((START, top + 14.0), title);
        for warp in 0..warps {
            let top = top + 22.0 + 22.0 * warp as f64;
            let first = START + PERIOD * warp as f64 / WARPS as f64;
            drawing.line((START, top + 8.0), (END, top + 8.0));
            for turn in 0..3 {
                let left = first + PERIOD * f64::from(turn);
                let width = ISSUE.min(END - left);
                drawing.filled("busy", (left, top), (width, 16.0));
            }
        }
    }
    for turn in 0..2 {
        let middle = START + (ISSUE + PERIOD) / 2.0 + PERIOD * f64::from(turn);
        drawing.middle((middle, 54.0), "waits for memory");
    }
    drawing.text((START, 194.0), "filled: an instruction of this warp is issued");
    drawing.end((END, 194.0), "time →");
    drawing.html()
}

/// A loop cut by tests, and the same in one piece.
pub fn pieces() -> String {
    const BODIES: usize = 4;
    let mut drawing = Drawing::new(
        170.0,
        "With tests, each body's loads, waiting and arithmetic come one after the other. Without, the loads of all come first and \
         their waiting overlaps",
    );
    let mut piece = |top: f64, left: f64, bodies: f64, name: &str| {
        let end = left + 54.0 + 32.0 * bodies;
        for (fill, from, to) in
            [("load", left + 2.0, left + 22.0), ("busy", left + 52.0, end - 4.0)]
        {
            drawing.cell(
                fill,
                (from, top),
                (to - from, 22.0),
                if fill == "busy" { name } else { "" },
            );
        }
        drawing.middle((left + 37.0, top + 15.0), "wait");
        for wall in [left, end] {
            drawing.line((wall, top - 6.0), (wall, top + 28.0));
        }
    };
    for body in 0..BODIES {
        piece(30.0, START + 88.0 * body as f64, 1.0, "");
    }
    piece(114.0, START, BODIES as f64, "arithmetic, mixed");
    for (at, words) in [
        ((START, 14.0), "with tests: each body is a piece of its own"),
        ((START, 74.0), "load"),
        ((START + 52.0, 74.0), "arithmetic"),
        ((START, 98.0), "without: one piece, freely ordered"),
        ((START, 158.0), "loads of several bodies"),
    ] {
        drawing.text(at, words);
    }
    drawing.html()
}

/// Interactions of one body of a thread, and of two.
pub fn bodies() -> String {
    let mut drawing = Drawing::new(
        132.0,
        "One body per thread: a load before each interaction. Two bodies per thread: a load before every two",
    );
    for (top, title, parts) in [
        (0.0, "one body p: a load for each interaction", "q p q p q p q p"),
        (62.0, "two bodies p, p′: a load for two", "q p p′ q p p′"),
    ] {
        drawing.text((START, top + 14.0), title);
        let mut left = START;
        for part in parts.split(' ') {
            let (fill, width) = if part == "q" { ("load", 24.0) } else { ("busy", 56.0) };
            drawing.cell(fill, (left, top + 22.0), (width, 24.0), part);
            left += width + 4.0;
        }
    }
    drawing.text((START, 126.0), "q: a load, p and p′: an interaction");
    drawing.html()
}
