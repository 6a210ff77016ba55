//! The picture of the speed-up ladder.
//!
//! Steps are rungs, the first at the top, as tables and terminals have them. A rung reaches from its parent's speed to its own on
//! a logarithmic axis, so its length is its × parent, and rungs of equal length gain equally.
//! Nothing needs a legend: what a mark means is written next to it.

mod libraries;
pub mod rungs;

use plotters::style::RGBColor;
use report::provenance::Basis;
use report::{Outcome, Report, format, words};

use super::Picture;
use crate::kit::canvas::{Canvas, Point};
use crate::kit::grid::{self, Plane};
use crate::kit::lettering::{Lettering, second};
use crate::kit::rows::{self, Name, Table};
use crate::kit::scale::Scale;
use crate::kit::sheet::Sheet;
use crate::kit::style::{CARD, GAIN, INK, LOSS, MUTED, Paper, RAIL, short_unit, size, tint};
pub use rungs::Reach;
use rungs::{Climb, Ladder, Rung};

/// Above the first rung, and from the last to the notes.
const HEAD: i32 = 214;
const AXIS: i32 = 114;
const TABLE: Table = Table { widest: 400, columns: 2, column: 140, gap: 16 };
/// Room in the plot for a factor, next to the leftmost and the rightmost rung; the names of a wide paper give way.
const FACTOR_ROOM: i32 = 116;
const NARROW_FACTOR_ROOM: i32 = 156;
/// From a rung's end to its words, and between a bold word and the next.
const SPACE: i32 = 20;
const GAP: i32 = 12;
/// What is dashed.
const RHYTHM: (i32, i32) = (8, 7);

/// What a report says in one line.
pub fn message(report: &Report) -> String {
    Ladder::of(report).title
}

/// How far the ladder of a report goes; `None` where no two of its steps were compared.
pub fn reach(report: &Report) -> Option<Reach<'_>> {
    rungs::reach(&Ladder::of(report).rungs)
}

/// The picture of a report; `None` where it has nothing but variants of steps.
pub fn ladder(report: &Report) -> Option<Picture> {
    let is_ladder = report.rows.is_empty() || report.rows.iter().any(|row| row.is_own());
    let ladder = Ladder::of(report);
    let drawing = Drawing::of(&ladder, Paper::Wide);
    let (provenance, title) = (ladder.provenance.clone(), ladder.title.clone());
    let sheet = Sheet::of(provenance, "ladder", title, &drawing.more(), drawing.notes());
    is_ladder.then(|| sheet.picture(|canvas| Drawing::of(&ladder, canvas.paper).draw(canvas)))
}

/// A ladder and where its parts lie.
struct Drawing<'a> {
    ladder: &'a Ladder<'a>,
    names: Vec<Name<'a>>,
    /// The height of each rung.
    heights: Vec<i32>,
    /// The height of a row, and from its lower edge to its middle.
    pitch: (i32, i32),
    plane: Plane,
    /// Speeds; `None` where no step has one.
    scale: Option<Scale>,
}

impl<'a> Drawing<'a> {
    fn of(ladder: &'a Ladder<'a>, paper: Paper) -> Drawing<'a> {
        let count = (ladder.shown().count() + ladder.libraries.len()).max(1) as i32;
        // Many steps stand closer.
        let (pitch, half) = TABLE.pitch(paper, if count <= 16 { 66 } else { 58 });
        let bottom = HEAD + count * pitch;
        let mut next = HEAD - half;
        let heights = ladder.rungs.iter().map(|rung| {
            next += if rung.is_shown() { pitch } else { 0 };
            next
        });
        let heights = heights.collect();
        let name = |rung: &'a Rung| Name::of(rung.row, subtitle(ladder, rung));
        let names: Vec<Name> = ladder.rungs.iter().map(name).collect();
        let of_libraries: Vec<Name> =
            ladder.libraries.iter().map(|(row, _)| libraries::name(row)).collect();
        let shown = ladder.shown().map(|at| &names[at]).chain(&of_libraries);
        let (left, right) = TABLE.ends(paper, rows::room(shown, TABLE.widest));
        let climbs = ladder.rungs.iter().filter_map(|rung| rung.climb.as_ref());
        let speeds = climbs.map(|climb| climb.speed);
        let speeds: Vec<f64> =
            speeds.chain(ladder.libraries.iter().map(|(_, speed)| *speed)).collect();
        let room = if paper.is_narrow() { NARROW_FACTOR_ROOM } else { FACTOR_ROOM };
        let scale = Scale::with_cut(&speeds, left + room, right - room);
        let plane = Plane { left, right, top: HEAD, bottom };
        Drawing { ladder, names, heights, pitch: (pitch, half), plane, scale }
    }

    /// What follows where it was measured: of what size.
    fn more(&self) -> String {
        let Ladder { provenance, rungs, usual_size, usual_n, .. } = self.ladder;
        let mut more = String::new();
        if provenance.basis == Basis::Mixed {
            more.push_str(" (hollow rungs)");
        }
        if let Some(n) = *usual_n {
            let mut climbs = rungs.iter().filter_map(|rung| rung.climb.as_ref());
            let unless = if climbs.any(|climb| climb.n != n) { " unless noted" } else { "" };
            more = format!("{more} · {usual_size}{unless}");
        }
        more
    }

    /// What a reader must know to read the factors.
    fn notes(&self) -> [String; 2] {
        let ladder = self.ladder;
        let lifts = || ladder.shown().filter_map(|at| ladder.lift(at));
        let factors = "× on a rung: its speed over that of the step it rises from (its parent), \
                       both at equal n. × first: the product of these along the way.";
        let is_cut = self.scale.as_ref().and_then(Scale::cut).is_some();
        let has_detour = ladder.rungs.iter().any(|rung| rung.row.detour && rung.climb.is_some());
        let marks = [
            (has_detour, "Faint: a detour, tried and not kept."),
            (lifts().any(|lift| !lift.level), "Dotted: its ends are speeds at different n."),
            (is_cut, "//: here the axis is cut."),
        ];
        let marks = marks.into_iter().filter(|(has, _)| *has).map(|(_, mark)| mark.to_owned());
        let skipped = ladder.rungs.iter().filter(|rung| rung.row.outcome == Outcome::Skipped);
        let skipped = words::listing("Skipped", skipped.map(|rung| &rung.row.step));
        let factors = if lifts().next().is_some() { factors } else { "" };
        [factors.to_owned(), words::sentences(marks.chain([skipped]))]
    }

    fn draw(&self, canvas: &mut Canvas) -> i32 {
        self.frame(canvas);
        // Uprights first: rungs and words lie over them.
        self.ladder.shown().for_each(|at| self.riser(canvas, at));
        let rungs = self.ladder.shown().count() as i32;
        for (place, library) in (1..).zip(&self.ladder.libraries) {
            let y = HEAD - self.pitch.1 + (rungs + place) * self.pitch.0;
            libraries::draw(canvas, &TABLE, self.plane, (self.x(library.1), y), *library);
        }
        self.ladder.shown().for_each(|at| self.rung(canvas, at));
        self.plane.bottom + AXIS
    }

    /// Rails, axis, and heads of the columns.
    fn frame(&self, canvas: &mut Canvas) {
        let (unit, Plane { left, right, bottom, .. }) = (self.ladder.unit, self.plane);
        self.ladder.shown().for_each(|at| self.plane.line(canvas, self.heights[at], 2));
        let rail = tint(RAIL, 0.6);
        if let Some(scale) = &self.scale {
            TABLE.heads(canvas, HEAD - 20, &[&short_unit(unit), "× first"]);
            let along = format!("{unit}, logarithmic: equal lengths are equal factors");
            self.plane.level(canvas, &grid::ticks(scale), &along);
        }
        // Names stand in the way of uprights on a narrow paper.
        if !canvas.paper.is_narrow() {
            for x in [left, right] {
                canvas.line((x, HEAD), (x, bottom), 4, rail);
            }
        }
        canvas.line((left - 2, bottom), (right + 2, bottom), 3, rail);
        if let Some(scale) = &self.scale {
            grid::slashes(canvas, scale, bottom);
        }
    }

    fn x(&self, speed: f64) -> i32 {
        self.scale.as_ref().map_or(self.plane.left + FACTOR_ROOM, |scale| scale.at(speed))
    }

    /// The end of the rung from which this one rises.
    fn foot(&self, at: usize) -> Option<Point> {
        let below = self.ladder.stands_on(at)?;
        Some((self.x(self.ladder.rungs[below].climb.as_ref()?.speed), self.heights[below]))
    }

    /// The upright from the rung before to this one; dashed where that is not its parent's.
    fn riser(&self, canvas: &mut Canvas, at: usize) {
        let Some(foot) = self.foot(at) else { return };
        let rung = &self.ladder.rungs[at];
        let top = (foot.0, self.heights[at]);
        let dashed = tint(RAIL, 0.8);
        match (&rung.climb, self.ladder.lift(at)) {
            (Some(_), Some(_)) if !rung.row.detour => canvas.line(foot, top, 3, RAIL),
            (Some(climb), None) => {
                canvas.dashes(&[foot, top, (self.x(climb.speed), top.1)], 3, RHYTHM, dashed);
            }
            _ => canvas.dashes(&[foot, top], 3, RHYTHM, dashed),
        }
    }

    /// One step: its name and its outcome.
    fn rung(&self, canvas: &mut Canvas, at: usize) {
        let (rung, y) = (&self.ladder.rungs[at], self.heights[at]);
        TABLE.name(canvas, y, &self.names[at]);
        let mut numbers = [format::NONE, format::NONE].map(str::to_owned);
        match &rung.climb {
            Some(climb) => {
                self.timed(canvas, at, climb);
                numbers[0] = format::quantity(climb.speed);
                if let Some(times) = climb.times_first {
                    numbers[1] = format::factor(times);
                }
            }
            None => self.empty(canvas, at),
        }
        if self.scale.is_some() {
            let number = rows::number(rung.row.detour || rung.climb.is_none());
            TABLE.numbers(canvas, y, &number, &numbers);
        }
    }

    /// The rung of a step that has a speed, and its factor.
    fn timed(&self, canvas: &mut Canvas, at: usize, climb: &Climb) {
        let (detour, lift) = (self.ladder.rungs[at].row.detour, self.ladder.lift(at));
        let (y, end) = (self.heights[at], self.x(climb.speed));
        let start = lift.map_or(end, |lift| self.x(lift.from));
        let (left, right) = (start.min(end), start.max(end));
        let colour = tone(lift.map(|lift| lift.times));
        let shown = if detour { tint(colour, 0.55) } else { colour };
        let half = if detour { 4 } else { 7 };
        if lift.is_some_and(|lift| !lift.level) {
            canvas.dashes(&[(left, y), (right, y)], half, (half, half), shown);
            bar(canvas, (end, end), y, half, shown, climb.modelled);
        } else {
            bar(canvas, (start, end), y, half, shown, climb.modelled);
        }
        if let Some(scale) = &self.scale
            && scale.cut().is_some_and(|(from, to)| left <= from && to <= right)
        {
            grid::slashes(canvas, scale, y);
        }
        let (factor, after) = match lift {
            Some(lift) => (format::factor(lift.times), at_n(climb)),
            None => (String::new(), self.why_no_factor(at)),
        };
        let most = (left - self.plane.left).max(self.plane.right - right) - SPACE - 10;
        let after = match canvas.paper {
            Paper::Wide => after,
            Paper::Narrow => second().fit(&after, most - words_width(&factor, "") - GAP),
        };
        let wide = words_width(&factor, &after);
        let slower = lift.is_some_and(|lift| lift.times < 1.0);
        let fits_left = left - SPACE - wide > self.plane.left + 8;
        let fits_right = right + SPACE + wide < self.plane.right - 8;
        let leftwards = (slower && fits_left) || !fits_right;
        let x = if leftwards { left - SPACE - wide } else { right + SPACE };
        draw_words(canvas, (x, y), colour, &factor, &after);
    }

    /// Why a step that has a speed has no factor.
    fn why_no_factor(&self, at: usize) -> String {
        match self.ladder.rungs[at].parent.map(|parent| &self.ladder.rungs[parent]) {
            None => "start".to_owned(),
            Some(Rung { row, climb: None, .. }) => format!("parent {}", row.outcome),
            Some(_) => "not comparable with its parent".to_owned(),
        }
    }

    /// The place of a step without a speed: its outcome and the reason.
    fn empty(&self, canvas: &mut Canvas, at: usize) {
        let (row, x) = (self.ladder.rungs[at].row, self.plane.left + SPACE);
        let word = row.outcome.word();
        let room = self.plane.right - SPACE - x - words_width(word, "") - GAP;
        let reason = second().fit(row.reason.as_deref().unwrap_or_default(), room);
        draw_words(canvas, (x, self.heights[at]), LOSS, word, &reason);
    }
}

/// What stands under a step's name.
fn subtitle(ladder: &Ladder, rung: &Rung) -> String {
    let detour = if rung.row.detour { "detour · " } else { "" };
    let n = rung.climb.as_ref().map(|climb| climb.n).filter(|n| Some(*n) != ladder.usual_n);
    let n = n.map_or(String::new(), |n| format!(" · n = {}", format::grouped(n)));
    format!("{detour}{}{n}", rung.row.title)
}

/// The stretch of a rung and the dot at its end: full where measured, hollow where modelled.
fn bar(
    canvas: &mut Canvas,
    (start, end): (i32, i32),
    y: i32,
    half: i32,
    colour: RGBColor,
    hollow: bool,
) {
    let layers: &[(i32, RGBColor)] =
        if hollow { &[(0, colour), (3, CARD)] } else { &[(0, colour)] };
    for &(inset, colour) in layers {
        let half = half - inset;
        if half > 0 && start != end {
            canvas.dot((start, y), half, colour);
            canvas.fill((start, y - half), (end, y + half), colour);
        }
        canvas.dot((end, y), half + 4, colour);
    }
}

fn draw_words(canvas: &mut Canvas, (x, y): Point, colour: RGBColor, bold: &str, after: &str) {
    canvas.label((x, y), &Lettering::new(size::LARGE, colour).bold(), bold);
    let start = x + words_width(bold, after) - second().width(after);
    canvas.label((start, y), &second(), after);
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
