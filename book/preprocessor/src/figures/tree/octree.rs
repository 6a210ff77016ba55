//! Bodies in a plane, the cells that are cut until each holds one, and the tree of these cells.

use crate::figures::kit::drawing::{Drawing, Point};

/// Where the bodies are, in a square of 1 × 1.
pub const BODIES: [Point; 9] = [
    (0.12, 0.18),
    (0.62, 0.10),
    (0.86, 0.30),
    (0.57, 0.56),
    (0.66, 0.60),
    (0.70, 0.72),
    (0.94, 0.88),
    (0.20, 0.70),
    (0.34, 0.92),
];
/// Side and upper left corner of the square.
const SIDE: f64 = 160.0;
const CORNER: Point = (4.0, 22.0);
/// The tree's left and right end, its top, and from one level to the next.
const TREE: Point = (4.0, 356.0);
const TOP: f64 = 222.0;
const LEVEL: f64 = 44.0;

/// A cell and its children; a leaf holds one body or none.
pub struct Cell {
    pub corner: Point,
    pub side: f64,
    pub bodies: Vec<Point>,
    pub children: Vec<Cell>,
}

impl Cell {
    /// The tree of all bodies.
    pub fn root() -> Cell {
        Cell::new((0.0, 0.0), 1.0, BODIES.to_vec())
    }

    fn new(corner: Point, side: f64, bodies: Vec<Point>) -> Cell {
        let mut children = Vec::new();
        if bodies.len() > 1 {
            let half = side / 2.0;
            for place in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                let corner = (corner.0 + place.0 * half, corner.1 + place.1 * half);
                let is_in = |at: &f64, from: f64| (from..from + half).contains(at);
                let inside =
                    bodies.iter().filter(|(x, y)| is_in(x, corner.0) && is_in(y, corner.1));
                children.push(Cell::new(corner, half, inside.copied().collect()));
            }
        }
        Cell { corner, side, bodies, children }
    }

    /// Leaves that hold a body, or are the last of their kind: what the tree needs room for.
    fn leaves(&self) -> usize {
        self.children.iter().map(Cell::leaves).sum::<usize>().max(1)
    }
}

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        366.0,
        "Above: nine bodies in a square, which is cut into four cells again and again until each holds one body at most. \
         Below: the tree of these cells, its leaves the bodies; empty cells are short strokes",
    );
    let root = Cell::root();
    drawing.text((CORNER.0, 14.0), "cells, cut until each holds one body");
    cells(&mut drawing, &root);
    let words = "Drawn in a plane, where\na cell has four children;\nin space it has eight.";
    drawing.text((CORNER.0 + SIDE + 16.0, 80.0), words);
    drawing.text((TREE.0, 208.0), "the tree of the cells");
    tree(&mut drawing, &root, TREE.0, TREE.1, 0);
    drawing.html()
}

fn cells(drawing: &mut Drawing, cell: &Cell) {
    let at = |(x, y): Point| (CORNER.0 + SIDE * x, CORNER.1 + SIDE * y);
    drawing.outline(at(cell.corner), (SIDE * cell.side, SIDE * cell.side));
    for child in &cell.children {
        cells(drawing, child);
    }
    if let (true, [body]) = (cell.children.is_empty(), cell.bodies.as_slice()) {
        drawing.dot("load", at(*body), 4.5);
    }
}

/// A cell in the middle of its share of the width, its children below; where it stands.
fn tree(drawing: &mut Drawing, cell: &Cell, left: f64, right: f64, level: u32) -> Point {
    let place = ((left + right) / 2.0, TOP + LEVEL * f64::from(level));
    let width = (right - left) / cell.leaves() as f64;
    let mut from = left;
    for child in &cell.children {
        let to = from + width * child.leaves() as f64;
        let below = tree(drawing, child, from, to, level + 1);
        drawing.line(place, below);
        from = to;
    }
    match (cell.children.is_empty(), cell.bodies.len()) {
        (true, 0) => drawing.line((place.0 - 4.0, place.1), (place.0 + 4.0, place.1)),
        (true, _) => drawing.dot("load", place, 5.0),
        (false, _) => drawing.filled("busy", (place.0 - 6.0, place.1 - 6.0), (12.0, 12.0)),
    }
    place
}
