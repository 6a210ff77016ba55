//! A GPU's steps and a CPU's on one scale.
//!
//! The CPU's steps are below, the GPU's above, each ladder climbing upwards. A bar reaches from the
//! rate of one CPU thread to the step's own, so that its length is how many times that it is; what
//! else the steps are compared with rises through the picture as a line. What a document published
//! stands below its step, at that many times this CPU's thread.

mod layout;
mod published;
mod words;

use report::against::{Against, Entry, Side};
use report::format;
use report::scene::Basis;

use super::{AGAINST, Picture};
use crate::kit::canvas::{Canvas, Point};
use crate::kit::lettering::Lettering;
use crate::kit::marks::Shape;
use crate::kit::scale::Scale;
use crate::kit::style::{CARD, GAIN, HAIR, HOST, INK, MARGIN, MUTED, RAIL, size, tint};
use crate::kit::{caption, grid, labels, rows, unit};
use layout::{COLUMN, HEAD, Layout, Row, WIDEST_NAME};

/// From the lowest row to what stands below the axis.
const AXIS: i32 = 108;
/// From a mark to the words next to it.
const SPACE: i32 = 20;
/// Radius of the mark of a step.
const RADIUS: i32 = 9;
/// Height of the legend of published figures.
const LEGEND: i32 = 44;

/// The picture of a comparison.
pub fn against(against: &Against) -> Picture {
    let basis = if against.modelled().0 { Basis::Mixed } else { Basis::Measured };
    Picture::draw(AGAINST, words::message(against), |canvas| {
        caption::basis(canvas, basis, &words::basis(against));
        let layout = Layout::of(against);
        let mut drawing = Drawing { canvas, layout: &layout, against };
        drawing.grid();
        drawing.opponents();
        for &(row, y) in &layout.rows {
            match row {
                Row::Side(side) => drawing.side(side, y),
                Row::Step(side, entry) => drawing.step(side, entry, y),
                Row::Published(entry) => drawing.published(entry, y),
            }
        }
        let mut y = layout.bottom + AXIS;
        if layout.has_published() {
            drawing.legend(y);
            y += LEGEND;
        }
        let notes = [words::runs(against), words::published(against)];
        let notes = notes.each_ref().map(String::as_str);
        caption::notes(canvas, y, &notes, &words::source(against))
    })
}

/// A comparison on its canvas.
struct Drawing<'a, 's> {
    canvas: &'a mut Canvas<'s>,
    layout: &'a Layout<'a>,
    against: &'a Against,
}

impl Drawing<'_, '_> {
    /// The place of a rate.
    fn x(&self, rate: f64) -> i32 {
        let scale = self.layout.scale.as_ref();
        scale.map_or(self.layout.left, |scale| scale.at(self.against.figure.rate(rate)))
    }

    /// Below, rates; above, how many times one thread they are; right, heads of the columns.
    fn grid(&mut self) {
        let (layout, figure) = (self.layout, &self.against.figure);
        let unit = unit::short(&figure.unit);
        let heads = [&*unit, "× one thread", "× fastest thread", "× best CPU\u{a0}step"];
        rows::heads(self.canvas, HEAD - 22, COLUMN, &heads);
        let Some(scale) = &layout.scale else { return };
        let (ends, bottom) = ((layout.left, layout.right), layout.bottom);
        let along = format!("{}, logarithmic", figure.unit);
        grid::level(self.canvas, &grid::ticks(scale), (HEAD, bottom), ends, &along);
        for (row, y) in &layout.rows {
            if matches!(row, Row::Step(..)) {
                self.canvas.line((ends.0, *y), (ends.1, *y), 2, HAIR);
            }
        }
        self.canvas.line((ends.0, bottom), (ends.1, bottom), 3, RAIL);
        if let Some(thread) = self.against.thread() {
            let labels = labels::fitting(times(scale, figure.rate(thread.rate)));
            grid::above(self.canvas, &labels, HEAD, ends, "times one CPU thread");
        }
    }

    /// What the steps are compared with, from its own mark upwards.
    fn opponents(&mut self) {
        let against = self.against;
        let fastest = (against.fastest_thread(), Some((4, 8)));
        let best = (Some(against.best()), Some((16, 8)));
        // The whole line last: it lies over others that are the same step's.
        for (step, rhythm) in [fastest, best, (against.thread(), None)] {
            let Some(step) = step else { continue };
            let x = self.x(step.rate);
            let (top, foot) = ((x, HEAD), (x, self.layout.y(step)));
            match rhythm {
                Some(rhythm) => self.canvas.dashes(&[top, foot], 3, rhythm, HOST),
                None => self.canvas.line(top, foot, 3, HOST),
            }
        }
    }

    /// The name of a processor above its steps.
    fn side(&mut self, side: &Side, y: i32) {
        let on_cpu = std::ptr::eq(side, &self.against.cpu);
        let (name, shape, colour) = match self.against.modelled() {
            _ if on_cpu => (side.name.clone(), Shape::Square, HOST),
            (false, _) => (side.name.clone(), Shape::Disc, GAIN),
            (true, true) => (format!("modelled {}", side.name), Shape::OpenDisc, GAIN),
            (true, false) => (format!("{}, some modelled", side.name), Shape::Disc, GAIN),
        };
        shape.draw(self.canvas, (MARGIN + RADIUS, y), RADIUS, colour);
        let start = MARGIN + 2 * RADIUS + 12;
        let bold = Lettering::new(size::LARGE, colour).bold();
        let name = bold.fit(&name, self.layout.right - start);
        // A long name reaches into the plot.
        let end = start + bold.width(&name) + 8;
        if end > self.layout.left {
            self.canvas.fill((self.layout.left, y - 16), (end, y + 16), CARD);
        }
        self.canvas.text((start, y), &bold, &name);
    }

    fn step(&mut self, side: &Side, entry: &Entry, y: i32) {
        let x = self.x(entry.rate);
        let below = words::below(side, entry);
        rows::step(self.canvas, y, WIDEST_NAME, (&entry.step, entry.detour), &below);
        let (shape, colour) = match (entry.on_cpu, entry.modelled) {
            (true, _) => (Shape::Square, HOST),
            (false, true) => (Shape::OpenDisc, GAIN),
            (false, false) => (Shape::Disc, GAIN),
        };
        let colour = if entry.detour { tint(colour, 0.55) } else { colour };
        if let Some(thread) = self.against.thread() {
            let from = self.x(thread.rate);
            let width = if entry.detour { 4 } else { 6 };
            self.canvas.line((from.min(x), y), (from.max(x), y), width, colour);
        }
        shape.draw(self.canvas, (x, y), RADIUS, colour);
        self.role(entry, (x, y));
        let [thread, fastest, best] = self.against.times(entry).map(words::times);
        let rate = format::quantity(self.against.figure.rate(entry.rate));
        let number = Lettering::new(size::LARGE, if entry.detour { MUTED } else { INK });
        rows::columns(self.canvas, y, COLUMN, &number, &[rate, thread, fastest, best]);
    }

    /// What the others are compared with is named next to its mark.
    fn role(&mut self, entry: &Entry, (x, y): Point) {
        let bold = Lettering::new(size::SMALL, HOST).bold();
        let roles = words::roles(self.against, entry);
        // Where there is no room for all, the last one says most.
        let all = roles.join(", ");
        let fits = |words: &str| self.start((x, x), bold.width(words)).is_some();
        let name = if fits(&all) { &all } else { roles.last().copied().unwrap_or_default() };
        self.words((x, x), y, &bold, name);
    }

    /// Where words of this width begin next to marks that reach from one pixel to another: right of
    /// them, or left where there is more room; `None` where there is too little.
    fn start(&self, (left, right): (i32, i32), wide: i32) -> Option<i32> {
        let (before, after) = (left - SPACE - wide, right + SPACE);
        if after + wide <= self.layout.right - 8 {
            return Some(after);
        }
        (before >= self.layout.left + 8).then_some(before)
    }

    fn words(&mut self, marks: (i32, i32), y: i32, lettering: &Lettering, words: &str) {
        if let Some(start) = self.start(marks, lettering.width(words)) {
            self.canvas.label((start, y), lettering, words);
        }
    }
}

/// Pixel and text of each power of ten times a rate.
fn times(scale: &Scale, rate: f64) -> Vec<(i32, String)> {
    let (low, high) = scale.ends();
    let powers = (low / rate).log10().ceil() as i32..=(high / rate).log10().floor() as i32;
    let mut powers: Vec<i32> = powers.collect();
    // One itself has precedence.
    powers.sort_by_key(|power| power.abs());
    let tick = |power: i32| {
        let times = 10f64.powi(power);
        let text = match power {
            ..0 => format!("1/{}", format::tick(10f64.powi(-power))),
            _ => format!("×{}", format::tick(times)),
        };
        (scale.at(times * rate), text)
    };
    powers.into_iter().map(tick).collect()
}
