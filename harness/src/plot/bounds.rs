//! How near each step comes to what each part of the chip could do.

use ladder::report::{Bound, Limits, Report};

use anyhow::Result;

use super::canvas::{Canvas, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head;
use super::numbers;
use super::rows;
use super::scene::Scene;
use super::style::{CARD, GAIN, HAIR, INK, MARGIN, MUTED, WIDTH, size, tint};

/// Above the first row, each row, below the last.
const HEAD: i32 = head::HEIGHT + 64;
const PITCH: i32 = 66;
const FOOT: i32 = 48 + head::FOOT;
const WIDEST_NAME: i32 = 380;
/// Between two bounds.
const GAP: i32 = 26;
/// Room for a percentage beside its bar.
const NUMBER: i32 = 92;
/// Half the height of a bar.
const HALF: i32 = 11;

/// The limits of a report's steps.
pub struct Bounds {
    title: String,
    scene: Scene,
    steps: Vec<Step>,
    /// Names of the bounds, the one that some step comes nearest to first.
    names: Vec<String>,
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
            .filter(|row| row.outcome.is_verified() && row.block.is_none())
            .filter_map(|row| Some((row, row.limits.as_ref().filter(|it| !it.bounds.is_empty())?)))
            .collect();
        let steps: Vec<Step> = with_limits
            .iter()
            .map(|(row, limits)| Step {
                name: row.step.clone(),
                detour: row.detour,
                below: format!("n = {}, {} binds", numbers::count(limits.n), binding(limits)),
                bounds: limits.bounds.clone(),
            })
            .collect();
        let names = names(&steps);
        let (row, limits) = *with_limits.last()?;
        let scene = Scene::of(report);
        let title = format!(
            "{} runs at {} of its nearest bound: {}",
            row.step,
            percent(limits.bounds[0].fraction),
            binding(limits)
        );
        let clocks = clocks(with_limits.iter().map(|(_, limits)| *limits));
        Some(Bounds { title, scene, steps, names, clocks })
    }

    fn bottom(&self) -> i32 {
        HEAD + self.steps.len() as i32 * PITCH
    }

    fn left(&self) -> i32 {
        let names = self.steps.iter();
        let names = names.map(|step| (step.name.as_str(), step.detour, step.below.as_str()));
        MARGIN + rows::room(names, WIDEST_NAME) + 40
    }

    /// Left end and length of a bound's bars.
    fn column(&self, at: usize) -> (i32, i32) {
        let wide = (WIDTH - MARGIN + GAP - self.left()) / self.names.len() as i32;
        (self.left() + wide * at as i32, wide - GAP - NUMBER)
    }

    fn step<DB: Surface>(&self, canvas: &mut Canvas<DB>, at: usize, step: &Step) -> Result<()> {
        let y = HEAD + at as i32 * PITCH + PITCH / 2;
        canvas.line((MARGIN, y - PITCH / 2), (WIDTH - MARGIN, y - PITCH / 2), 1, HAIR)?;
        rows::step(canvas, y, WIDEST_NAME, (&step.name, step.detour), &step.below)?;
        for (place, name) in self.names.iter().enumerate() {
            let (left, long) = self.column(place);
            let at = step.bounds.iter().position(|bound| bound.name == *name);
            let binds = at == Some(0);
            let number = Lettering::new(size::BODY, if binds { INK } else { MUTED }).right();
            let number = if binds { number.bold() } else { number };
            let right = left + long + NUMBER;
            let Some(at) = at else {
                canvas.text((right, y), &number, "–")?;
                continue;
            };
            let fraction = step.bounds[at].fraction;
            let end = left + (f64::from(long) * fraction.clamp(0.0, 1.0)).round() as i32;
            canvas.fill((left, y - HALF), (left + long, y + HALF), tint(HAIR, 0.6))?;
            let (half, colour) = if binds { (HALF, GAIN) } else { (HALF - 4, tint(GAIN, 0.5)) };
            canvas.fill((left, y - half), (end.max(left + 2), y + half), colour)?;
            if binds {
                canvas.line((left + long, y - HALF), (left + long, y + HALF), 3, INK)?;
            }
            canvas.text((right, y), &number, &percent(fraction))?;
        }
        Ok(())
    }
}

impl Drawn for Bounds {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, (self.bottom() + FOOT) as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.bottom() + FOOT), CARD)?;
        head::message(canvas, &self.title)?;
        let rest = format!("{} · {}", self.scene.rest(), self.clocks);
        head::basis(canvas, self.scene.basis, &rest)?;
        let head = rows::second();
        for (at, name) in self.names.iter().enumerate() {
            let (left, long) = self.column(at);
            canvas.text((left, HEAD - 22), &head, &head.fit(name, long + NUMBER))?;
        }
        for (at, step) in self.steps.iter().enumerate() {
            self.step(canvas, at, step)?;
        }
        canvas.line((MARGIN, self.bottom()), (WIDTH - MARGIN, self.bottom()), 1, HAIR)?;
        let first = "A bar: the least time that this part of the chip needs for the step's work, over the \
                     time that the step took; a whole bar is a step at that limit.";
        let second = "Dark and bold: the part that binds, which needs longest.";
        head::notes(canvas, self.bottom() + 48, [first, second], &self.scene)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        for step in &self.steps {
            let bounds = step.bounds.iter();
            let bounds: Vec<_> =
                bounds.map(|bound| format!("{} {}", bound.name, percent(bound.fraction))).collect();
            lines.push(format!("{}: {}.", step.name, bounds.join(", ")));
        }
        lines.join("\n")
    }
}

/// The part that needs longest.
fn binding(limits: &Limits) -> &str {
    limits.bounds.first().map_or("nothing", |bound| bound.name.as_str())
}

/// Every bound's name, by the greatest fraction that a step has of it.
fn names(steps: &[Step]) -> Vec<String> {
    let mut most: Vec<(&str, f64)> = Vec::new();
    for bound in steps.iter().flat_map(|step| &step.bounds) {
        match most.iter_mut().find(|(name, _)| *name == bound.name) {
            Some((_, fraction)) => *fraction = fraction.max(bound.fraction),
            None => most.push((&bound.name, bound.fraction)),
        }
    }
    most.sort_by(|a, b| b.1.total_cmp(&a.1));
    most.into_iter().map(|(name, _)| name.to_owned()).collect()
}

/// Of which chip, and at which clock it was reckoned.
fn clocks<'l>(limits: impl Iterator<Item = &'l Limits> + Clone) -> String {
    let clocks = limits.clone().map(|limits| limits.clock_mhz.round() as u64);
    let (low, high) = (clocks.clone().min().unwrap_or(0), clocks.max().unwrap_or(0));
    let range = if low == high { format!("{low} MHz") } else { format!("{low} to {high} MHz") };
    if limits.clone().all(|limits| limits.clock_was_seen) {
        format!("clock seen: {range}")
    } else {
        format!("clock by its description: {range}")
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
