//! The ladder as several machines climb it, over each other.
//!
//! Left, each machine's speed over its first step, as a line from step to step; right, in columns,
//! how many times its parent's speed each step has, with the n of that comparison. A line is the
//! product of its column: where one of the factors was taken at another n, that stretch is dotted.

mod climb;

use plotters::style::RGBColor;
use report::provenance::Provenance;
use report::published::Published;
use report::{Report, Row, format};

use super::{MACHINES, Picture};
use crate::kit::canvas::{Canvas, Point};
use crate::kit::grid::{self, Plane};
use crate::kit::lettering::Lettering;
use crate::kit::marks::{Look, RADIUS};
use crate::kit::rows::{self, Name};
use crate::kit::scale::Scale;
use crate::kit::sheet::{self, Sheet};
use crate::kit::style::{HAIR, INK, LOSS, MARGIN, MUTED, Paper, RAIL, size};
use climb::{Gain, Machine};

/// More than these can neither be told apart nor have a column each.
const MOST: usize = 6;
/// Room for the heads of the columns, below the basis.
const OVER: i32 = 176;
const HEAD: i32 = sheet::HEIGHT + OVER;
const PITCH: i32 = 66;
/// From the lowest row to the first label of a line's end, and from the last to the notes.
const BELOW: i32 = 30;
const WIDEST_NAME: i32 = 300;
/// From a label below the lines to the next.
const LABEL: i32 = 28;

/// Why reports cannot be compared.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MachinesError(String);

/// The picture of a report over others and over what was published. Each other report comes with
/// the name that tells it from one of the same GPU.
///
/// # Errors
/// A report has no times or is of another ladder, or there are too many.
pub fn machines(
    report: &Report,
    others: &[(String, Report)],
    published: &Published,
) -> Result<Picture, MachinesError> {
    let own = Machine::of(report).ok_or_else(|| {
        let problem = "this run has no timings with the steps' own blocks; choose another run";
        MachinesError(problem.to_owned())
    });
    let mut machines = vec![own?];
    for (name, other) in others {
        let ladder = &other.options.ladder;
        if *ladder != report.options.ladder {
            return Err(MachinesError(format!("{name} climbs another ladder: {ladder}")));
        }
        let machine = Machine::of(other);
        let mut machine = machine
            .ok_or_else(|| MachinesError(format!("{name} has no timings; choose another run")))?;
        if machines.iter().any(|known| known.name == machine.name) {
            machine.name = format!("{} ({name})", machine.name);
        }
        machines.push(machine);
    }
    let steps = climb::steps([report].into_iter().chain(others.iter().map(|(_, other)| other)));
    machines.extend(Machine::published(published, &steps));
    let count = machines.len();
    if count > MOST {
        let problem = format!("{count} machines are more than a picture can tell apart: {MOST}");
        return Err(MachinesError(problem));
    }
    let is_climbed = |row: &&Row| machines.iter().any(|it| it.gain(&row.step).is_some());
    let steps: Vec<&Row> = steps.into_iter().filter(is_climbed).collect();
    let provenance = Provenance::of(report);
    let drawing = Drawing::of(machines, steps);
    let first = "Columns: speed over the parent's, at the n above or below it. Lines: the product of \
                 these, dotted where a factor is of another n. Marks off a line: detours.";
    let source = match published.lines.is_empty() {
        true => String::new(),
        false => format!("Published: {}.", published.source),
    };
    let title = format!("{} on {count} machines{}", provenance.title, drawing.range());
    let notes = [first.to_owned(), source];
    let sheet = Sheet::of(provenance, MACHINES, title, &drawing.more(), notes);
    Ok(sheet.wide(|canvas| drawing.draw(canvas)))
}

/// What the picture shows, and where it lies.
struct Drawing<'r> {
    machines: Vec<Machine>,
    steps: Vec<(&'r Row, Name<'r>)>,
    plane: Plane,
    /// Width of a machine's column.
    column: i32,
    /// Speeds over the first step.
    scale: Option<Scale>,
}

impl<'r> Drawing<'r> {
    fn of(machines: Vec<Machine>, steps: Vec<&'r Row>) -> Drawing<'r> {
        let steps = steps.into_iter().map(|row| (row, Name::of(row, row.title.clone())));
        let steps: Vec<(&Row, Name)> = steps.collect();
        let left = MARGIN + rows::room(steps.iter().map(|(_, name)| name), WIDEST_NAME) + 32;
        let column = if machines.len() > 4 { 144 } else { 152 };
        let right = Paper::Wide.end() - column * machines.len() as i32 - 16;
        let bottom = HEAD + steps.len() as i32 * PITCH;
        let gains = machines.iter().flat_map(|machine| &machine.gains);
        let totals: Vec<f64> = gains.filter_map(|gain| gain.total).collect();
        let scale = Scale::with_cut(&totals, left + 24, right - 24);
        let plane = Plane { left, right, top: HEAD, bottom };
        Drawing { machines, steps, plane, column, scale }
    }

    /// The machines, each with the right end of its column.
    fn columns(&self) -> impl Iterator<Item = (i32, &Machine)> {
        rows::ends(Paper::Wide, self.column, self.machines.len()).zip(&self.machines)
    }

    /// The height of a step; the first is the highest.
    fn y(&self, at: usize) -> i32 {
        self.plane.top + PITCH / 2 + at as i32 * PITCH
    }

    /// How many others there are.
    fn more(&self) -> String {
        let published = self.machines.iter().filter(|it| it.kind == "published").count();
        let reports = self.machines.len() - 1 - published;
        let counts = [(reports, "more"), (published, "that were published")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        if counts.is_empty() { String::new() } else { format!(", with {}", counts.join(" and ")) }
    }

    /// From the least to the greatest speed-up over the first step.
    fn range(&self) -> String {
        let totals = self.machines.iter().filter_map(|machine| self.end(machine)?.1.total);
        let (least, most) = totals.fold((f64::INFINITY, 0.0f64), |(least, most), total| {
            (least.min(total), most.max(total))
        });
        let range = || {
            format!(": {} to {} over the first step", format::factor(least), format::factor(most))
        };
        if least < most { range() } else { String::new() }
    }

    fn draw(&self, canvas: &mut Canvas) -> i32 {
        let plane = self.plane;
        (0..self.steps.len()).for_each(|at| plane.line(canvas, self.y(at), 2));
        if let Some(scale) = &self.scale {
            let ticks = grid::ticks(scale);
            for (x, _) in &ticks {
                canvas.line((*x, plane.top), (*x, plane.bottom), 2, HAIR);
            }
            plane.above(canvas, &ticks, "times the speed of its own first step, logarithmic");
            // The report's own line lies on top.
            for (place, machine) in self.machines.iter().enumerate().rev() {
                self.line(canvas, scale, machine, Look::of(place));
            }
            Plane { top: plane.top - 4, ..plane }.gap(canvas, scale, plane.top);
            self.labels(canvas, scale);
        }
        self.heads(canvas);
        self.table(canvas);
        plane.bottom + BELOW + LABEL * self.machines.len() as i32 + BELOW
    }

    fn heads(&self, canvas: &mut Canvas) {
        let words = Lettering::new(size::NOTE, MUTED).right();
        let name = Lettering { colour: INK, ..words };
        for (place, (right, machine)) in self.columns().enumerate() {
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

    /// A machine's line from step to step, and the marks of its detours.
    fn line(&self, canvas: &mut Canvas, scale: &Scale, machine: &Machine, look: Look) {
        let mut last: Option<Point> = None;
        let mut marks = Vec::new();
        for (at, (step, _)) in self.steps.iter().enumerate() {
            let Some(gain) = machine.gain(&step.step) else { continue };
            let Some(total) = gain.total else { continue };
            let point = (scale.at(total), self.y(at));
            marks.push(point);
            if step.detour {
                continue;
            }
            match last.replace(point) {
                Some(last) if machine.other_n(gain).is_some() => {
                    canvas.dashes(&[last, point], 3, (4, 7), look.colour);
                }
                Some(last) => canvas.path(&[last, point], 3, look.colour),
                None => {}
            }
        }
        marks.into_iter().for_each(|point| look.mark(canvas, point));
    }

    /// The last kept step of which a machine has a total.
    fn end<'m>(&self, machine: &'m Machine) -> Option<(usize, &'m Gain)> {
        let kept = self.steps.iter().enumerate().rev().filter(|(_, (row, _))| !row.detour);
        let mut gains = kept.filter_map(|(at, (row, _))| Some((at, machine.gain(&row.step)?)));
        gains.find(|(_, gain)| gain.total.is_some())
    }

    /// The name and the total of each machine below the end of its line: the leftmost end has the
    /// highest label, so that no other's way down passes through it.
    fn labels(&self, canvas: &mut Canvas, scale: &Scale) {
        let end = |(place, machine): (usize, &Machine)| {
            let (at, gain) = self.end(machine)?;
            let total = gain.total?;
            let over = if machine.mixes_n() { ", over different n" } else { "" };
            let text = format!("{} {}{over}", machine.name, format::factor(total));
            Some(((scale.at(total), self.y(at)), place, text))
        };
        let mut ends: Vec<_> = self.machines.iter().enumerate().filter_map(end).collect();
        ends.sort_by_key(|((x, _), ..)| *x);
        let words = Lettering::new(size::NOTE, INK).right();
        for (at, ((x, y), place, text)) in ends.iter().enumerate() {
            let height = self.plane.bottom + BELOW + LABEL * at as i32;
            canvas.path(&[(*x, y + RADIUS + 3), (*x, height)], 1, RAIL);
            Look::of(*place).mark(canvas, (*x, height));
            canvas.text((x - 18, height), &words, &words.fit(text, x - 18 - MARGIN));
        }
    }

    /// Names, and × parent of every machine, with its n where that is another than usual.
    fn table(&self, canvas: &mut Canvas) {
        let small = Lettering::new(size::NOTE, MUTED).right();
        for (at, (step, name)) in self.steps.iter().enumerate() {
            let y = self.y(at);
            name.draw(canvas, y, WIDEST_NAME);
            for (right, machine) in self.columns() {
                let gain = machine.gain(&step.step);
                let (text, colour) = gain.map_or((format::NONE, MUTED), |it| cell(it, step));
                let number = Lettering::new(size::LARGE, colour).right();
                let n = gain.and_then(|gain| machine.other_n(gain));
                canvas.text((right, if n.is_some() { y - 12 } else { y }), &number, text);
                let n = small.fit(&n.unwrap_or_default(), self.column - 8);
                canvas.text((right, y + 15), &small, &n);
            }
        }
    }
}

/// A factor as its column has it: grey where there is no difference, vermillion where it is slower.
fn cell<'g>(gain: &'g Gain, step: &Row) -> (&'g str, RGBColor) {
    let colour = match gain.times {
        Some(times) if times < 0.995 && !gain.is_none => LOSS,
        Some(_) if !step.detour && !gain.is_none => INK,
        _ => MUTED,
    };
    let nothing = if gain.total.is_some() { "start" } else { format::NONE };
    (gain.text.as_deref().unwrap_or(nothing), colour)
}
