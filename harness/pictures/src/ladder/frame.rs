//! What stands around the rungs: basis, rails, axis, notes.

use report::scene::Basis;
use report::{Outcome, format};

use super::drawing::{COLUMN, Drawing, HEAD};
use crate::kit::scale::Scale;
use crate::kit::style::{HAIR, RAIL, tint};
use crate::kit::{caption, grid, rows, unit};

impl Drawing<'_, '_> {
    /// Whether it was measured, of what size; rails, axis, and heads of the columns.
    pub fn frame(&mut self) {
        let (ladder, size) = (self.ladder, self.ladder.size);
        let mut more = String::new();
        if ladder.scene.basis == Basis::Mixed {
            more.push_str(" (hollow rungs)");
        }
        if let Some(n) = ladder.usual_n {
            let mut climbs = ladder.rungs.iter().filter_map(|rung| rung.climb.as_ref());
            let unless = if climbs.any(|climb| climb.n != n) { " unless noted" } else { "" };
            more = format!("{more} · n = {} {size}{unless}", format::grouped(n));
        }
        caption::scene(self.canvas, &ladder.scene, &more);
        let (left, right, bottom) = (self.left, self.right, self.bottom);
        for at in ladder.shown() {
            let y = self.heights[at];
            self.canvas.line((left, y), (right, y), 2, HAIR);
        }
        let rail = tint(RAIL, 0.6);
        if let Some(scale) = &self.scale {
            rows::heads(self.canvas, HEAD - 20, COLUMN, &[&unit::short(ladder.unit), "× first"]);
            let unit = format!("{}, logarithmic: equal lengths are equal factors", ladder.unit);
            grid::level(self.canvas, &grid::ticks(scale), (HEAD, bottom), (left, right), &unit);
        }
        for x in [left, right] {
            self.canvas.line((x, HEAD), (x, bottom), 4, rail);
        }
        self.canvas.line((left - 2, bottom), (right + 2, bottom), 3, rail);
        if let Some(scale) = &self.scale {
            grid::slashes(self.canvas, scale, bottom);
        }
    }

    /// What a reader must know to read the factors.
    pub fn notes(&self) -> [String; 2] {
        let ladder = self.ladder;
        let lifts = || ladder.shown().filter_map(|at| ladder.lift(at));
        let factors = "× on a rung: its speed over that of the step it rises from (its parent), \
                       both at equal n. × first: the product of these along the way up.";
        let mut marks = Vec::new();
        if ladder.rungs.iter().any(|rung| rung.row.detour && rung.climb.is_some()) {
            marks.push("Faint: a detour, tried and not kept.".to_owned());
        }
        if lifts().any(|lift| !lift.level) {
            marks.push("Dotted: its ends are speeds at different n.".to_owned());
        }
        if self.scale.as_ref().and_then(Scale::cut).is_some() {
            marks.push("//: here the axis is cut.".to_owned());
        }
        let skipped = ladder.rungs.iter().map(|rung| rung.row);
        let skipped = skipped.filter(|row| row.outcome == Outcome::Skipped);
        let skipped: Vec<&str> = skipped.map(|row| row.step.as_str()).collect();
        if !skipped.is_empty() {
            marks.push(format!("Skipped: {}.", skipped.join(", ")));
        }
        let factors = if lifts().next().is_some() { factors } else { "" };
        [factors.to_owned(), marks.join(" ")]
    }
}
