//! A GPU's steps and a CPU's on one scale.
//!
//! The CPU's steps are below, the GPU's above, each ladder climbing upwards. A bar reaches from the
//! rate of one CPU thread to the step's own, so that its length is how many times that it is; what
//! else the steps are compared with rises through the picture as a line. What the tutorial published
//! stands below its step, at that many times this CPU's thread.

mod layout;

use anyhow::Result;

use super::canvas::{Canvas, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head::{self, Notes};
use super::labels;
use super::marks::Shape;
use super::numbers;
use super::rows::{self, second};
use super::scale::Scale;
use super::scene::Basis;
use super::style::{CARD, GAIN, HAIR, HOST, INK, MARGIN, MUTED, RAIL, WIDTH, size, tint};
use crate::against::{Against, Entry, Side, table, words};
use layout::{COLUMN, HEAD, Layout, Row, WIDEST_NAME};

/// Heads of the columns, in two lines.
const COLUMNS: [[&str; 2]; 4] =
    [["10⁹", "per s"], ["× one", "thread"], ["× fastest", "thread"], ["× best", "CPU step"]];
/// From a mark to the words beside it.
const SPACE: i32 = 20;
/// Radius of the mark of a step, and of what was published for it.
const RADIUS: i32 = 9;
const SMALL: i32 = 8;
/// From a published mark to the next below it.
const STACK: i32 = 11;
/// One for each of the tutorial's GPUs.
const PUBLISHED: [Shape; 3] = [Shape::OpenDiamond, Shape::OpenSquare, Shape::OpenUp];

/// What the picture shows.
pub struct Opposed {
    title: String,
    basis: Basis,
    against: Against,
}

impl Opposed {
    /// The picture of a comparison.
    pub fn of(against: &Against) -> Opposed {
        let basis = if against.modelled().0 { Basis::Mixed } else { Basis::Measured };
        Opposed { title: words::message(against), basis, against: against.clone() }
    }

    fn notes(&self) -> Notes {
        let (against, gpu, cpu) = (&self.against, &self.against.gpu, &self.against.cpu);
        let own = [words::modelled(against), Some(words::sizes(against)), words::machines(against)];
        let mut own: Vec<String> = own.into_iter().flatten().collect();
        if let Some(detour) = against.faster_detour() {
            own.insert(0, format!("The detour {} is faster than the best CPU step.", detour.step));
        }
        let published = words::published(against).unwrap_or_default();
        let source = match words::sources(against) {
            None => gpu.source.clone(),
            Some(_) => format!("GPU: {}, CPU: {}", gpu.date, cpu.date),
        };
        Notes::with_source(&[&own.join(" "), &published], &source)
    }

    /// The tutorial's GPUs, in the order of its table.
    fn published(&self) -> Vec<&str> {
        let mut gpus: Vec<&str> = Vec::new();
        for one in self.against.gpu.steps.iter().flat_map(|entry| &entry.published) {
            if !gpus.contains(&one.gpu.as_str()) {
                gpus.push(&one.gpu);
            }
        }
        gpus
    }

    fn head<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        head::message(canvas, &self.title)?;
        head::basis(canvas, self.basis, &words::basis(&self.against))?;
        let head = second().right();
        for (at, lines) in COLUMNS.iter().rev().enumerate() {
            let right = WIDTH - MARGIN - COLUMN * at as i32;
            canvas.text((right, HEAD - 48), &head, lines[0])?;
            canvas.text((right, HEAD - 22), &head, lines[1])?;
        }
        Ok(())
    }

    /// Below, rates; above, how many times one thread they are.
    fn grid<DB: Surface>(&self, canvas: &mut Canvas<DB>, layout: &Layout) -> Result<()> {
        let Some(scale) = &layout.scale else { return Ok(()) };
        let (left, right, bottom) = (layout.left, layout.right, layout.bottom);
        let (label, middle) = (second().centred(), (left + right) / 2);
        let ticks = scale.ticks().into_iter().map(|tick| (scale.at(tick), numbers::tick(tick)));
        for (x, text) in labels::fitting(ticks) {
            canvas.line((x, HEAD), (x, bottom), 2, HAIR)?;
            canvas.text((x, bottom + 26), &label, &text)?;
        }
        for (row, y) in &layout.rows {
            if matches!(row, Row::GpuStep(_) | Row::CpuStep(_)) {
                canvas.line((left, *y), (right, *y), 2, HAIR)?;
            }
        }
        canvas.text((middle, bottom + 60), &label, "10⁹ interactions per second, logarithmic")?;
        canvas.line((left, bottom), (right, bottom), 3, RAIL)?;
        let Some(thread) = self.against.thread() else { return Ok(()) };
        canvas.line((left, HEAD), (right, HEAD), 3, RAIL)?;
        for (x, text) in labels::fitting(times(scale, thread.rate / 1e9)) {
            canvas.line((x, HEAD - 8), (x, HEAD), 3, RAIL)?;
            canvas.text((x, HEAD - 25), &label, &text)?;
        }
        canvas.text((middle, HEAD - 57), &label, "times one CPU thread")
    }

    /// What the steps are compared with, from its own mark upwards.
    fn opponents<DB: Surface>(&self, canvas: &mut Canvas<DB>, layout: &Layout) -> Result<()> {
        let against = &self.against;
        let fastest = (against.fastest_thread, Some((4, 8)));
        let best = (Some(against.best), Some((16, 8)));
        // The whole line last: it lies over others that are the same step's.
        for (place, rhythm) in [fastest, best, (against.thread, None)] {
            let Some(place) = place else { continue };
            let x = layout.x(against.cpu.steps[place].rate / 1e9);
            let (top, foot) = ((x, HEAD), (x, layout.y(Row::CpuStep(place))));
            match rhythm {
                Some(rhythm) => canvas.dashes(top, foot, 3, rhythm, HOST)?,
                None => canvas.line(top, foot, 3, HOST)?,
            }
        }
        Ok(())
    }

    /// The name of a processor above its steps.
    fn side<DB: Surface>(&self, canvas: &mut Canvas<DB>, layout: &Layout, row: Row) -> Result<()> {
        let (y, against) = (layout.y(row), &self.against);
        let (name, shape, colour) = match (row, against.modelled()) {
            (Row::Gpu, (false, _)) => (against.gpu.name.clone(), Shape::Disc, GAIN),
            (Row::Gpu, (true, true)) => {
                (format!("modelled {}", against.gpu.name), Shape::OpenDisc, GAIN)
            }
            (Row::Gpu, (true, false)) => {
                (format!("{}, some modelled", against.gpu.name), Shape::Disc, GAIN)
            }
            _ => (against.cpu.name.clone(), Shape::Square, HOST),
        };
        shape.draw(canvas, (MARGIN + RADIUS, y), RADIUS, colour)?;
        let start = MARGIN + 2 * RADIUS + 12;
        let bold = Lettering::new(size::BODY, colour).bold();
        let name = bold.fit(&name, layout.right - start);
        // A long name reaches into the plot.
        let end = start + bold.width(&name) + 8;
        if end > layout.left {
            canvas.fill((layout.left, y - 16), (end, y + 16), CARD)?;
        }
        canvas.text((start, y), &bold, &name)
    }

    fn step<DB: Surface>(
        &self,
        canvas: &mut Canvas<DB>,
        layout: &Layout,
        row: Row,
        (side, entry): (&Side, &Entry),
    ) -> Result<()> {
        let (x, y) = (layout.x(entry.rate / 1e9), layout.y(row));
        let below = layout::below(side, entry);
        rows::step(canvas, y, WIDEST_NAME, (&entry.step, entry.detour), &below)?;
        let (shape, colour) = match (row, entry.modelled) {
            (Row::CpuStep(_), _) => (Shape::Square, HOST),
            (_, true) => (Shape::OpenDisc, GAIN),
            (_, false) => (Shape::Disc, GAIN),
        };
        let colour = if entry.detour { tint(colour, 0.55) } else { colour };
        if let Some(thread) = self.against.thread() {
            let from = layout.x(thread.rate / 1e9);
            let width = if entry.detour { 4 } else { 6 };
            canvas.line((from.min(x), y), (from.max(x), y), width, colour)?;
        }
        shape.draw(canvas, (x, y), RADIUS, colour)?;
        if let Row::CpuStep(place) = row {
            self.role(canvas, layout, place, (x, y))?;
        }
        let [thread, fastest, best] = self.against.times(entry).map(table::factor);
        let cells = [numbers::quantity(entry.rate / 1e9), thread, fastest, best];
        let number = Lettering::new(size::BODY, if entry.detour { MUTED } else { INK }).right();
        for (at, text) in cells.iter().rev().enumerate() {
            let text = number.fit(text, COLUMN - 10);
            canvas.text((WIDTH - MARGIN - COLUMN * at as i32, y), &number, &text)?;
        }
        Ok(())
    }

    /// What the others are compared with is named beside its mark.
    fn role<DB: Surface>(
        &self,
        canvas: &mut Canvas<DB>,
        layout: &Layout,
        place: usize,
        (x, y): (i32, i32),
    ) -> Result<()> {
        let bold = Lettering::new(size::SMALL, HOST).bold();
        let roles = words::roles(&self.against, place);
        // Where there is no room for all, the last one says most.
        let all = roles.join(", ");
        let fits = |words: &str| side_of(layout, (x, x), bold.width(words)).is_some();
        let name = if fits(&all) { &all } else { roles.last().copied().unwrap_or_default() };
        beside(canvas, layout, (x, x), y, &bold, name)
    }

    /// What was published for a step, at that many times this CPU's thread.
    fn figures<DB: Surface>(
        &self,
        canvas: &mut Canvas<DB>,
        layout: &Layout,
        (entry, y): (&Entry, i32),
    ) -> Result<()> {
        let Some(thread) = self.against.thread() else { return Ok(()) };
        let mut slides: Vec<String> =
            entry.published.iter().map(|one| one.slide.to_string()).collect();
        slides.dedup();
        let name = format!("published, slide {}", slides.join(", "));
        canvas.text((MARGIN, y), &second(), &second().fit(&name, WIDEST_NAME))?;
        let gpus = self.published();
        let (mut left, mut right) = (layout.right, layout.left);
        for one in &entry.published {
            let place = gpus.iter().position(|gpu| *gpu == one.gpu).unwrap_or(0);
            let x = layout.x(one.times * thread.rate / 1e9);
            let lower = (place % 3) as i32 - 1;
            let shape = PUBLISHED[place % PUBLISHED.len()];
            shape.draw(canvas, (x, y + STACK * lower), SMALL, INK)?;
            (left, right) = (left.min(x), right.max(x));
        }
        let texts: Vec<String> = entry.published.iter().map(words::printed).collect();
        beside(canvas, layout, (left, right), y, &second(), &texts.join(" · "))
    }

    /// Which of the tutorial's GPUs has which mark.
    fn legend<DB: Surface>(&self, canvas: &mut Canvas<DB>, y: i32) -> Result<()> {
        let (label, mut x) = (second(), MARGIN);
        let room = |x: i32| WIDTH - MARGIN - x;
        let intro = "Published for other GPUs, over the CPUs beside them:";
        canvas.text((x, y), &label, intro)?;
        x += label.width(intro) + 26;
        for (place, gpu) in self.published().into_iter().enumerate() {
            let gpu = label.fit(gpu, room(x + 24));
            if gpu.is_empty() {
                break;
            }
            PUBLISHED[place % PUBLISHED.len()].draw(canvas, (x + SMALL, y), SMALL, INK)?;
            canvas.text((x + 24, y), &label, &gpu)?;
            x += 24 + label.width(&gpu) + 30;
        }
        Ok(())
    }
}

impl Drawn for Opposed {
    fn extent(&self) -> (u32, u32) {
        let layout = Layout::of(&self.against);
        (WIDTH as u32, (layout.notes() - 14 + self.notes().height()) as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        let (width, height) = self.extent();
        canvas.fill((0, 0), (width as i32, height as i32), CARD)?;
        let (layout, against) = (Layout::of(&self.against), &self.against);
        self.head(canvas)?;
        self.grid(canvas, &layout)?;
        self.opponents(canvas, &layout)?;
        for &(row, y) in &layout.rows {
            match row {
                Row::Gpu | Row::Cpu => self.side(canvas, &layout, row)?,
                Row::GpuStep(at) => {
                    self.step(canvas, &layout, row, (&against.gpu, &against.gpu.steps[at]))?;
                }
                Row::CpuStep(at) => {
                    self.step(canvas, &layout, row, (&against.cpu, &against.cpu.steps[at]))?;
                }
                Row::Published(at) => {
                    self.figures(canvas, &layout, (&against.gpu.steps[at], y))?;
                }
            }
        }
        if let Some(y) = layout.legend() {
            self.legend(canvas, y)?;
        }
        self.notes().draw(canvas, layout.notes())
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let (against, word) = (&self.against, self.basis.word());
        let mut lines = vec![format!("{}. {word}: {}.", self.title, words::basis(against))];
        for side in [&against.cpu, &against.gpu] {
            for entry in &side.steps {
                let times = against.times(entry).into_iter().zip(words::OPPONENTS);
                let times = times.filter_map(|(times, what)| {
                    Some(format!("{} {what}", table::factor(Some(times?))))
                });
                let times: Vec<String> = times.collect();
                let published = entry.published.iter().map(table::figure);
                let published: String =
                    published.map(|text| format!("; published × one CPU thread: {text}")).collect();
                lines.push(format!(
                    "{}, {}: {}·10⁹ interactions per second, {}{published}.",
                    entry.step,
                    table::place(entry),
                    numbers::quantity(entry.rate / 1e9),
                    times.join(", ")
                ));
            }
        }
        lines.extend(words::caption(against));
        lines.join("\n")
    }
}

/// Where words of this width begin beside marks that reach from one pixel to another: right of them,
/// or left where there is more room; none where there is too little.
fn side_of(layout: &Layout, (left, right): (i32, i32), wide: i32) -> Option<i32> {
    let (before, after) = (left - SPACE - wide, right + SPACE);
    if after + wide <= layout.right - 8 {
        return Some(after);
    }
    (before >= layout.left + 8).then_some(before)
}

/// Words beside marks, what lies behind them cleared.
fn beside<DB: Surface>(
    canvas: &mut Canvas<DB>,
    layout: &Layout,
    marks: (i32, i32),
    y: i32,
    lettering: &Lettering,
    words: &str,
) -> Result<()> {
    let wide = lettering.width(words);
    match side_of(layout, marks, wide) {
        Some(start) if !words.is_empty() => {
            canvas.fill((start - 6, y - 14), (start + wide + 6, y + 14), CARD)?;
            canvas.text((start, y), lettering, words)
        }
        _ => Ok(()),
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
            ..0 => format!("1/{}", numbers::tick(10f64.powi(-power))),
            _ => format!("×{}", numbers::tick(times)),
        };
        (scale.at(times * rate), text)
    };
    powers.into_iter().map(tick).collect()
}
