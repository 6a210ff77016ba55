//! The rungs themselves: names, bars, factors, numbers, outcomes.

use ::report::Outcome;
use anyhow::Result;
use plotters::style::RGBColor;

use super::Drawing;
use super::layout::{COLUMN, WIDEST_NAME, subtitle};
use crate::plot::canvas::Surface;
use crate::plot::font::Lettering;
use crate::plot::numbers;
use crate::plot::rows::{self, second};
use crate::plot::rungs::{Climb, State};
use crate::plot::style::{CARD, GAIN, INK, LOSS, MARGIN, MUTED, RAIL, WIDTH, size, tint};

/// From a rung's end to its words.
const SPACE: i32 = 20;
/// Between a bold word and what stands beside it.
const GAP: i32 = 12;
/// Length of an empty rung.
const EMPTY: i32 = 60;

impl<DB: Surface> Drawing<'_, '_, '_, DB> {
    /// The upright from the rung below to this one; dashed where that is not its parent's.
    pub fn riser(&mut self, at: usize) -> Result<()> {
        let Some(foot) = self.layout.foot(self.picture, at) else {
            return Ok(());
        };
        let rung = &self.picture.rungs[at];
        let top = (foot.0, self.layout.y(at));
        let dashed = tint(RAIL, 0.8);
        match (rung.climb(), self.picture.lift(at)) {
            (Some(_), Some(_)) if !rung.detour => self.canvas.line(foot, top, 3, RAIL),
            (Some(climb), None) => {
                let end = (self.layout.x(climb.speed), top.1);
                self.canvas.dashes(foot, top, 3, (8, 7), dashed)?;
                self.canvas.dashes(top, end, 3, (8, 7), dashed)
            }
            _ => self.canvas.dashes(foot, top, 3, (8, 7), dashed),
        }
    }

    /// One step: its name and what became of it.
    pub fn rung(&mut self, at: usize) -> Result<()> {
        let (rung, y) = (&self.picture.rungs[at], self.layout.y(at));
        let below = subtitle(self.picture, rung);
        rows::step(self.canvas, y, WIDEST_NAME, (&rung.name, rung.detour), &below)?;
        match &rung.state {
            State::Timed(climb) => {
                self.timed(at, climb)?;
                let speed = numbers::quantity(climb.speed);
                let first = climb.times_first.map_or("–".to_owned(), numbers::factor);
                let colour = if rung.detour { MUTED } else { INK };
                self.numbers(y, colour, [&speed, &first])
            }
            State::Empty(outcome, reason) => {
                self.empty(at, *outcome, reason)?;
                self.numbers(y, MUTED, ["–", "–"])
            }
        }
    }

    fn numbers(&mut self, y: i32, colour: RGBColor, [speed, first]: [&str; 2]) -> Result<()> {
        if self.layout.axis.is_none() {
            return Ok(());
        }
        let number = Lettering::new(size::BODY, colour).right();
        self.canvas.text((WIDTH - MARGIN - COLUMN, y), &number, speed)?;
        self.canvas.text((WIDTH - MARGIN, y), &number, first)
    }

    /// The rung of a step that has a speed, and its factor.
    fn timed(&mut self, at: usize, climb: &Climb) -> Result<()> {
        let (rung, lift) = (&self.picture.rungs[at], self.picture.lift(at));
        let (y, end) = (self.layout.y(at), self.layout.x(climb.speed));
        let start = lift.map_or(end, |lift| self.layout.x(lift.from));
        let (left, right) = (start.min(end), start.max(end));
        let colour = tone(lift.map(|lift| lift.times));
        let shown = if rung.detour { tint(colour, 0.55) } else { colour };
        let half = if rung.detour { 4 } else { 7 };
        if lift.is_some_and(|lift| !lift.level) {
            self.canvas.dashes((left, y), (right, y), half, (half, half), shown)?;
            self.bar((end, end), y, half, shown, climb.modelled)?;
        } else {
            self.bar((start, end), y, half, shown, climb.modelled)?;
        }
        if self.layout.cut().is_some_and(|(from, to)| left <= from && to <= right) {
            self.slashes(y)?;
        }

        let (factor, beside) = match lift {
            Some(lift) => (numbers::factor(lift.times), at_n(climb)),
            None if rung.parent.is_none() => (String::new(), "start".to_owned()),
            None => (String::new(), self.why_no_factor(at)),
        };
        let words = Words { colour, bold: &factor, beside: &beside };
        let wide = words.width();
        let slower = lift.is_some_and(|lift| lift.times < 1.0);
        let fits_left = left - SPACE - wide > self.layout.left + 8;
        let fits_right = right + SPACE + wide < self.layout.right - 8;
        let leftwards = (slower && fits_left) || !fits_right;
        let x = if leftwards { left - SPACE - wide } else { right + SPACE };
        self.words(x, y, &words)
    }

    /// Why a step that has a speed has no factor.
    fn why_no_factor(&self, at: usize) -> String {
        let parent = self.picture.rungs[at].parent.map(|parent| &self.picture.rungs[parent].state);
        match parent {
            Some(State::Empty(outcome, _)) => format!("parent {outcome}"),
            _ => "not comparable with its parent".to_owned(),
        }
    }

    /// The stretch of a rung and the dot at its end: full where measured, hollow where modelled.
    fn bar(
        &mut self,
        (start, end): (i32, i32),
        y: i32,
        half: i32,
        colour: RGBColor,
        hollow: bool,
    ) -> Result<()> {
        let layers: &[(i32, RGBColor)] =
            if hollow { &[(0, colour), (3, CARD)] } else { &[(0, colour)] };
        for &(inset, colour) in layers {
            let half = half - inset;
            if half > 0 {
                self.canvas.dot((start, y), half, colour)?;
                self.canvas.fill((start, y - half), (end, y + half), colour)?;
            }
            self.canvas.dot((end, y), half + 4, colour)?;
        }
        Ok(())
    }

    /// The place of a step without a speed: an empty rung, its outcome and the reason.
    fn empty(&mut self, at: usize, outcome: Outcome, reason: &str) -> Result<()> {
        let y = self.layout.y(at);
        let (left, right) = (self.layout.left, self.layout.right);
        let foot = self.layout.foot(self.picture, at).map_or(left + SPACE, |foot| foot.0);
        let colour = if outcome == Outcome::Skipped { MUTED } else { LOSS };
        let bold = outcome.word();
        // On the side of the upright where there is more room.
        let rightwards = right - foot >= foot - left;
        let end = if rightwards { foot + EMPTY } else { foot - EMPTY };
        let room = if rightwards { right - end } else { end - left } - 2 * SPACE;
        let room = room - Words { colour, bold, beside: "" }.width() - GAP;
        let reason = second().fit(reason, room);
        let words = Words { colour, bold, beside: &reason };
        let x = if rightwards { end + SPACE } else { end - SPACE - words.width() };
        self.canvas.fill((foot, y - 7), (end, y + 7), CARD)?;
        for edge in [-7, 7] {
            let (from, to) = ((foot, y + edge), (end, y + edge));
            self.canvas.dashes(from, to, 3, (8, 7), tint(colour, 0.7))?;
        }
        self.words(x, y, &words)
    }

    /// Writes words, the grid cleared behind them.
    fn words(&mut self, x: i32, y: i32, words: &Words) -> Result<()> {
        let wide = words.width();
        self.canvas.fill((x - 8, y - 16), (x + wide + 8, y + 16), CARD)?;
        self.canvas.text((x, y), &words.lettering(), words.bold)?;
        let start = x + wide - second().width(words.beside);
        self.canvas.text((start, y), &second(), words.beside)
    }
}

/// What is written at a rung.
struct Words<'a> {
    /// Of the bold part.
    colour: RGBColor,
    bold: &'a str,
    beside: &'a str,
}

impl Words<'_> {
    fn lettering(&self) -> Lettering {
        Lettering::new(size::BODY, self.colour).bold()
    }

    fn width(&self) -> i32 {
        let gap = if self.bold.is_empty() || self.beside.is_empty() { 0 } else { GAP };
        self.lettering().width(self.bold) + gap + second().width(self.beside)
    }
}

/// The size of a comparison that was made at another than the step's own.
fn at_n(climb: &Climb) -> String {
    match climb.times_parent_n {
        Some(n) if Some(n) != climb.n => format!("at n = {}", numbers::count(n)),
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
