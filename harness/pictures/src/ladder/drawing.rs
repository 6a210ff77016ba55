//! Where the rungs of a ladder lie, and how they look.

use plotters::style::RGBColor;
use report::format;

use super::rungs::{Climb, Ladder, Rung};
use crate::kit::canvas::{Canvas, Point};
use crate::kit::lettering::{Lettering, second};
use crate::kit::scale::Scale;
use crate::kit::style::{CARD, END, GAIN, INK, LOSS, MARGIN, MUTED, RAIL, size, tint};
use crate::kit::{caption, grid, rows};

/// Above the highest rung, and from the lowest to the notes.
pub const HEAD: i32 = 214;
const AXIS: i32 = 114;
/// Width of each column of numbers at the right.
pub const COLUMN: i32 = 140;
const WIDEST_NAME: i32 = 400;
/// Room in the plot for a factor, next to the leftmost and the rightmost rung.
const FACTOR_ROOM: i32 = 116;
/// From a rung's end to its words, and between a bold word and the next.
const SPACE: i32 = 20;
const GAP: i32 = 12;

/// A ladder on its canvas.
pub struct Drawing<'a, 's> {
    pub canvas: &'a mut Canvas<'s>,
    pub ladder: &'a Ladder<'a>,
    /// The height of each rung.
    pub heights: Vec<i32>,
    pub bottom: i32,
    pub left: i32,
    pub right: i32,
    /// Speeds; `None` where no step has one.
    pub scale: Option<Scale>,
}

/// Draws it, and returns its height.
pub fn draw(canvas: &mut Canvas, ladder: &Ladder) -> i32 {
    let count = ladder.shown().count().max(1) as i32;
    // Many steps stand closer.
    let pitch = if count <= 16 { 66 } else { 58 };
    let bottom = HEAD + count * pitch;
    let mut next = bottom + pitch / 2;
    let heights = ladder.rungs.iter().map(|rung| {
        next -= if rung.is_shown() { pitch } else { 0 };
        next
    });
    let heights = heights.collect();
    let below: Vec<_> = ladder.rungs.iter().map(|rung| subtitle(ladder, rung)).collect();
    let names = ladder.shown().map(|at| (ladder.rungs[at].row, &below[at]));
    let names = names.map(|(row, below)| (row.step.as_str(), row.detour, below.as_str()));
    let left = MARGIN + rows::room(names, WIDEST_NAME) + 40;
    let right = END - 2 * COLUMN - 16;
    let climbs = ladder.rungs.iter().filter_map(|rung| rung.climb.as_ref());
    let speeds: Vec<f64> = climbs.map(|climb| climb.speed).collect();
    let scale = Scale::with_cut(&speeds, left + FACTOR_ROOM, right - FACTOR_ROOM);
    let mut drawing = Drawing { canvas, ladder, heights, bottom, left, right, scale };
    drawing.frame();
    // Uprights first: rungs and words lie over them.
    ladder.shown().for_each(|at| drawing.riser(at));
    ladder.shown().for_each(|at| drawing.rung(at, &below[at]));
    let notes = drawing.notes();
    let notes = notes.each_ref().map(String::as_str);
    caption::notes(drawing.canvas, bottom + AXIS, &notes, &ladder.scene.source)
}

/// What stands under a step's name.
fn subtitle(ladder: &Ladder, rung: &Rung) -> String {
    let detour = if rung.row.detour { "detour · " } else { "" };
    let n = rung.climb.as_ref().map(|climb| climb.n).filter(|n| Some(*n) != ladder.usual_n);
    let n = n.map_or(String::new(), |n| format!(" · n = {}", format::grouped(n)));
    format!("{detour}{}{n}", rung.row.title)
}

impl Drawing<'_, '_> {
    fn x(&self, speed: f64) -> i32 {
        self.scale.as_ref().map_or(self.left + FACTOR_ROOM, |scale| scale.at(speed))
    }

    /// The end of the rung on which this one stands.
    fn foot(&self, at: usize) -> Option<Point> {
        let below = self.ladder.stands_on(at)?;
        Some((self.x(self.ladder.rungs[below].climb.as_ref()?.speed), self.heights[below]))
    }

    /// The upright from the rung below to this one; dashed where that is not its parent's.
    fn riser(&mut self, at: usize) {
        let Some(foot) = self.foot(at) else { return };
        let rung = &self.ladder.rungs[at];
        let top = (foot.0, self.heights[at]);
        let dashed = tint(RAIL, 0.8);
        match (&rung.climb, self.ladder.lift(at)) {
            (Some(_), Some(_)) if !rung.row.detour => self.canvas.line(foot, top, 3, RAIL),
            (Some(climb), None) => {
                let end = (self.x(climb.speed), top.1);
                self.canvas.dashes(&[foot, top, end], 3, (8, 7), dashed);
            }
            _ => self.canvas.dashes(&[foot, top], 3, (8, 7), dashed),
        }
    }

    /// One step: its name and its outcome.
    fn rung(&mut self, at: usize, below: &str) {
        let (rung, y) = (&self.ladder.rungs[at], self.heights[at]);
        rows::step(self.canvas, y, WIDEST_NAME, (&rung.row.step, rung.row.detour), below);
        let mut numbers = ["–".to_owned(), "–".to_owned()];
        match &rung.climb {
            Some(climb) => {
                self.timed(at, climb);
                numbers[0] = format::quantity(climb.speed);
                numbers[1] = climb.times_first.map_or("–".to_owned(), format::factor);
            }
            None => self.empty(at),
        }
        if self.scale.is_some() {
            let is_second = rung.row.detour || rung.climb.is_none();
            let number = Lettering::new(size::LARGE, if is_second { MUTED } else { INK });
            rows::columns(self.canvas, y, COLUMN, &number, &numbers);
        }
    }

    /// The rung of a step that has a speed, and its factor.
    fn timed(&mut self, at: usize, climb: &Climb) {
        let (detour, lift) = (self.ladder.rungs[at].row.detour, self.ladder.lift(at));
        let (y, end) = (self.heights[at], self.x(climb.speed));
        let start = lift.map_or(end, |lift| self.x(lift.from));
        let (left, right) = (start.min(end), start.max(end));
        let colour = tone(lift.map(|lift| lift.times));
        let shown = if detour { tint(colour, 0.55) } else { colour };
        let half = if detour { 4 } else { 7 };
        if lift.is_some_and(|lift| !lift.level) {
            self.canvas.dashes(&[(left, y), (right, y)], half, (half, half), shown);
            self.bar((end, end), y, half, shown, climb.modelled);
        } else {
            self.bar((start, end), y, half, shown, climb.modelled);
        }
        if let Some(scale) = &self.scale
            && scale.cut().is_some_and(|(from, to)| left <= from && to <= right)
        {
            grid::slashes(self.canvas, scale, y);
        }
        let (factor, after) = match lift {
            Some(lift) => (format::factor(lift.times), at_n(climb)),
            None => (String::new(), self.why_no_factor(at)),
        };
        let wide = words_width(&factor, &after);
        let slower = lift.is_some_and(|lift| lift.times < 1.0);
        let fits_left = left - SPACE - wide > self.left + 8;
        let fits_right = right + SPACE + wide < self.right - 8;
        let leftwards = (slower && fits_left) || !fits_right;
        let x = if leftwards { left - SPACE - wide } else { right + SPACE };
        self.words((x, y), colour, &factor, &after);
    }

    /// Why a step that has a speed has no factor.
    fn why_no_factor(&self, at: usize) -> String {
        match self.ladder.rungs[at].parent.map(|parent| &self.ladder.rungs[parent]) {
            None => "start".to_owned(),
            Some(Rung { row, climb: None, .. }) => format!("parent {}", row.outcome),
            Some(_) => "not comparable with its parent".to_owned(),
        }
    }

    /// The stretch of a rung and the dot at its end: full where measured, hollow where modelled.
    fn bar(&mut self, (start, end): (i32, i32), y: i32, half: i32, colour: RGBColor, hollow: bool) {
        let layers: &[(i32, RGBColor)] =
            if hollow { &[(0, colour), (3, CARD)] } else { &[(0, colour)] };
        for &(inset, colour) in layers {
            let half = half - inset;
            if half > 0 && start != end {
                self.canvas.dot((start, y), half, colour);
                self.canvas.fill((start, y - half), (end, y + half), colour);
            }
            self.canvas.dot((end, y), half + 4, colour);
        }
    }

    /// The place of a step without a speed: its outcome and the reason.
    fn empty(&mut self, at: usize) {
        let (row, x) = (self.ladder.rungs[at].row, self.left + SPACE);
        let word = row.outcome.word();
        let room = self.right - SPACE - x - words_width(word, "") - GAP;
        let reason = second().fit(row.reason.as_deref().unwrap_or_default(), room);
        self.words((x, self.heights[at]), LOSS, word, &reason);
    }

    fn words(&mut self, (x, y): Point, colour: RGBColor, bold: &str, after: &str) {
        self.canvas.label((x, y), &Lettering::new(size::LARGE, colour).bold(), bold);
        let start = x + words_width(bold, after) - second().width(after);
        self.canvas.label((start, y), &second(), after);
    }
}

/// The room of a bold word and of what follows it.
fn words_width(bold: &str, after: &str) -> i32 {
    let gap = if bold.is_empty() || after.is_empty() { 0 } else { GAP };
    Lettering::new(size::LARGE, INK).bold().width(bold) + gap + second().width(after)
}

/// The size of a comparison that was made at another than the step's own.
fn at_n(climb: &Climb) -> String {
    match climb.times_parent {
        Some((n, _)) if n != climb.n => format!("at n = {}", format::grouped(n)),
        _ => String::new(),
    }
}

/// Blue for faster, vermillion for slower, grey for neither.
fn tone(times: Option<f64>) -> RGBColor {
    match times {
        Some(times) if times >= 1.005 => GAIN,
        Some(times) if times < 0.995 => LOSS,
        _ => MUTED,
    }
}
