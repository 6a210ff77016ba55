//! The ladder as several machines climb it, over each other.
//!
//! Left, each machine's speed over its first step, as a line from step to step; right, in columns,
//! how many times its parent's speed each step has, with the n of that comparison. A line is the
//! product of its column: where one of the factors was taken at another n, that stretch is dotted.

mod data;

use ::report::Report;
use anyhow::{Result, bail};

use super::axis::Axis;
use super::canvas::{Canvas, Point, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head::Notes;
use super::labels;
use super::marks::{Look, RADIUS};
use super::rows::{self, second};
use super::scene::Scene;
use super::style::{CARD, HAIR, INK, LOSS, MARGIN, MUTED, RAIL, WIDTH, size};
use super::{head, numbers};
use crate::published::{Line, SOURCE};
use data::{Gain, Machine, Step};

/// More than these can neither be told apart nor have a column each.
const MOST: usize = 6;
/// Room for the heads of the columns, below the basis.
const OVER: i32 = 176;
const HEAD: i32 = head::HEIGHT + OVER;
const PITCH: i32 = 66;
/// From the lowest row to the notes.
const AXIS: i32 = 108;
const WIDEST_NAME: i32 = 300;
/// From a label above the lines to the next.
const LABEL: i32 = 28;

/// What the picture shows.
pub struct Machines {
    title: String,
    scene: Scene,
    machines: Vec<Machine>,
    steps: Vec<Step>,
}

impl Machines {
    /// The picture of a report beside others and beside what was published. Each other report comes
    /// with the name that tells it from one of the same GPU.
    ///
    /// # Errors
    /// A report has no times or is of another ladder, or there are too many.
    pub fn of(report: &Report, others: &[(String, Report)], lines: &[Line]) -> Result<Machines> {
        let Some(own) = Machine::of(report) else {
            bail!(
                "nothing was timed with the steps' own blocks, so that there is nothing to compare"
            )
        };
        let mut machines = vec![own];
        for (name, other) in others {
            if other.options.ladder != report.options.ladder {
                bail!("{name} climbs another ladder: {}", other.options.ladder);
            }
            let Some(mut machine) = Machine::of(other) else { bail!("{name} has no times") };
            if machines.iter().any(|known| known.name == machine.name) {
                machine.name = format!("{} ({name})", machine.name);
            }
            machines.push(machine);
        }
        machines.extend(Machine::published(lines)?);
        if machines.len() > MOST {
            bail!("{} machines are more than a picture can tell apart: {MOST}", machines.len());
        }
        let steps = data::steps(report, &machines);
        let scene = Scene::of(report);
        let title = message(&scene, &machines, &steps);
        Ok(Machines { title, scene, machines, steps })
    }

    fn column(&self) -> i32 {
        if self.machines.len() > 4 { 144 } else { 152 }
    }

    /// The right end of a machine's column.
    fn column_end(&self, place: usize) -> i32 {
        WIDTH - MARGIN - (self.machines.len() - 1 - place) as i32 * self.column()
    }

    fn left(&self) -> i32 {
        let names = self.steps.iter();
        let names = names.map(|step| (step.name.as_str(), step.detour, step.title.as_str()));
        MARGIN + rows::room(names, WIDEST_NAME) + 32
    }

    fn right(&self) -> i32 {
        WIDTH - MARGIN - self.column() * self.machines.len() as i32 - 16
    }

    fn bottom(&self) -> i32 {
        HEAD + self.steps.len() as i32 * PITCH
    }

    fn notes(&self) -> Notes {
        let first = "Columns: speed over the parent's, at the n above or below it. Lines: the product of \
                     these, dotted where a factor is of another n. Marks beside a line: detours.";
        let published = self.machines.iter().any(|machine| machine.kind == "published");
        let source = if published { format!("Published: {SOURCE}.") } else { String::new() };
        Notes::of(&[first, &source], &self.scene)
    }

    fn height(&self) -> i32 {
        self.bottom() + AXIS - 12 + self.notes().height()
    }

    /// The height of a step; the first is the lowest.
    fn y(&self, at: usize) -> i32 {
        self.bottom() - PITCH / 2 - at as i32 * PITCH
    }

    fn axis(&self) -> Option<Axis> {
        let gains = self.machines.iter().flat_map(|machine| &machine.gains);
        let totals: Vec<f64> = gains.filter_map(|gain| gain.total).collect();
        Axis::new(&totals, self.left() + 24, self.right() - 24)
    }

    fn head<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        head::message(canvas, &self.title)?;
        let published = self.machines.iter().filter(|it| it.kind == "published").count();
        let beside = match (self.machines.len() - 1 - published, published) {
            (0, 0) => String::new(),
            (reports, 0) => format!(", beside {reports} more"),
            (0, published) => format!(", beside {published} that were published"),
            (reports, published) => {
                format!(", beside {reports} more and {published} that were published")
            }
        };
        let rest = format!("{}{beside}", self.scene.rest());
        head::basis(canvas, self.scene.basis, &rest)?;
        let words = Lettering::new(size::NOTE, MUTED).right();
        let name = Lettering { colour: INK, ..words };
        for (place, machine) in self.machines.iter().enumerate() {
            let right = self.column_end(place);
            Look::of(place).mark(canvas, (right - RADIUS, HEAD - OVER + 32))?;
            // A compute capability stays on one line.
            let whole = machine.name.replace("(CC ", "(CC\u{2009}");
            for (at, line) in name.wrapped(&whole, self.column() - 16, 3).iter().enumerate() {
                canvas.text((right, HEAD - OVER + 58 + 24 * at as i32), &name, line)?;
            }
            canvas.text((right, HEAD - 42), &words, machine.kind)?;
            if let Some(n) = machine.usual_n() {
                canvas.text((right, HEAD - 16), &words, &format!("n = {}", numbers::count(n)))?;
            }
        }
        Ok(())
    }

    fn grid<DB: Surface>(&self, canvas: &mut Canvas<DB>, axis: Option<&Axis>) -> Result<()> {
        for (at, step) in self.steps.iter().enumerate() {
            let y = self.y(at);
            canvas.line((self.left(), y), (self.right(), y), 2, HAIR)?;
            rows::step(canvas, y, WIDEST_NAME, (&step.name, step.detour), &step.title)?;
        }
        let (left, right, bottom) = (self.left(), self.right(), self.bottom());
        if let Some(axis) = axis {
            let ticks = axis.ticks().into_iter().map(|tick| (axis.x(tick), numbers::tick(tick)));
            for (x, text) in labels::fitting(ticks) {
                canvas.line((x, HEAD), (x, bottom), 2, HAIR)?;
                canvas.text((x, bottom + 24), &second().centred(), &text)?;
            }
            let unit = "times the speed of its own first step, logarithmic";
            canvas.text(((left + right) / 2, bottom + 58), &second().centred(), unit)?;
        }
        canvas.line((left, bottom), (right, bottom), 3, RAIL)
    }

    /// A machine's line from step to step, and its detours beside it.
    fn line<DB: Surface>(&self, canvas: &mut Canvas<DB>, axis: &Axis, place: usize) -> Result<()> {
        let (machine, look) = (&self.machines[place], Look::of(place));
        let mut last: Option<Point> = None;
        let mut marks = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let Some(gain) = machine.gain(&step.name) else { continue };
            let Some(total) = gain.total else { continue };
            let point = (axis.x(total), self.y(at));
            marks.push(point);
            if step.detour {
                continue;
            }
            if let Some(last) = last {
                if machine.other_n(gain).is_some() {
                    canvas.dashed_path(&[last, point], 3, (4, 7), look.colour)?;
                } else {
                    canvas.path(&[last, point], 3, look.colour)?;
                }
            }
            last = Some(point);
        }
        marks.into_iter().try_for_each(|point| look.mark(canvas, point))
    }

    /// The name and the total of each machine above the end of its line: the leftmost end has the
    /// lowest label, so that no other's way up passes through it.
    fn labels<DB: Surface>(&self, canvas: &mut Canvas<DB>, axis: &Axis) -> Result<()> {
        let end = |(place, machine): (usize, &Machine)| {
            let gain = machine.top(&self.steps)?;
            let at = self.steps.iter().position(|step| step.name == gain.step)?;
            let total = gain.total?;
            let over = if machine.mixes_n() { ", over different n" } else { "" };
            let text = format!("{} {}{over}", machine.name, numbers::factor(total));
            Some(((axis.x(total), self.y(at)), place, text))
        };
        let mut ends: Vec<_> = self.machines.iter().enumerate().filter_map(end).collect();
        ends.sort_by_key(|((x, _), ..)| *x);
        let words = Lettering::new(size::NOTE, INK).right();
        for (at, ((x, y), place, text)) in ends.iter().enumerate() {
            let height = HEAD - 18 - LABEL * at as i32;
            canvas.path(&[(*x, y - RADIUS - 3), (*x, height)], 1, RAIL)?;
            Look::of(*place).mark(canvas, (*x, height))?;
            let room = x - 18 - MARGIN;
            canvas.text((x - 18, height), &words, &words.fit(text, room))?;
        }
        Ok(())
    }

    /// × parent of every machine, with its n where that is another than usual.
    fn table<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        let small = Lettering::new(size::NOTE, MUTED).right();
        for (at, step) in self.steps.iter().enumerate() {
            for (place, machine) in self.machines.iter().enumerate() {
                let (right, y) = (self.column_end(place), self.y(at));
                let gain = machine.gain(&step.name);
                let (text, colour) = gain.map_or(("–".to_owned(), MUTED), |it| figure(it, step));
                let number = Lettering::new(size::BODY, colour).right();
                match gain.and_then(|gain| machine.other_n(gain)) {
                    None => canvas.text((right, y), &number, &text)?,
                    Some(n) => {
                        canvas.text((right, y - 12), &number, &text)?;
                        canvas.text((right, y + 15), &small, &small.fit(&n, self.column() - 8))?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Drawn for Machines {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, self.height() as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.height()), CARD)?;
        let axis = self.axis();
        self.grid(canvas, axis.as_ref())?;
        if let Some(axis) = &axis {
            // The report's own line lies on top.
            for place in (0..self.machines.len()).rev() {
                self.line(canvas, axis, place)?;
            }
            if let Some((from, to)) = axis.cut() {
                let middle = (from + to) / 2;
                canvas.fill((middle - 12, HEAD), (middle + 12, self.bottom() + 4), CARD)?;
                let mark = Lettering::new(size::BODY, MUTED).centred();
                canvas.text((middle, self.bottom()), &mark, "//")?;
            }
            self.labels(canvas, axis)?;
        }
        self.head(canvas)?;
        self.table(canvas)?;
        self.notes().draw(canvas, self.bottom() + AXIS)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        for machine in &self.machines {
            let gains = machine.gains.iter().filter_map(|gain| {
                let n = machine.other_n(gain).map_or(String::new(), |n| format!(" ({n})"));
                Some(format!("{} {}{n}", gain.step, gain.text.as_ref()?))
            });
            let gains: Vec<String> = gains.collect();
            let n = machine
                .usual_n()
                .map_or(String::new(), |n| format!(", at n = {} unless noted", numbers::count(n)));
            let (name, kind) = (&machine.name, machine.kind);
            lines.push(format!("{name}, {kind}, times the parent{n}: {}.", gains.join(", ")));
        }
        if self.machines.iter().any(|machine| machine.kind == "published") {
            lines.push(format!("Published: {SOURCE}."));
        }
        lines.join("\n")
    }
}

/// A factor as its column has it: grey where there is no difference, vermillion where it is slower.
fn figure(gain: &Gain, step: &Step) -> (String, plotters::style::RGBColor) {
    let colour = match gain.times {
        Some(times) if times < 0.995 && !gain.is_none => LOSS,
        Some(_) if !step.detour && !gain.is_none => INK,
        _ => MUTED,
    };
    let nothing = if gain.total.is_some() { "start" } else { "–" };
    (gain.text.clone().unwrap_or_else(|| nothing.to_owned()), colour)
}

/// From the least to the greatest speed-up over the first step.
fn message(scene: &Scene, machines: &[Machine], steps: &[Step]) -> String {
    let ladder = scene.ladder();
    let count = machines.len();
    let totals = machines.iter().filter_map(|machine| machine.top(steps)?.total);
    let (least, most) = totals
        .fold((f64::INFINITY, 0.0f64), |(least, most), total| (least.min(total), most.max(total)));
    if least < most {
        let (least, most) = (numbers::factor(least), numbers::factor(most));
        format!("{ladder} on {count} machines: {least} to {most} over the first step")
    } else {
        format!("{ladder} on {count} machines")
    }
}
