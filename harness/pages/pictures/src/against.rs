//! A GPU's steps and a CPU's on one scale.
//!
//! The CPU's steps are above, the GPU's below, each ladder from its first step down. A bar reaches from
//! the rate of one CPU thread to the step's own, so that its length is how many times that it is; what
//! else the steps are compared with goes down from its mark as a line. What a document published
//! stands below its step, at that many times this CPU's thread.

mod drawing;
mod published;

use report::against::{Against, Entry, Side, times};
use report::provenance::Basis;
use report::{format, words};

use self::drawing::{Drawing, HEAD, NARROW_HEADS, Row, TABLE};
use crate::kit::canvas::{Canvas, Point};
use crate::kit::grid::{self, Tick};
use crate::kit::labels;
use crate::kit::lettering::Lettering;
use crate::kit::marks::Shape;
use crate::kit::rows::{self, Name};
use crate::kit::scale::Scale;
use crate::kit::sheet::Sheet;
use crate::kit::style::{CARD, GAIN, HOST, MARGIN, RAIL, short_unit, size, tint};
use crate::picture::{AGAINST, Picture};

/// From the lowest row to what stands below the axis.
const AXIS: i32 = 108;
/// Radius of the mark of a step.
const RADIUS: i32 = 9;

/// The picture of a comparison.
pub fn against(against: &Against) -> Picture {
    let sheet = Sheet {
        name: AGAINST,
        title: message(against),
        basis: if against.modelled().0 { Basis::Mixed } else { Basis::Measured },
        rest: against.basis(),
        notes: vec![runs(against), published::note(against)],
        source: match (&against.gpu, &against.cpu) {
            (gpu, cpu) if gpu.source == cpu.source => gpu.source.clone(),
            (gpu, cpu) => format!("GPU: {}, CPU: {}", gpu.date, cpu.date),
        },
        over: NARROW_HEADS,
    };
    sheet.picture(|canvas| {
        let drawing = Drawing::of(against, canvas.paper);
        drawing.grid(canvas);
        drawing.opponents(canvas);
        for (row, y) in &drawing.rows {
            match row {
                Row::Side(side) => drawing.side(canvas, side, *y),
                Row::Step(entry, name) => drawing.step(canvas, entry, name, *y),
                Row::Published(entry) => drawing.published(canvas, entry, *y),
            }
        }
        let y = drawing.plane.bottom + AXIS;
        if drawing.rows.iter().any(|(row, _)| matches!(row, Row::Published(_))) {
            return published::legend(canvas, against, y);
        }
        y
    })
}

impl Drawing<'_> {
    /// Below, rates; above, how many times one thread they are; right, heads of the columns.
    fn grid(&self, canvas: &mut Canvas) {
        let (plane, figure) = (self.plane, &self.against.figure);
        let unit = short_unit(&figure.unit);
        let heads = [&*unit, "× one thread", "× fastest thread", "× best CPU\u{a0}step"];
        let over = if canvas.paper.is_narrow() { NARROW_HEADS } else { 0 };
        TABLE.heads(canvas, HEAD - 22 - over, &heads);
        let Some(scale) = &self.scale else { return };
        plane.level(canvas, &grid::ticks(scale), &format!("{}, logarithmic", figure.unit));
        for (row, y) in &self.rows {
            if matches!(row, Row::Step(..)) {
                plane.line(canvas, *y, 2);
            }
        }
        canvas.line((plane.left, plane.bottom), (plane.right, plane.bottom), 3, RAIL);
        if let Some(thread) = self.against.thread() {
            let labels = labels::fitting(powers(scale, figure.rate(thread.rate)));
            plane.above(canvas, &labels, "times one CPU thread");
        }
    }

    /// What the steps are compared with, from its own mark downwards.
    fn opponents(&self, canvas: &mut Canvas) {
        let against = self.against;
        let fastest = (against.fastest_thread(), Some((4, 8)));
        let best = (Some(against.best()), Some((16, 8)));
        // The whole line last: it lies over others that are the same step's.
        for (step, rhythm) in [fastest, best, (against.thread(), None)] {
            let Some(step) = step else { continue };
            let x = self.x(step.rate);
            let (top, foot) = ((x, self.y(step)), (x, self.plane.bottom));
            match rhythm {
                Some(rhythm) => canvas.dashes(&[top, foot], 3, rhythm, HOST),
                None => canvas.line(top, foot, 3, HOST),
            }
        }
    }

    /// The name of a processor above its steps.
    fn side(&self, canvas: &mut Canvas, side: &Side, y: i32) {
        let on_cpu = std::ptr::eq(side, &self.against.cpu);
        let (name, shape, colour) = match self.against.modelled() {
            _ if on_cpu => (side.name.clone(), Shape::Square, HOST),
            (false, _) => (side.name.clone(), Shape::Disc, GAIN),
            (true, true) => (format!("modelled {}", side.name), Shape::OpenDisc, GAIN),
            (true, false) => (format!("{}, some modelled", side.name), Shape::Disc, GAIN),
        };
        shape.draw(canvas, (MARGIN + RADIUS, y), RADIUS, colour);
        let start = MARGIN + 2 * RADIUS + 12;
        let bold = Lettering::new(size::LARGE, colour).bold();
        let name = bold.fit(&name, self.plane.right - start);
        // A long name reaches into the plot.
        let end = start + bold.width(&name) + 8;
        if end > self.plane.left {
            canvas.fill((self.plane.left, y - 16), (end, y + 16), CARD);
        }
        canvas.text((start, y), &bold, &name);
    }

    /// The bar of a step from one CPU thread, its mark, and its numbers.
    fn step(&self, canvas: &mut Canvas, entry: &Entry, name: &Name, y: i32) {
        let x = self.x(entry.rate);
        TABLE.name(canvas, y, name);
        let (shape, colour) = match (entry.on_cpu, entry.modelled) {
            (true, _) => (Shape::Square, HOST),
            (false, true) => (Shape::OpenDisc, GAIN),
            (false, false) => (Shape::Disc, GAIN),
        };
        let colour = if entry.detour { tint(colour, 0.55) } else { colour };
        if let Some(thread) = self.against.thread() {
            let from = self.x(thread.rate);
            let width = if entry.detour { 4 } else { 6 };
            canvas.line((from.min(x), y), (from.max(x), y), width, colour);
        }
        shape.draw(canvas, (x, y), RADIUS, colour);
        self.role(canvas, entry, (x, y));
        let [thread, fastest, best] = self.against.times(entry).map(times);
        let rate = format::quantity(self.against.figure.rate(entry.rate));
        let number = rows::number(entry.detour);
        TABLE.numbers(canvas, y, &number, &[rate, thread, fastest, best]);
    }

    /// What the others are compared with is named next to its mark.
    fn role(&self, canvas: &mut Canvas, entry: &Entry, (x, y): Point) {
        let bold = Lettering::new(size::SMALL, HOST).bold();
        let roles = self.against.roles(entry);
        // Where there is no room for all, the last one says most.
        let all = roles.join(", ");
        let fits = self.start((x, x), bold.width(&all)).is_some();
        let name = if fits { &all } else { roles.last().copied().unwrap_or_default() };
        self.words(canvas, (x, x), y, &bold, name);
    }
}

/// Each power of ten times a rate.
fn powers(scale: &Scale, rate: f64) -> Vec<Tick> {
    let (low, high) = scale.ends();
    let powers = (low / rate).log10().ceil() as i32..=(high / rate).log10().floor() as i32;
    let mut powers: Vec<i32> = powers.collect();
    // One itself has precedence.
    powers.sort_by_key(|power| power.abs());
    let tick = |power: i32| {
        let text = match power {
            ..0 => format!("1/{}", format::tick(10f64.powi(-power))),
            _ => format!("{}×", format::tick(10f64.powi(power))),
        };
        (scale.at(10f64.powi(power) * rate), text)
    };
    powers.into_iter().map(tick).collect()
}

fn message(against: &Against) -> String {
    let top = against.top();
    let over =
        |other: &Entry, what: &str| format!("{} {what}", format::factor(top.rate / other.rate));
    let mut parts = Vec::from_iter(against.thread().map(|thread| over(thread, "one CPU thread")));
    if against.thread != Some(against.best) {
        parts.push(over(against.best(), "the best CPU step"));
    }
    format!("{} on {}: {}", top.step, against.gpu_name(top), parts.join(", "))
}

/// What a reader must know of the two runs.
fn runs(against: &Against) -> String {
    let detour = against.faster_detour();
    let detour =
        detour.map(|it| format!("The detour {} is faster than the best CPU step.", it.step));
    let sizes = against.sizes();
    let sizes = format!("Each rate is taken at the step's own n, so that n differs: {sizes}.");
    let parts = [detour, against.model(), Some(sizes), against.machines()];
    words::sentences(parts.into_iter().flatten())
}
