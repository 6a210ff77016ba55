//! Functions of libraries, below the rungs: each is a line across the picture, and no rung.

use report::{Row, format};

use crate::kit::canvas::{Canvas, Point};
use crate::kit::grid::Plane;
use crate::kit::rows::{self, Name, Table};
use crate::kit::style::{HOST, tint};

/// What the line of a speed is dashed by.
const RHYTHM: (i32, i32) = (8, 7);

/// What stands at the left of a function: where its time comes from, if it is not of this run.
pub fn name(row: &Row) -> Name<'_> {
    let committed = row.committed.as_ref().map(|it| format!("{}, committed", it.device));
    let below = committed.unwrap_or_else(|| row.changes.clone());
    Name { step: &row.title, detour: true, below }
}

/// A function whose speed lies at this point.
pub fn draw(
    canvas: &mut Canvas,
    table: &Table,
    plane: Plane,
    (x, y): Point,
    (row, speed): (&Row, f64),
) {
    plane.line(canvas, y, 2);
    canvas.dashes(&[(x, plane.top), (x, y)], 3, RHYTHM, tint(HOST, 0.8));
    canvas.dot((x, y), 8, HOST);
    table.name(canvas, y, &name(row));
    let numbers = [format::quantity(speed), format::NONE.to_owned()];
    table.numbers(canvas, y, &rows::number(true), &numbers);
}
