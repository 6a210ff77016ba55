//! How far the samples of each step lie from their median.

use report::{Report, Row, Timed};
use report::statistics::median;

use anyhow::Result;

use super::canvas::{Canvas, Point, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head::{self, Notes};
use super::labels;
use super::marks::Shape;
use super::numbers;
use super::rows;
use super::scale::Scale;
use super::scene::Scene;
use super::style::{CARD, GAIN, HAIR, INK, LOSS, MARGIN, MUTED, RAIL, WIDTH, size, tint};
use crate::table::figures;

/// Above the first row, each row, below the last.
const HEAD: i32 = head::HEIGHT + 60;
const PITCH: i32 = 74;
/// From the lowest row to the notes.
const AXIS: i32 = 112;
/// Width of each column of numbers at the right.
const COLUMN: i32 = 128;
const COLUMNS: [&str; 3] = ["median", "spread", "farthest"];
const WIDEST_NAME: i32 = 380;
/// Radius of a sample's dot, and from one that lies over another to the next.
const DOT: i32 = 5;
const STACK: i32 = 8;
/// How far dots of a row reach up and down.
const REACH: i32 = 24;
/// Samples further off than this many times the distance that 19 of 20 keep are drawn at the edge.
const FAR: f64 = 3.0;

/// The samples of a report's steps at their own sizes.
pub struct Spread {
    title: String,
    scene: Scene,
    steps: Vec<Sampled>,
    /// The ends of the axis, relative to the median.
    most: f64,
}

/// The samples of one step.
struct Sampled {
    name: String,
    detour: bool,
    below: String,
    median: f64,
    spread: Option<f64>,
    /// 95% interval of the median, relative to it.
    interval: Option<(f64, f64)>,
    /// Relative to the median, ascending, each with whether it is suspect.
    samples: Vec<(f64, bool)>,
}

impl Spread {
    /// The picture of a report; none where no step has samples that could differ.
    pub fn of(report: &Report) -> Option<Spread> {
        let verified = report.rows.iter().filter(|row| row.outcome.is_verified());
        let steps: Vec<Sampled> = verified.filter_map(sampled).collect();
        let mut distances: Vec<f64> =
            steps.iter().flat_map(|step| &step.samples).map(|sample| sample.0.abs()).collect();
        distances.sort_by(f64::total_cmp);
        let most = *distances.last()?;
        let usual = distances[(distances.len() - 1) * 19 / 20];
        let most = if usual > 0.0 { most.min(FAR * usual) } else { most };
        let scene = Scene::of(report);
        Some(Spread { title: message(&steps), scene, steps, most: most.max(1e-5) })
    }

    fn bottom(&self) -> i32 {
        HEAD + self.steps.len() as i32 * PITCH
    }

    fn left(&self) -> i32 {
        let names = self.steps.iter();
        let names = names.map(|step| (step.name.as_str(), step.detour, step.below.as_str()));
        MARGIN + rows::room(names, WIDEST_NAME) + 40
    }

    fn axis(&self) -> Scale {
        let right = WIDTH - MARGIN - COLUMN * COLUMNS.len() as i32 - 24;
        let percent = 100.0 * self.most;
        Scale::around(percent, self.left(), right)
    }

    fn head<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        head::message(canvas, &self.title)?;
        let rest = format!("{} · one dot a sample", self.scene.rest());
        head::basis(canvas, self.scene.basis, &rest)?;
        let head = rows::second().right();
        for (at, text) in COLUMNS.iter().rev().enumerate() {
            canvas.text((WIDTH - MARGIN - COLUMN * at as i32, HEAD - 20), &head, text)?;
        }
        Ok(())
    }

    fn grid<DB: Surface>(&self, canvas: &mut Canvas<DB>, axis: &Scale) -> Result<()> {
        let label = rows::second().centred();
        let middle = axis.at(0.0);
        let mut ticks = axis.ticks();
        ticks.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let text = |tick: f64| if tick == 0.0 { "median".to_owned() } else { signed(tick) };
        let ticks = ticks.into_iter().map(|tick| (axis.at(tick), text(tick)));
        for (x, text) in labels::fitting(ticks) {
            let colour = if x == middle { RAIL } else { HAIR };
            canvas.line((x, HEAD), (x, self.bottom()), 2, colour)?;
            canvas.text((x, self.bottom() + 24), &label, &text)?;
        }
        let unit = "how far the time of a sample lies from the median of its step";
        canvas.text((middle, self.bottom() + 58), &label, unit)
    }

    fn step<DB: Surface>(
        &self,
        canvas: &mut Canvas<DB>,
        axis: &Scale,
        at: usize,
        step: &Sampled,
    ) -> Result<()> {
        let y = HEAD + at as i32 * PITCH + PITCH / 2;
        canvas.line((MARGIN, y - PITCH / 2), (WIDTH - MARGIN, y - PITCH / 2), 1, HAIR)?;
        rows::step(canvas, y, WIDEST_NAME, (&step.name, step.detour), &step.below)?;
        if let Some((low, high)) = step.interval {
            let (from, to) = (axis.at(100.0 * low), axis.at(100.0 * high));
            canvas.fill(
                (from.min(to - 4), y - REACH - 4),
                (to, y + REACH + 4),
                tint(RAIL, 0.45),
            )?;
        }
        let (low, high) = axis.ends();
        for (centre, (deviation, suspect)) in self.swarm(axis, y, step) {
            let percent = 100.0 * deviation;
            let colour = if suspect { LOSS } else { GAIN };
            if percent < low || percent > high {
                canvas.polygon(&arrow(centre, percent > high), colour)?;
            } else if suspect {
                Shape::OpenUp.draw(canvas, centre, DOT + 5, colour)?;
            } else {
                canvas.dot(centre, DOT, CARD)?;
                canvas.dot(centre, DOT - 1, colour)?;
            }
        }
        let figures = [
            figures::time(Some(step.median)),
            step.spread.map_or("–".to_owned(), percent),
            signed((1e4 * step.farthest()).round() / 100.0),
        ];
        let number = Lettering::new(size::BODY, if step.detour { MUTED } else { INK }).right();
        for (at, text) in figures.iter().rev().enumerate() {
            canvas.text((WIDTH - MARGIN - COLUMN * at as i32, y), &number, text)?;
        }
        Ok(())
    }

    fn notes(&self, axis: &Scale) -> Notes {
        let first = "Grey: the 95 % interval of the median. Spread: 1.4826 × the median distance from \
                     the median; of normally distributed samples it is the standard deviation.";
        let mut second = Vec::new();
        if self.steps.iter().any(|step| step.suspects() > 0) {
            second.push("Triangles: suspect samples; they count like the others.");
        }
        let (low, high) = axis.ends();
        let far = |step: &Sampled| !(low..=high).contains(&(100.0 * step.farthest()));
        if self.steps.iter().any(far) {
            second.push("Arrows: samples farther off than the axis reaches.");
        }
        Notes::of(&[first, &second.join(" ")], &self.scene)
    }

    fn height(&self) -> i32 {
        self.bottom() + AXIS - 16 + self.notes(&self.axis()).height()
    }

    /// Where the dots of a row lie: at their deviation, and where dots would lie on each other by
    /// turns above and below the middle. Suspects come last and lie on top.
    fn swarm(&self, axis: &Scale, y: i32, step: &Sampled) -> Vec<(Point, (f64, bool))> {
        let mut placed: Vec<(Point, (f64, bool))> = Vec::new();
        for &sample in &step.samples {
            let x = axis.at(100.0 * sample.0);
            let beside = placed.iter().rev().take_while(|((other, _), _)| x - other < 2 * DOT);
            let height = |turn: i32| if turn % 2 == 1 { turn / 2 + 1 } else { -turn / 2 } * STACK;
            let taken: Vec<i32> = beside.map(|((_, other), _)| other - y).collect();
            let most = 2 * REACH / STACK;
            // A full column begins again in the middle.
            let turn = (0..most).find(|&turn| !taken.contains(&height(turn)));
            placed.push(((x, y + height(turn.unwrap_or(0))), sample));
        }
        placed.sort_by_key(|(_, (_, suspect))| *suspect);
        placed
    }
}

impl Sampled {
    fn farthest(&self) -> f64 {
        let far = self.samples.iter().map(|sample| sample.0);
        far.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0)
    }

    fn suspects(&self) -> usize {
        self.samples.iter().filter(|sample| sample.1).count()
    }
}

impl Drawn for Spread {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, self.height() as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.height()), CARD)?;
        let axis = self.axis();
        self.head(canvas)?;
        self.grid(canvas, &axis)?;
        for (at, step) in self.steps.iter().enumerate() {
            self.step(canvas, &axis, at, step)?;
        }
        self.notes(&axis).draw(canvas, self.bottom() + AXIS)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        for step in &self.steps {
            lines.push(format!(
                "{}: {}, median {}, spread {}, farthest {}.",
                step.name,
                step.below,
                figures::time(Some(step.median)),
                step.spread.map_or("unknown".to_owned(), percent),
                signed(100.0 * step.farthest())
            ));
        }
        lines.join("\n")
    }
}

fn sampled(row: &Row) -> Option<Sampled> {
    let Timed { n, samples, spread, interval, .. } = row.main()?;
    let median = median(&samples.seconds).filter(|_| samples.seconds.len() > 1)?;
    let suspect = |at: usize| samples.suspects.iter().any(|it| it.sample as usize == at);
    let mut deviations: Vec<(f64, bool)> = samples
        .seconds
        .iter()
        .enumerate()
        .map(|(at, seconds)| (seconds / median - 1.0, suspect(at)))
        .collect();
    deviations.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = format!("n = {}, {} samples", numbers::count(*n), deviations.len());
    if !row.is_own() {
        below = format!("{}, {below}", row.variant().words());
    }
    let sampled = Sampled {
        name: row.step.clone(),
        detour: row.detour,
        below,
        median,
        spread: *spread,
        interval: interval.map(|it| (it.low / median - 1.0, it.high / median - 1.0)),
        samples: deviations,
    };
    let suspects = sampled.suspects();
    Some(match suspects {
        0 => sampled,
        _ => Sampled { below: format!("{}, {suspects} suspect", sampled.below), ..sampled },
    })
}

fn message(steps: &[Sampled]) -> String {
    let widest = steps
        .iter()
        .filter_map(|step| Some((step.spread?, &step.name)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match widest {
        Some((spread, step)) => {
            format!("Samples of a step spread by {} at most ({step})", percent(spread))
        }
        None => "Samples of each step".to_owned(),
    }
}

/// A share: "0.35 %".
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let text = if percent >= 10.0 { format!("{percent:.0}") } else { format!("{percent:.2}") };
    format!("{text}\u{2009}%")
}

/// Percent with their sign and without digits that say nothing: "+0.5 %", "−2 %".
fn signed(percent: f64) -> String {
    let text = format!("{:.3}", percent.abs());
    let text = match percent.abs() {
        size if size >= 10.0 => format!("{size:.0}"),
        _ => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    let sign = if percent < 0.0 { "−" } else { "+" };
    format!("{sign}{text}\u{2009}%")
}

/// Points to what lies beyond the axis.
fn arrow((x, y): Point, right: bool) -> [Point; 3] {
    let way = if right { 1 } else { -1 };
    [(x + way * 8, y), (x - way * 4, y - 7), (x - way * 4, y + 7)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_short() {
        assert_eq!(percent(0.00354), "0.35\u{2009}%");
        assert_eq!(percent(0.254), "25\u{2009}%");
        assert_eq!(
            [0.5, -2.0, 0.0125, 31.4].map(signed),
            ["+0.5\u{2009}%", "−2\u{2009}%", "+0.013\u{2009}%", "+31\u{2009}%"]
        );
    }
}
