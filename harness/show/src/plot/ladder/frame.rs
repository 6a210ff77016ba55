//! What stands around the rungs: message, basis, rails, axis, notes.

use anyhow::Result;

use super::Drawing;
use super::layout::{AXIS, COLUMN, HEAD};
use crate::plot::axis::Axis;
use crate::plot::canvas::{Point, Surface};
use crate::plot::head::{self, Notes};
use crate::plot::numbers;
use crate::plot::rows::second;
use crate::plot::rungs::Picture;
use crate::plot::scene::Basis;
use crate::plot::style::{CARD, HAIR, MARGIN, MUTED, RAIL, WIDTH, tint};

impl<DB: Surface> Drawing<'_, '_, '_, DB> {
    /// The message, whether it was measured, and the heads of the columns.
    pub fn head(&mut self) -> Result<()> {
        head::message(self.canvas, &self.picture.title)?;
        self.basis()?;
        if self.layout.axis.is_some() {
            let head = second().right();
            self.canvas.text((WIDTH - MARGIN - COLUMN, HEAD - 20), &head, "10⁹/s")?;
            self.canvas.text((WIDTH - MARGIN, HEAD - 20), &head, "× first")?;
        }
        Ok(())
    }

    /// Where the times are from, and of how many bodies.
    fn basis(&mut self) -> Result<()> {
        let scene = &self.picture.scene;
        let mut rest = scene.rest();
        if scene.basis == Basis::Mixed {
            rest.push_str(" (hollow rungs)");
        }
        if let Some(n) = self.picture.usual_n {
            let bodies = numbers::count(n);
            let mut sizes = self.picture.rungs.iter().filter_map(|rung| rung.climb()?.n);
            let unless = if sizes.any(|size| size != n) { " unless noted" } else { "" };
            rest = format!("{rest} · n = {bodies} bodies{unless}");
        }
        head::basis(self.canvas, scene.basis, &rest)
    }

    /// Rails, a line for each rung, ticks and the mark of a cut.
    pub fn grid(&mut self) -> Result<()> {
        let (left, right, bottom) = (self.layout.left, self.layout.right, self.layout.bottom);
        for at in 0..self.picture.rungs.len() {
            let y = self.layout.y(at);
            self.canvas.line((left, y), (right, y), 2, HAIR)?;
        }
        if let Some(axis) = &self.layout.axis {
            let label = second().centred();
            let mut free = left;
            for value in axis.ticks() {
                let (x, text) = (axis.x(value), numbers::tick(value));
                let half = label.width(&text) / 2;
                if x - half < free {
                    continue;
                }
                free = x + half + 14;
                self.canvas.line((x, HEAD), (x, bottom), 2, HAIR)?;
                self.canvas.text((x, bottom + 26), &label, &text)?;
            }
            let unit = "10⁹ interactions per second, logarithmic: equal lengths are equal factors";
            self.canvas.text(((left + right) / 2, bottom + 60), &label, unit)?;
        }
        let rail = tint(RAIL, 0.6);
        for x in [left, right] {
            self.canvas.line((x, HEAD), (x, bottom), 4, rail)?;
        }
        self.canvas.line((left - 2, bottom), (right + 2, bottom), 3, rail)?;
        self.slashes(bottom)
    }

    /// Two slanted strokes where the axis is cut.
    pub fn slashes(&mut self, y: i32) -> Result<()> {
        let Some((from, to)) = self.layout.cut() else {
            return Ok(());
        };
        let middle = (from + to) / 2;
        self.canvas.polygon(&slanted((middle, y), 14), CARD)?;
        self.canvas.polygon(&slanted((middle - 10, y), 2), MUTED)?;
        self.canvas.polygon(&slanted((middle + 10, y), 2), MUTED)
    }

    /// What stands below the axis.
    pub fn notes(&mut self) -> Result<()> {
        let notes = notes(self.picture, self.layout.axis.as_ref());
        notes.draw(self.canvas, self.layout.bottom + AXIS)
    }
}

/// What a reader must know to read the factors, and where the numbers are from.
pub fn notes(picture: &Picture, axis: Option<&Axis>) -> Notes {
    let compared = (0..picture.rungs.len()).any(|at| picture.lift(at).is_some());
    let factors = "× on a rung: its speed over that of the step it rises from (its parent), \
                   both at equal n. × first: the product of these along the way up.";
    let mut marks = Vec::new();
    if picture.rungs.iter().any(|rung| rung.detour && rung.climb().is_some()) {
        marks.push("Faint: a detour, tried and not kept.");
    }
    if (0..picture.rungs.len()).any(|at| picture.lift(at).is_some_and(|lift| !lift.level)) {
        marks.push("Dotted: its ends are speeds at different n.");
    }
    if axis.and_then(Axis::cut).is_some() {
        marks.push("//: here the axis is cut.");
    }
    let first = if compared { factors } else { "" };
    Notes::of(&[first, &marks.join(" ")], &picture.scene)
}

/// A slanted stroke of this half width through a point.
fn slanted((x, y): Point, half: i32) -> [Point; 4] {
    let (lean, rise) = (6, 14);
    [
        (x - half + lean, y - rise),
        (x + half + lean, y - rise),
        (x + half - lean, y + rise),
        (x - half - lean, y + rise),
    ]
}
