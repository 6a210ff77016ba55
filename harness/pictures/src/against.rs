//! A GPU's steps and a CPU's on one scale.
//!
//! The CPU's steps are below, the GPU's above, each ladder climbing upwards. A bar reaches from the
//! rate of one CPU thread to the step's own, so that its length is how many times that it is; what
//! else the steps are compared with rises through the picture as a line. What a document published
//! stands below its step, at that many times this CPU's thread.

mod layout;
mod words;

use report::against::{Against, Entry, Side};
use report::format;
use report::scene::Basis;

use super::canvas::{Canvas, Point};
use super::lettering::{Lettering, second};
use super::marks::Shape;
use super::scale::Scale;
use super::style::{CARD, END, GAIN, HAIR, HOST, INK, MARGIN, MUTED, RAIL, size, tint};
use super::{AGAINST, Picture, caption, grid, labels, rows, unit};
use layout::{AXIS, COLUMN, HEAD, Layout, Row, WIDEST_NAME};

/// From a mark to the words next to it.
const SPACE: i32 = 20;
/// Radius of the mark of a step, and of what was published for it.
const RADIUS: i32 = 9;
const SMALL: i32 = 8;
/// From a published mark to the next below it.
const STACK: i32 = 11;
/// Height of the legend of published figures.
const LEGEND: i32 = 44;
/// One for each of the document's GPUs.
const PUBLISHED: [Shape; 3] = [Shape::OpenDiamond, Shape::OpenSquare, Shape::OpenUp];

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
                Row::Gpu | Row::Cpu => drawing.side(row, y),
                Row::GpuStep(at) => drawing.step(row, y, &against.gpu, at),
                Row::CpuStep(at) => drawing.step(row, y, &against.cpu, at),
                Row::Published(at) => drawing.published(&against.gpu.steps[at], y),
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

struct Drawing<'a, 's> {
    canvas: &'a mut Canvas<'s>,
    layout: &'a Layout,
    against: &'a Against,
}

impl Drawing<'_, '_> {
    /// The place of a rate.
    fn x(&self, rate: f64) -> i32 {
        self.layout.x(self.against.figure.rate(rate))
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
            if matches!(row, Row::GpuStep(_) | Row::CpuStep(_)) {
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
        let fastest = (against.fastest_thread, Some((4, 8)));
        let best = (Some(against.best), Some((16, 8)));
        // The whole line last: it lies over others that are the same step's.
        for (place, rhythm) in [fastest, best, (against.thread, None)] {
            let Some(place) = place else { continue };
            let x = self.x(against.cpu.steps[place].rate);
            let (top, foot) = ((x, HEAD), (x, self.layout.y(Row::CpuStep(place))));
            match rhythm {
                Some(rhythm) => self.canvas.dashes(&[top, foot], 3, rhythm, HOST),
                None => self.canvas.line(top, foot, 3, HOST),
            }
        }
    }

    /// The name of a processor above its steps.
    fn side(&mut self, row: Row, y: i32) {
        let against = self.against;
        let gpu = &against.gpu.name;
        let (name, shape, colour) = match (row, against.modelled()) {
            (Row::Gpu, (false, _)) => (gpu.clone(), Shape::Disc, GAIN),
            (Row::Gpu, (true, true)) => (format!("modelled {gpu}"), Shape::OpenDisc, GAIN),
            (Row::Gpu, (true, false)) => (format!("{gpu}, some modelled"), Shape::Disc, GAIN),
            _ => (against.cpu.name.clone(), Shape::Square, HOST),
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

    fn step(&mut self, row: Row, y: i32, side: &Side, at: usize) {
        let entry = &side.steps[at];
        let x = self.x(entry.rate);
        let below = words::below(side, entry);
        rows::step(self.canvas, y, WIDEST_NAME, (&entry.step, entry.detour), &below);
        let (shape, colour) = match (row, entry.modelled) {
            (Row::CpuStep(_), _) => (Shape::Square, HOST),
            (_, true) => (Shape::OpenDisc, GAIN),
            (_, false) => (Shape::Disc, GAIN),
        };
        let colour = if entry.detour { tint(colour, 0.55) } else { colour };
        if let Some(thread) = self.against.thread() {
            let from = self.x(thread.rate);
            let width = if entry.detour { 4 } else { 6 };
            self.canvas.line((from.min(x), y), (from.max(x), y), width, colour);
        }
        shape.draw(self.canvas, (x, y), RADIUS, colour);
        if let Row::CpuStep(place) = row {
            self.role(place, (x, y));
        }
        let [thread, fastest, best] = self.against.times(entry).map(words::times);
        let rate = format::quantity(self.against.figure.rate(entry.rate));
        let number = Lettering::new(size::LARGE, if entry.detour { MUTED } else { INK });
        rows::columns(self.canvas, y, COLUMN, &number, &[rate, thread, fastest, best]);
    }

    /// What the others are compared with is named next to its mark.
    fn role(&mut self, place: usize, (x, y): Point) {
        let bold = Lettering::new(size::SMALL, HOST).bold();
        let roles = words::roles(self.against, place);
        // Where there is no room for all, the last one says most.
        let all = roles.join(", ");
        let fits = |words: &str| self.start((x, x), bold.width(words)).is_some();
        let name = if fits(&all) { &all } else { roles.last().copied().unwrap_or_default() };
        self.words((x, x), y, &bold, name);
    }

    /// What was published for a step, at that many times this CPU's thread.
    fn published(&mut self, entry: &Entry, y: i32) {
        let Some(thread) = self.against.thread() else { return };
        let mut slides: Vec<String> =
            entry.published.iter().map(|one| one.slide.to_string()).collect();
        slides.dedup();
        let name = format!("published, slide {}", slides.join(", "));
        self.canvas.text((MARGIN, y), &second(), &second().fit(&name, WIDEST_NAME));
        let gpus = gpus(self.against);
        let (mut left, mut right) = (self.layout.right, self.layout.left);
        for one in &entry.published {
            let place = gpus.iter().position(|gpu| *gpu == one.gpu).unwrap_or(0);
            let x = self.x(one.times * thread.rate);
            let lower = (place % 3) as i32 - 1;
            let shape = PUBLISHED[place % PUBLISHED.len()];
            shape.draw(self.canvas, (x, y + STACK * lower), SMALL, INK);
            (left, right) = (left.min(x), right.max(x));
        }
        let texts: Vec<String> = entry.published.iter().map(words::printed).collect();
        self.words((left, right), y, &second(), &texts.join(" · "));
    }

    /// Which of the document's GPUs has which mark.
    fn legend(&mut self, y: i32) {
        let (label, mut x) = (second(), MARGIN);
        let intro = "Published for other GPUs, over their CPUs:";
        self.canvas.text((x, y), &label, intro);
        x += label.width(intro) + 26;
        for (place, gpu) in gpus(self.against).into_iter().enumerate() {
            let gpu = label.fit(gpu, END - x - 24);
            if gpu.is_empty() {
                break;
            }
            PUBLISHED[place % PUBLISHED.len()].draw(self.canvas, (x + SMALL, y), SMALL, INK);
            self.canvas.text((x + 24, y), &label, &gpu);
            x += 24 + label.width(&gpu) + 30;
        }
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

/// The document's GPUs, in the order of its table.
fn gpus(against: &Against) -> Vec<&str> {
    let mut gpus: Vec<&str> = Vec::new();
    for one in against.gpu.steps.iter().flat_map(|entry| &entry.published) {
        if !gpus.contains(&one.gpu.as_str()) {
            gpus.push(&one.gpu);
        }
    }
    gpus
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
