//! Groups of bodies in a ring, each with those half way round that it meets, and the pairs that these are.

use std::f64::consts::TAU;

use crate::figures::kit::drawing::{Drawing, Point};

/// Groups in the ring: an odd number, of which each meets as many.
const GROUPS: usize = 7;
/// Those that follow it up to half way round.
const MET: usize = GROUPS / 2;
/// Middle and radius of the ring.
const MIDDLE: Point = (80.0, 122.0);
const RADIUS: f64 = 62.0;
/// Upper left corner of the square of pairs, and the side of one of its boxes.
const CORNER: Point = (196.0, 56.0);
const CELL: f64 = 22.0;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        262.0,
        "Seven groups in a ring: each meets the next three. In the square of all pairs of groups, that is a band of equal rows, which \
         wraps around at the edge",
    );
    drawing.text((4.0, 14.0), "whom groups 0\nand 4 meet");
    for (from, step) in [0, 4].into_iter().flat_map(|from| (1..=MET).map(move |step| (from, step)))
    {
        let (start, end) = (place(from), place((from + step) % GROUPS));
        let length = (end.0 - start.0).hypot(end.1 - start.1);
        let along = |at: f64| {
            let share = at / length;
            (start.0 + share * (end.0 - start.0), start.1 + share * (end.1 - start.1))
        };
        drawing.arrow(along(14.0), along(length - 16.0));
    }
    for group in 0..GROUPS {
        let (x, y) = place(group);
        drawing.cell("", (x - 12.0, y - 12.0), (24.0, 24.0), &group.to_string());
    }
    drawing.text((184.0, 14.0), "all pairs of groups:\nrows of equal length");
    for row in 0..GROUPS {
        let middle = CELL * (row as f64 + 0.5);
        let number = row.to_string();
        drawing.middle((CORNER.0 + middle, CORNER.1 - 6.0), &number);
        drawing.middle((CORNER.0 - 9.0, CORNER.1 + middle + 4.0), &number);
        let cells = (0..GROUPS).map(|column| match (column + GROUPS - row) % GROUPS {
            0 => ("load", ""),
            step if step <= MET => ("busy", ""),
            _ => ("", ""),
        });
        drawing.row((CORNER.0, CORNER.1 + CELL * row as f64), (CELL, CELL), cells);
    }
    drawing.legend((4.0, 234.0), "busy", "with another group: each pair once");
    drawing.legend((4.0, 254.0), "load", "with itself: both sides");
    drawing.html()
}

/// Where a group is in the ring: the first at the top, the others clockwise.
fn place(group: usize) -> Point {
    let angle = TAU * group as f64 / GROUPS as f64;
    (MIDDLE.0 + RADIUS * angle.sin(), MIDDLE.1 - RADIUS * angle.cos())
}
