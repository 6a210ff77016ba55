//! Curves through the cells of a plane, and keys of bodies along them.

use super::octree::BODIES;
use crate::figures::kit::drawing::{Drawing, Point};
use crate::figures::kit::film::Film;

/// A cell of a grid: its column and its row.
type Place = (usize, usize);

/// The cell at a place of Morton's curve: the bits of its number in turns.
fn morton(number: usize, levels: u32) -> Place {
    let bits = |from: u32| (0..levels).map(|k| (number >> (2 * k + from) & 1) << k).sum();
    (bits(0), bits(1))
}

/// The cell at a place of Hilbert's curve.
fn hilbert(number: usize, levels: u32) -> Place {
    let (mut x, mut y) = (0, 0);
    for level in 0..levels {
        let side = 1 << level;
        let digit = number >> (2 * level) & 3;
        let (right, below) = (usize::from(digit >> 1 == 1), usize::from(digit == 1 || digit == 2));
        if below == 0 {
            if right == 1 {
                (x, y) = (side - 1 - x, side - 1 - y);
            }
            (x, y) = (y, x);
        }
        (x, y) = (x + side * right, y + side * below);
    }
    (x, y)
}

/// How often the next cell of a curve does not touch the one before.
fn jumps(curve: fn(usize, u32) -> Place, levels: u32) -> usize {
    let touch = |a: Place, b: Place| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    let cells = 1..1usize << (2 * levels);
    cells.filter(|number| !touch(curve(number - 1, levels), curve(*number, levels))).count()
}

/// A curve through a square of this side at a corner.
fn draw(
    drawing: &mut Drawing,
    curve: fn(usize, u32) -> Place,
    levels: u32,
    corner: Point,
    side: f64,
) {
    let cell = side / f64::from(1 << levels);
    drawing.outline(corner, (side, side));
    let middle = |number| {
        let (column, row) = curve(number, levels);
        (corner.0 + cell * (column as f64 + 0.5), corner.1 + cell * (row as f64 + 0.5))
    };
    drawing
        .path("stroke=\"currentColor\" stroke-width=\"1.4\"", (0..1 << (2 * levels)).map(middle));
}

/// Morton's curve, level by level.
pub fn levels() -> String {
    const SIDE: f64 = 168.0;
    let mut film = Film::new(
        "Morton's curve through a square that is cut into four, sixteen and sixty-four cells",
    );
    for levels in 1..=3 {
        let cells = 1 << (2 * levels);
        let mut drawing = Drawing::new(200.0, format!("Morton's curve through {cells} cells"));
        drawing.text(
            (4.0, 14.0),
            &format!("{levels} digit{}: {cells} cells", if levels > 1 { "s" } else { "" }),
        );
        draw(&mut drawing, morton, levels, (4.0, 24.0), SIDE);
        if levels < 3 {
            let cell = SIDE / f64::from(1 << levels);
            for number in 0..cells {
                let (column, row) = morton(number, levels);
                let at = (10.0 + cell * column as f64, 38.0 + cell * row as f64);
                drawing.text(at, &key(number, levels));
            }
        }
        let words = "A digit says which of the\nfour parts a body is in.\nThe next digit says which\npart of that. Bodies whose\nkeys begin alike share a\ncell.";
        drawing.text((188.0, 60.0), words);
        let caption = match levels {
            1 => "One digit: upper left, upper right, lower left, lower right.",
            2 => "Each part is cut again, and visited in the same order: a Z of Zs.",
            _ => {
                "And again. The curve leaves no part before it has seen all of it; between parts it jumps."
            }
        };
        film.frame(drawing, caption);
    }
    film.html()
}

/// Morton's curve and Hilbert's, side by side.
pub fn both() -> String {
    const LEVELS: u32 = 3;
    let mut drawing = Drawing::new(
        224.0,
        "Two curves through sixty-four cells. Morton's jumps between parts of the square; Hilbert's always goes on to a cell that touches",
    );
    for (left, name, curve) in
        [(4.0, "Morton", morton as fn(usize, u32) -> Place), (190.0, "Hilbert", hilbert)]
    {
        drawing.text((left, 14.0), name);
        draw(&mut drawing, curve, LEVELS, (left, 24.0), 164.0);
        drawing.text((left, 208.0), &format!("{} of 63 steps are jumps", jumps(curve, LEVELS)));
    }
    drawing.html()
}

/// The digits of a key.
fn key(number: usize, levels: u32) -> String {
    (0..levels).rev().map(|level| char::from(b'0' + (number >> (2 * level) & 3) as u8)).collect()
}

/// Bodies in the order of their keys, and the cells that are ranges of them.
pub fn ranges() -> String {
    const LEVELS: u32 = 3;
    const WIDE: f64 = 39.0;
    let of = |(x, y): Point| {
        let cell = |at: f64| (at * f64::from(1 << LEVELS)) as usize;
        let is_it = |number: &usize| morton(*number, LEVELS) == (cell(x), cell(y));
        (0..1 << (2 * LEVELS)).find(is_it).unwrap_or(0)
    };
    let mut keys = BODIES.map(of);
    keys.sort_unstable();
    let mut drawing = Drawing::new(
        186.0,
        "Nine bodies in the order of their keys of three digits. Keys that begin with the same digit are neighbours: a cell is a range of \
         bodies, and a smaller cell a range within that",
    );
    drawing.text((4.0, 14.0), "keys of nine bodies in a plane, sorted");
    drawing.row((3.0, 24.0), (WIDE, 26.0), keys.map(|number| ("load", key(number, LEVELS))));
    for digits in 1..=2 {
        let top = 66.0 + 48.0 * f64::from(digits - 1);
        drawing.text(
            (4.0, top + 4.0),
            ["the same first digit", "the same first two digits"][digits as usize - 1],
        );
        let prefix = |place: usize| keys[place] >> (2 * (LEVELS - digits));
        let mut from = 0;
        while from < keys.len() {
            let count =
                (from..keys.len()).take_while(|place| prefix(*place) == prefix(from)).count();
            if count > 1 {
                let corner = (3.0 + WIDE * from as f64, top + 10.0);
                let name = key(prefix(from), digits) + "…";
                drawing.cell("busy", corner, (WIDE * count as f64 - 3.0, 22.0), &name);
            }
            from += count;
        }
    }
    drawing.text((4.0, 168.0), "A box is a cell with more than one body: a range of the\nsorted bodies. In a plane a digit is 0 to 3, in space 0 to 7.");
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_visit_every_cell_once_and_hilberts_never_jumps() {
        for curve in [morton, hilbert] {
            let mut cells: Vec<Place> = (0..64).map(|number| curve(number, 3)).collect();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), 64);
        }
        assert_eq!(jumps(hilbert, 3), 0);
        assert!(jumps(morton, 3) > 20);
    }
}
