//! How near each step comes to what each part of the chip could do.

mod columns;

use report::provenance::Provenance;
use report::{Bound, Report, Row, format};

use super::Picture;
use crate::kit::canvas::Canvas;
use crate::kit::lettering::second;
use crate::kit::rows::{self, Name};
use crate::kit::sheet::{self, Sheet};
use crate::kit::style::{GAIN, HAIR, MARGIN, Paper, tint};
use columns::Columns;
pub use columns::{percent, title};

/// Above the first row, each row, from the last to the notes.
const HEAD: i32 = sheet::HEIGHT + 74;
const PITCH: i32 = 66;
const FOOT: i32 = 48;
const WIDEST_NAME: i32 = 360;
/// Between two bounds.
const GAP: i32 = 22;
/// The longest bar.
const LONGEST: i32 = 260;
/// A row's number and bar, from the middle of the row.
const NUMBER: i32 = -13;
const BAR: i32 = 15;
/// Half the heights of the bar that binds and of the others.
const BINDS: i32 = 9;
const OTHER: i32 = 5;

struct Step<'r> {
    row: &'r Row,
    name: Name<'r>,
    bounds: &'r [Bound],
}

/// The picture of a report; `None` where nothing is known of any step's limits.
pub fn bounds(report: &Report) -> Option<Picture> {
    let steps = report.own().filter_map(|row| {
        let (n, bounds) = row.bounds()?;
        let below = format!("n = {}, {} binds", format::grouped(n), title(&bounds[0].name));
        Some(Step { row, name: Name::of(row, below), bounds })
    });
    let steps: Vec<Step> = steps.collect();
    let rate = |step: &Step| step.row.rate().unwrap_or(0.0);
    let fastest = steps.iter().max_by(|one, other| rate(one).total_cmp(&rate(other)));
    let Step { row, bounds, .. } = fastest?;
    let (reached, binding) = (percent(bounds[0].fraction), title(&bounds[0].name));
    let message =
        format!("{}, the fastest, reaches {reached} of its nearest bound: {binding}", row.step);
    let columns = Columns::of(steps.iter().map(|step| step.bounds));
    let first = "A bar: the least time that this part of the chip needs for the step's work, over \
                 the time that the step took; a whole bar is a step at that limit.";
    let second_note = "Thick and bold: the part that binds, which needs longest.";
    let notes = [first.to_owned(), second_note.to_owned(), columns.left_out];
    let sheet = Sheet::of(Provenance::of(report), "bounds", message, &clocks(&steps), notes);
    Some(sheet.wide(|canvas| {
        let left = MARGIN + rows::room(steps.iter().map(|step| &step.name), WIDEST_NAME) + 40;
        let wide = (Paper::Wide.end() + GAP - left) / columns.names.len().max(1) as i32;
        let wide = wide.min(LONGEST + GAP);
        let places = || (left..).step_by(wide as usize).zip(&columns.names);
        for (left, name) in places() {
            let lines = second().wrapped(title(name), wide - 6, 2);
            for (above, line) in lines.iter().rev().enumerate() {
                canvas.text((left, HEAD - 22 - 26 * above as i32), &second(), line);
            }
        }
        let mut y = HEAD;
        for step in &steps {
            rows::rule(canvas, y);
            let middle = y + PITCH / 2;
            step.name.draw(canvas, middle, WIDEST_NAME);
            for (left, name) in places() {
                bar(canvas, (left, middle), wide - GAP, step.bounds, name);
            }
            y += PITCH;
        }
        rows::rule(canvas, y);
        y + FOOT
    }))
}

/// A step's share of one of its bounds, as number and bar.
fn bar(canvas: &mut Canvas, (left, y): (i32, i32), long: i32, bounds: &[Bound], name: &str) {
    let at = bounds.iter().position(|bound| bound.name == name);
    let binds = at == Some(0);
    let number = rows::number(!binds);
    let number = if binds { number.bold() } else { number };
    let Some(at) = at else { return canvas.text((left, y + NUMBER), &number, format::NONE) };
    let fraction = bounds[at].fraction;
    canvas.text((left, y + NUMBER), &number, &percent(fraction));
    let end = left + (f64::from(long) * fraction.clamp(0.0, 1.0)).round() as i32;
    let (half, colour) = if binds { (BINDS, GAIN) } else { (OTHER, tint(GAIN, 0.55)) };
    let y = y + BAR;
    canvas.fill((left, y - half), (left + long, y + half), tint(HAIR, 0.6));
    canvas.fill((left, y - half), (end.max(left + 2), y + half), colour);
}

/// The clock in MHz for which a row's bounds hold, and whether it was seen.
fn clock(row: &Row) -> Option<(f64, bool)> {
    let of_gpu = row.limits.as_ref().map(|limits| (limits.clock_mhz, limits.clock_was_seen));
    of_gpu.or_else(|| Some((row.cpu_limits.as_ref()?.clock_mhz?, true)))
}

/// The clocks for which the bounds hold; nothing where none is known.
fn clocks(steps: &[Step]) -> String {
    let known: Vec<(f64, bool)> = steps.iter().filter_map(|step| clock(step.row)).collect();
    let clocks = known.iter().map(|(clock, _)| clock.round() as u64);
    let (Some(low), Some(high)) = (clocks.clone().min(), clocks.max()) else {
        return String::new();
    };
    let range = if low == high { format!("{low} MHz") } else { format!("{low} to {high} MHz") };
    match known.iter().all(|(_, was_seen)| *was_seen) {
        true => format!(" · clock seen: {range}"),
        false => format!(" · clock by its description: {range}"),
    }
}
