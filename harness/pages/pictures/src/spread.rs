//! How far the samples of each step lie from their median.

use report::provenance::Provenance;
use report::statistics::median;
use report::{Report, Row, Timed, format};

use super::Picture;
use crate::kit::canvas::{Canvas, Point};
use crate::kit::lettering::second;
use crate::kit::marks::Shape;
use crate::kit::rows::{self, Name, Table};
use crate::kit::scale::Scale;
use crate::kit::sheet::{self, Sheet};
use crate::kit::style::{CARD, GAIN, HAIR, LOSS, Paper, RAIL, tint};
use crate::kit::{grid::Plane, labels};

/// Above the first row, each row, below the last.
const HEAD: i32 = sheet::HEIGHT + 60;
const PITCH: i32 = 74;
const AXIS: i32 = 112;
const COLUMNS: [&str; 3] = ["median", "spread", "farthest"];
const TABLE: Table = Table { widest: 380, columns: COLUMNS.len() as i32, column: 128, gap: 24 };
/// Radius of a sample's dot, and from one that lies over another to the next.
const DOT: i32 = 5;
const STACK: i32 = 8;
/// How far dots of a row reach up and down.
const REACH: i32 = 24;
/// Samples further off than this many times the distance that 19 of 20 keep are drawn at the edge.
const FAR: f64 = 3.0;

/// The samples of one step at its own size.
struct Sampled<'r> {
    name: Name<'r>,
    median: f64,
    /// 95% interval of the median, in % from it.
    interval: Option<(f64, f64)>,
    spread: Option<f64>,
    samples: Vec<Sample>,
}

/// A sample, in % from the median.
#[derive(Clone, Copy)]
struct Sample {
    off: f64,
    suspect: bool,
}

/// The picture of a report; `None` where no step has samples that could differ.
pub fn spread(report: &Report) -> Option<Picture> {
    let steps: Vec<Sampled> = report.verified().filter_map(Sampled::of).collect();
    let samples = || steps.iter().flat_map(|step| &step.samples);
    let mut distances: Vec<f64> = samples().map(|sample| sample.off.abs()).collect();
    distances.sort_by(f64::total_cmp);
    let most = *distances.last()?;
    let usual = distances[(distances.len() - 1) * 19 / 20];
    let most = if usual > 0.0 { most.min(FAR * usual) } else { most };
    let names = rows::room(steps.iter().map(|step| &step.name), TABLE.widest);
    let axis = |(left, right)| Scale::around(most.max(1e-3), left, right);
    let (low, high) = axis(TABLE.ends(Paper::Wide, names)).ends();
    let mut notes = vec![];
    if samples().any(|sample| sample.suspect) {
        notes.push("Triangles: suspect samples; they count like the others.");
    }
    if samples().any(|sample| !(low..=high).contains(&sample.off)) {
        notes.push("Arrows: samples farther off than the axis reaches.");
    }
    let first = "Grey: the 95 % interval of the median. Spread: 1.4826 × the median distance from \
                 the median; of normally distributed samples it is the standard deviation.";
    let notes = [first.to_owned(), notes.join(" ")];
    let more = " · one dot a sample";
    let sheet = Sheet::of(Provenance::of(report), "spread", message(&steps), more, notes);
    Some(sheet.picture(|canvas| {
        TABLE.heads(canvas, HEAD - 20, &COLUMNS);
        let (left, right) = TABLE.ends(canvas.paper, names);
        let (pitch, half) = TABLE.pitch(canvas.paper, PITCH);
        let axis = axis((left, right));
        let bottom = HEAD + steps.len() as i32 * pitch;
        draw_axis(canvas, &axis, Plane { left, right, top: HEAD, bottom });
        for (top, step) in (HEAD..).step_by(pitch as usize).zip(&steps) {
            rows::rule(canvas, top);
            step.draw(canvas, &axis, top + pitch - half);
        }
        bottom + AXIS
    }))
}

fn draw_axis(canvas: &mut Canvas, axis: &Scale, Plane { top, bottom, .. }: Plane) {
    let (label, middle) = (second().centred(), axis.at(0.0));
    let mut ticks = axis.ticks();
    ticks.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let text = |tick: f64| if tick == 0.0 { "median".to_owned() } else { signed(tick) };
    for (x, text) in labels::fitting(ticks.into_iter().map(|tick| (axis.at(tick), text(tick)))) {
        let colour = if x == middle { RAIL } else { HAIR };
        canvas.line((x, top), (x, bottom), 2, colour);
        canvas.tick((x, bottom + 24), &text);
    }
    let unit = "how far the time of a sample lies from the median of its step";
    for (y, line) in (bottom + 58..).step_by(26).zip(label.wrapped(unit, canvas.paper.room(), 2)) {
        canvas.text((middle, y), &label, &line);
    }
}

impl Sampled<'_> {
    fn of(row: &Row) -> Option<Sampled<'_>> {
        let Timed { n, samples, spread, interval, .. } = row.main()?;
        let median = median(&samples.seconds).filter(|_| samples.seconds.len() > 1)?;
        let off = |seconds: f64| 100.0 * (seconds / median - 1.0);
        let suspect = |at: usize| samples.suspects.iter().any(|it| it.sample as usize == at);
        let sample = |(at, &seconds)| Sample { off: off(seconds), suspect: suspect(at) };
        let mut all: Vec<Sample> = samples.seconds.iter().enumerate().map(sample).collect();
        all.sort_by(|a, b| a.off.total_cmp(&b.off));
        let mut below = format!("n = {}, {} samples", format::grouped(*n), all.len());
        if !row.is_own() {
            below = format!("{}, {below}", row.variant().words());
        }
        if let suspects @ 1.. = all.iter().filter(|sample| sample.suspect).count() {
            below += &format!(", {suspects} suspect");
        }
        let interval = interval.map(|it| (off(it.low), off(it.high)));
        Some(Sampled {
            name: Name::of(row, below),
            median,
            interval,
            spread: *spread,
            samples: all,
        })
    }

    fn draw(&self, canvas: &mut Canvas, axis: &Scale, y: i32) {
        TABLE.name(canvas, y, &self.name);
        if let Some((low, high)) = self.interval {
            let (from, to) = (axis.at(low), axis.at(high));
            let (upper, lower) = (y - REACH - 4, y + REACH + 4);
            canvas.fill((from.min(to - 4), upper), (to, lower), tint(RAIL, 0.45));
        }
        let (low, high) = axis.ends();
        for (centre, Sample { off, suspect }) in self.swarm(axis, y) {
            let colour = if suspect { LOSS } else { GAIN };
            if off < low || off > high {
                canvas.polygon(&arrow(centre, off > high), colour);
            } else if suspect {
                Shape::OpenUp.draw(canvas, centre, DOT + 5, colour);
            } else {
                canvas.dot(centre, DOT, CARD);
                canvas.dot(centre, DOT - 1, colour);
            }
        }
        let far = self.samples.iter().map(|sample| sample.off);
        let farthest = far.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
        let numbers = [
            format::time(Some(self.median)),
            self.spread.map_or(format::NONE.to_owned(), percent),
            signed((100.0 * farthest).round() / 100.0),
        ];
        TABLE.numbers(canvas, y, &rows::number(self.name.detour), &numbers);
    }

    /// Where the dots of a row lie: at their deviation, and where dots would lie on each other by
    /// turns above and below the middle. Suspects come last and lie on top.
    fn swarm(&self, axis: &Scale, y: i32) -> Vec<(Point, Sample)> {
        let mut placed: Vec<(Point, Sample)> = Vec::new();
        for &sample in &self.samples {
            let x = axis.at(sample.off);
            let near = placed.iter().rev().take_while(|((other, _), _)| x - other < 2 * DOT);
            let height = |turn: i32| if turn % 2 == 1 { turn / 2 + 1 } else { -turn / 2 } * STACK;
            let taken: Vec<i32> = near.map(|((_, other), _)| other - y).collect();
            let most = 2 * REACH / STACK;
            // A full column begins again in the middle.
            let turn = (0..most).find(|&turn| !taken.contains(&height(turn)));
            placed.push(((x, y + height(turn.unwrap_or(0))), sample));
        }
        placed.sort_by_key(|(_, sample)| sample.suspect);
        placed
    }
}

fn message(steps: &[Sampled]) -> String {
    let spreads = steps.iter().filter_map(|step| Some((step.spread?, step.name.step)));
    match spreads.max_by(|a, b| a.0.total_cmp(&b.0)) {
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
        assert_eq!([0.00354, 0.254].map(percent), ["0.35\u{2009}%", "25\u{2009}%"]);
        let signs = [0.5, -2.0, 0.0125, 31.4].map(signed);
        assert_eq!(signs, ["+0.5\u{2009}%", "−2\u{2009}%", "+0.013\u{2009}%", "+31\u{2009}%"]);
    }
}
