//! How near each step comes to what each part of the chip could do.

mod columns;

use report::{Bound, Report, Row};

use anyhow::Result;

use super::canvas::{Canvas, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head::{self, Notes};
use super::numbers;
use super::rows::{self, second};
use super::scene::Scene;
use super::style::{CARD, GAIN, HAIR, INK, MARGIN, MUTED, WIDTH, size, tint};
use columns::Columns;

pub use columns::title;

/// Above the first row, each row, from the last to the notes.
const HEAD: i32 = head::HEIGHT + 74;
const PITCH: i32 = 66;
const FOOT: i32 = 48;
const WIDEST_NAME: i32 = 360;
/// Between two bounds.
const GAP: i32 = 22;
/// The longest bar.
const LONGEST: i32 = 260;
/// From one line of a head to the next, of which there are at most two.
const LINE: i32 = 26;
/// A row's number and bar, from the middle of the row.
const NUMBER: i32 = -13;
const BAR: i32 = 15;
/// Half the heights of the bar that binds and of the others.
const BINDS: i32 = 9;
const OTHER: i32 = 5;

/// The limits of a report's steps.
pub struct Bounds {
    title: String,
    scene: Scene,
    steps: Vec<Step>,
    columns: Columns,
    clocks: String,
}

struct Step {
    name: String,
    detour: bool,
    below: String,
    bounds: Vec<Bound>,
}

impl Bounds {
    /// The picture of a report; none where nothing is known of any step's limits.
    pub fn of(report: &Report) -> Option<Bounds> {
        let with_limits: Vec<_> = report
            .rows
            .iter()
            .filter(|row| row.outcome.is_verified() && row.is_own())
            .filter_map(|row| Some((row, row.bounds()?)))
            .collect();
        let steps: Vec<Step> = with_limits
            .iter()
            .map(|(row, (n, bounds))| Step {
                name: row.step.clone(),
                detour: row.detour,
                below: format!("n = {}, {} binds", numbers::count(*n), binding(bounds)),
                bounds: bounds.to_vec(),
            })
            .collect();
        let columns = Columns::of(steps.iter().map(|step| step.bounds.as_slice()));
        let (row, (_, bounds)) = *with_limits.last()?;
        let scene = Scene::of(report);
        let title = format!(
            "{} runs at {} of its nearest bound: {}",
            row.step,
            percent(bounds[0].fraction),
            binding(bounds)
        );
        let clocks = clocks(with_limits.iter().filter_map(|(row, _)| clock(row)));
        Some(Bounds { title, scene, steps, columns, clocks })
    }

    fn bottom(&self) -> i32 {
        HEAD + self.steps.len() as i32 * PITCH
    }

    fn height(&self) -> i32 {
        self.bottom() + FOOT + self.notes().height()
    }

    fn left(&self) -> i32 {
        let names = self.steps.iter();
        let names = names.map(|step| (step.name.as_str(), step.detour, step.below.as_str()));
        MARGIN + rows::room(names, WIDEST_NAME) + 40
    }

    /// Left end and length of a bound's bars.
    fn column(&self, at: usize) -> (i32, i32) {
        let wide = (WIDTH - MARGIN + GAP - self.left()) / self.columns.names.len().max(1) as i32;
        let wide = wide.min(LONGEST + GAP);
        (self.left() + wide * at as i32, wide - GAP)
    }

    fn head<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        for (at, name) in self.columns.names.iter().enumerate() {
            let (left, long) = self.column(at);
            let lines = second().wrapped(title(name), long + GAP - 6, 2);
            for (above, line) in lines.iter().rev().enumerate() {
                canvas.text((left, HEAD - 22 - LINE * above as i32), &second(), line)?;
            }
        }
        Ok(())
    }

    fn step<DB: Surface>(&self, canvas: &mut Canvas<DB>, at: usize, step: &Step) -> Result<()> {
        let y = HEAD + at as i32 * PITCH + PITCH / 2;
        canvas.line((MARGIN, y - PITCH / 2), (WIDTH - MARGIN, y - PITCH / 2), 1, HAIR)?;
        rows::step(canvas, y, WIDEST_NAME, (&step.name, step.detour), &step.below)?;
        for (place, name) in self.columns.names.iter().enumerate() {
            let (left, long) = self.column(place);
            let at = step.bounds.iter().position(|bound| bound.name == *name);
            let binds = at == Some(0);
            let number = Lettering::new(size::BODY, if binds { INK } else { MUTED });
            let number = if binds { number.bold() } else { number };
            let Some(at) = at else {
                canvas.text((left, y + NUMBER), &number, "–")?;
                continue;
            };
            let fraction = step.bounds[at].fraction;
            canvas.text((left, y + NUMBER), &number, &percent(fraction))?;
            let end = left + (f64::from(long) * fraction.clamp(0.0, 1.0)).round() as i32;
            let (half, colour) = if binds { (BINDS, GAIN) } else { (OTHER, tint(GAIN, 0.55)) };
            let y = y + BAR;
            canvas.fill((left, y - half), (left + long, y + half), tint(HAIR, 0.6))?;
            canvas.fill((left, y - half), (end.max(left + 2), y + half), colour)?;
        }
        Ok(())
    }

    fn notes(&self) -> Notes {
        let first = "A bar: the least time that this part of the chip needs for the step's work, over the \
                     time that the step took; a whole bar is a step at that limit.";
        let second = "Thick and bold: the part that binds, which needs longest.";
        Notes::of(&[first, second, &self.columns.left_out], &self.scene)
    }
}

impl Drawn for Bounds {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, self.height() as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.height()), CARD)?;
        head::message(canvas, &self.title)?;
        let rest = format!("{}{}", self.scene.rest(), self.clocks);
        head::basis(canvas, self.scene.basis, &rest)?;
        self.head(canvas)?;
        for (at, step) in self.steps.iter().enumerate() {
            self.step(canvas, at, step)?;
        }
        canvas.line((MARGIN, self.bottom()), (WIDTH - MARGIN, self.bottom()), 1, HAIR)?;
        self.notes().draw(canvas, self.bottom() + FOOT)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        for step in &self.steps {
            let bounds = step.bounds.iter().map(|bound| {
                let name = title(&bound.name);
                format!("{name} {}", percent(bound.fraction))
            });
            lines.push(format!("{}: {}.", step.name, bounds.collect::<Vec<_>>().join(", ")));
        }
        lines.join("\n")
    }
}

/// The part that needs longest.
fn binding(bounds: &[Bound]) -> &str {
    bounds.first().map_or("nothing", |bound| title(&bound.name))
}

/// The clock in MHz for which a row's bounds hold, and whether it was seen; none where it is not known.
fn clock(row: &Row) -> Option<(f64, bool)> {
    let of_gpu = row.limits.as_ref().map(|limits| (limits.clock_mhz, limits.clock_was_seen));
    of_gpu.or_else(|| Some((row.cpu_limits.as_ref()?.clock_mhz?, true)))
}

/// At which clock it was reckoned; nothing where none is known.
fn clocks(known: impl Iterator<Item = (f64, bool)> + Clone) -> String {
    let clocks = known.clone().map(|(clock, _)| clock.round() as u64);
    let (Some(low), Some(high)) = (clocks.clone().min(), clocks.max()) else {
        return String::new();
    };
    let range = if low == high { format!("{low} MHz") } else { format!("{low} to {high} MHz") };
    if known.clone().all(|(_, was_seen)| was_seen) {
        format!(" · clock seen: {range}")
    } else {
        format!(" · clock by its description: {range}")
    }
}

/// A share in percent: "66 %", "0.3 %".
pub fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    let text = match percent {
        9.95.. => format!("{percent:.0}"),
        0.05.. => format!("{percent:.1}"),
        _ => "<0.1".to_owned(),
    };
    format!("{text}\u{2009}%")
}
