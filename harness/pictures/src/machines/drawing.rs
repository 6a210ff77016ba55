//! Where the climbs of several machines lie, and how they look.

use plotters::style::RGBColor;
use report::scene::Scene;
use report::{Row, format};

use super::climb::{Gain, Machine};
use crate::kit::canvas::{Canvas, Point};
use crate::kit::lettering::Lettering;
use crate::kit::marks::{Look, RADIUS};
use crate::kit::scale::Scale;
use crate::kit::style::{END, HAIR, INK, LOSS, MARGIN, MUTED, RAIL, size};
use crate::kit::{caption, grid, rows};

/// Room for the heads of the columns, below the basis.
const OVER: i32 = 176;
const HEAD: i32 = caption::HEIGHT + OVER;
const PITCH: i32 = 66;
/// From the lowest row to the notes.
const AXIS: i32 = 108;
const WIDEST_NAME: i32 = 300;
/// From a label above the lines to the next.
const LABEL: i32 = 28;

/// What the picture shows, and where it lies.
pub struct Drawing<'r> {
    pub scene: Scene,
    machines: Vec<Machine>,
    steps: Vec<&'r Row>,
    left: i32,
    right: i32,
    /// Width of a machine's column.
    column: i32,
    bottom: i32,
}

impl<'r> Drawing<'r> {
    pub fn of(scene: Scene, machines: Vec<Machine>, steps: Vec<&'r Row>) -> Drawing<'r> {
        let names = steps.iter().map(|row| (row.step.as_str(), row.detour, row.title.as_str()));
        let left = MARGIN + rows::room(names, WIDEST_NAME) + 32;
        let column = if machines.len() > 4 { 144 } else { 152 };
        let right = END - column * machines.len() as i32 - 16;
        let bottom = HEAD + steps.len() as i32 * PITCH;
        Drawing { scene, machines, steps, left, right, column, bottom }
    }

    /// The right end of a machine's column.
    fn column_end(&self, place: usize) -> i32 {
        END - (self.machines.len() - 1 - place) as i32 * self.column
    }

    /// The height of a step; the first is the lowest.
    fn y(&self, at: usize) -> i32 {
        self.bottom - PITCH / 2 - at as i32 * PITCH
    }

    /// Draws it, and returns where the notes begin.
    pub fn draw(&self, canvas: &mut Canvas) -> i32 {
        let gains = self.machines.iter().flat_map(|machine| &machine.gains);
        let totals: Vec<f64> = gains.filter_map(|gain| gain.total).collect();
        let scale = Scale::with_cut(&totals, self.left + 24, self.right - 24);
        self.grid(canvas, scale.as_ref());
        if let Some(scale) = &scale {
            // The report's own line lies on top.
            for place in (0..self.machines.len()).rev() {
                self.line(canvas, scale, place);
            }
            grid::gap(canvas, scale, (HEAD, self.bottom + 4), self.bottom);
            self.labels(canvas, scale);
        }
        self.head(canvas);
        self.table(canvas);
        self.bottom + AXIS
    }

    fn head(&self, canvas: &mut Canvas) {
        let published = self.machines.iter().filter(|it| it.kind == "published").count();
        let reports = self.machines.len() - 1 - published;
        let counts = [(reports, "more"), (published, "that were published")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        let more = if counts.is_empty() { "" } else { ", with " };
        let more = format!("{more}{}", counts.join(" and "));
        caption::scene(canvas, &self.scene, &more);
        let words = Lettering::new(size::NOTE, MUTED).right();
        let name = Lettering { colour: INK, ..words };
        for (place, machine) in self.machines.iter().enumerate() {
            let right = self.column_end(place);
            Look::of(place).mark(canvas, (right - RADIUS, HEAD - OVER + 32));
            // A compute capability stays on one line.
            let whole = machine.name.replace("(CC ", "(CC\u{2009}");
            let lines = name.wrapped(&whole, self.column - 16, 3);
            for (at, line) in (0..).zip(&lines) {
                canvas.text((right, HEAD - OVER + 58 + 24 * at), &name, line);
            }
            canvas.text((right, HEAD - 42), &words, machine.kind);
            if let Some(n) = machine.usual_n() {
                canvas.text((right, HEAD - 16), &words, &format!("n = {}", format::grouped(n)));
            }
        }
    }

    fn grid(&self, canvas: &mut Canvas, scale: Option<&Scale>) {
        let (left, right, bottom) = (self.left, self.right, self.bottom);
        for y in (0..self.steps.len()).map(|at| self.y(at)) {
            canvas.line((left, y), (right, y), 2, HAIR);
        }
        if let Some(scale) = scale {
            let unit = "times the speed of its own first step, logarithmic";
            grid::level(canvas, &grid::ticks(scale), (HEAD, bottom), (left, right), unit);
        }
        canvas.line((left, bottom), (right, bottom), 3, RAIL);
    }

    /// A machine's line from step to step, and the marks of its detours.
    fn line(&self, canvas: &mut Canvas, scale: &Scale, place: usize) {
        let (machine, look) = (&self.machines[place], Look::of(place));
        let mut last: Option<Point> = None;
        let mut marks = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let Some(gain) = machine.gain(&step.step) else { continue };
            let Some(total) = gain.total else { continue };
            let point = (scale.at(total), self.y(at));
            marks.push(point);
            if step.detour {
                continue;
            }
            if let Some(last) = last {
                if machine.other_n(gain).is_some() {
                    canvas.dashes(&[last, point], 3, (4, 7), look.colour);
                } else {
                    canvas.path(&[last, point], 3, look.colour);
                }
            }
            last = Some(point);
        }
        marks.into_iter().for_each(|point| look.mark(canvas, point));
    }

    /// The name and the total of each machine above the end of its line: the leftmost end has the
    /// lowest label, so that no other's way up passes through it.
    fn labels(&self, canvas: &mut Canvas, scale: &Scale) {
        let end = |(place, machine): (usize, &Machine)| {
            let gain = machine.top(&self.steps)?;
            let at = self.steps.iter().position(|row| row.step == gain.step)?;
            let total = gain.total?;
            let over = if machine.mixes_n() { ", over different n" } else { "" };
            let text = format!("{} {}{over}", machine.name, format::factor(total));
            Some(((scale.at(total), self.y(at)), place, text))
        };
        let mut ends: Vec<_> = self.machines.iter().enumerate().filter_map(end).collect();
        ends.sort_by_key(|((x, _), ..)| *x);
        let words = Lettering::new(size::NOTE, INK).right();
        for (at, ((x, y), place, text)) in ends.iter().enumerate() {
            let height = HEAD - 18 - LABEL * at as i32;
            canvas.path(&[(*x, y - RADIUS - 3), (*x, height)], 1, RAIL);
            Look::of(*place).mark(canvas, (*x, height));
            let room = x - 18 - MARGIN;
            canvas.text((x - 18, height), &words, &words.fit(text, room));
        }
    }

    /// Names, and × parent of every machine, with its n where that is another than usual.
    fn table(&self, canvas: &mut Canvas) {
        let small = Lettering::new(size::NOTE, MUTED).right();
        for (at, step) in self.steps.iter().enumerate() {
            let name = (step.step.as_str(), step.detour);
            rows::step(canvas, self.y(at), WIDEST_NAME, name, &step.title);
            for (place, machine) in self.machines.iter().enumerate() {
                let (right, y) = (self.column_end(place), self.y(at));
                let gain = machine.gain(&step.step);
                let (text, colour) = gain.map_or(("–".to_owned(), MUTED), |it| cell(it, step));
                let number = Lettering::new(size::LARGE, colour).right();
                let n = gain.and_then(|gain| machine.other_n(gain));
                canvas.text((right, if n.is_some() { y - 12 } else { y }), &number, &text);
                let n = small.fit(&n.unwrap_or_default(), self.column - 8);
                canvas.text((right, y + 15), &small, &n);
            }
        }
    }

    /// From the least to the greatest speed-up over the first step.
    pub fn message(&self) -> String {
        let (ladder, count) = (&self.scene.title, self.machines.len());
        let totals = self.machines.iter().filter_map(|machine| machine.top(&self.steps)?.total);
        let (least, most) = totals.fold((f64::INFINITY, 0.0f64), |(least, most), total| {
            (least.min(total), most.max(total))
        });
        if least < most {
            let (least, most) = (format::factor(least), format::factor(most));
            format!("{ladder} on {count} machines: {least} to {most} over the first step")
        } else {
            format!("{ladder} on {count} machines")
        }
    }
}

/// A factor as its column has it: grey where there is no difference, vermillion where it is slower.
fn cell(gain: &Gain, step: &Row) -> (String, RGBColor) {
    let colour = match gain.times {
        Some(times) if times < 0.995 && !gain.is_none => LOSS,
        Some(_) if !step.detour && !gain.is_none => INK,
        _ => MUTED,
    };
    let nothing = if gain.total.is_some() { "start" } else { "–" };
    (gain.text.clone().unwrap_or_else(|| nothing.to_owned()), colour)
}
