//! Speed and error of a report's steps together: who is fast enough, and how near to f64.
//!
//! The error of a sum depends on how many terms it has. So steps are held against each other at one
//! number of bodies only: that at which most of them were timed. [`words`] says what comes out,
//! [`table`] shows it.

pub mod table;
#[cfg(test)]
mod tests;
pub mod words;

use std::collections::BTreeMap;

use report::{Report, Row};

use crate::ladders::LADDERS;
use crate::published;

/// The relative error (rms) that a careful sum in f32 stays within, whatever the number of bodies.
pub const BOUND: f64 = 1e-6;

/// The steps of a report that were timed with the same number of bodies.
pub struct Accuracies {
    /// That number.
    pub n: u64,
    /// In the order of the ladder.
    pub points: Vec<Point>,
    /// Steps that were timed with other numbers of bodies only, and with how many.
    pub absent: Vec<(String, u64)>,
    /// The last step that the tutorial has; none on a ladder of which it has no steps.
    pub tutorial: Option<&'static str>,
}

/// What a step reaches.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Its folder.
    pub step: String,
    /// What it changes.
    pub changes: String,
    /// Name of its ladder.
    pub ladder: String,
    /// Tried and not kept.
    pub detour: bool,
    /// Interactions per second.
    pub rate: f64,
    /// Relative error (rms) of its accelerations against f64.
    pub error: f64,
    /// That of the worst body; none if it is not known.
    pub worst: Option<f64>,
    /// No step is at least as fast and at least as near to f64, and better in one of both.
    pub front: bool,
}

impl Accuracies {
    /// What a report says of speed and error; none where no step was verified and timed.
    pub fn of(report: &Report) -> Option<Accuracies> {
        let rows = || {
            let rows = report.rows.iter();
            rows.filter(|row| row.outcome.is_verified() && row.is_own())
        };
        let n = commonest(rows().filter_map(Row::n))?;
        let mut points: Vec<Point> = rows().filter_map(|row| point(row, n)).collect();
        if points.is_empty() {
            return None;
        }
        let front: Vec<bool> = points.iter().map(|own| own.is_in_front(&points)).collect();
        points.iter_mut().zip(front).for_each(|(point, front)| point.front = front);
        let absent = rows().filter(|row| row.at(n).is_none());
        let absent = absent.filter_map(|row| Some((row.step.clone(), row.n()?))).collect();
        Some(Accuracies { n, points, absent, tutorial: tutorial(&report.options.ladder) })
    }

    /// The fastest step.
    pub fn fastest(&self) -> Option<&Point> {
        fastest(self.points.iter())
    }

    /// The fastest step whose error is at most this.
    pub fn within(&self, error: f64) -> Option<&Point> {
        fastest(self.points.iter().filter(|point| point.error <= error))
    }

    /// The step nearest to f64; of several that are equally near, the fastest.
    pub fn nearest(&self) -> Option<&Point> {
        let least = self.points.iter().map(Point::shown).min_by(f64::total_cmp)?;
        fastest(self.points.iter().filter(|point| point.shown() <= least))
    }

    /// The tutorial's last step, if it was timed here.
    pub fn last_of_tutorial(&self) -> Option<&Point> {
        self.points.iter().find(|point| Some(point.step.as_str()) == self.tutorial)
    }

    /// The fastest step that is no worse than another.
    pub fn no_worse(&self, other: &Point) -> Option<&Point> {
        fastest(self.points.iter().filter(|point| point.shown() <= other.shown()))
    }

    /// The points that none beats in both, the slowest first, which is the nearest to f64.
    pub fn front(&self) -> Vec<&Point> {
        let mut front: Vec<&Point> = self.points.iter().filter(|point| point.front).collect();
        front.sort_by(|one, other| one.rate.total_cmp(&other.rate));
        front
    }
}

impl Point {
    /// The error to the two digits that are shown of it: what lies behind them changes with the bodies, and
    /// where sums have no fixed order with every run.
    pub fn shown(&self) -> f64 {
        format!("{:.1e}", self.error).parse().unwrap_or(self.error)
    }

    fn is_in_front(&self, points: &[Point]) -> bool {
        let (rate, error) = (self.rate, self.shown());
        points.iter().all(|other| {
            let (fast, near) = (other.rate, other.shown());
            fast < rate || near > error || (fast == rate && near == error)
        })
    }
}

fn fastest<'p>(points: impl Iterator<Item = &'p Point>) -> Option<&'p Point> {
    points.max_by(|one, other| one.rate.total_cmp(&other.rate))
}

/// The most frequent number; of several the greatest.
fn commonest(numbers: impl Iterator<Item = u64>) -> Option<u64> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for n in numbers {
        *counts.entry(n).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(n, count)| (count, n)).map(|(n, _)| n)
}

/// A step with so many bodies. An error of zero, as of a single body, has no place on a logarithmic
/// scale.
fn point(row: &Row, n: u64) -> Option<Point> {
    let timed = row.at(n)?;
    let is_usable = |value: &f64| value.is_normal() && *value > 0.0;
    Some(Point {
        step: row.step.clone(),
        changes: row.changes.clone(),
        ladder: row.ladder.clone(),
        detour: row.detour,
        rate: Some(timed.interactions_per_second()).filter(is_usable)?,
        error: timed.accuracy.rms.filter(is_usable)?,
        worst: timed.accuracy.worst,
        front: false,
    })
}

/// The last step of a ladder of which the tutorial published a time.
fn tutorial(ladder: &str) -> Option<&'static str> {
    let ladder = LADDERS.iter().find(|known| known.name == ladder && !known.is_for_cpu())?;
    let lines = published::committed().ok()?;
    let is_published = |name: &str| lines.iter().any(|line| line.step == name);
    let mut steps = ladder.steps.iter().rev();
    steps.find(|step| !step.detour && is_published(step.name)).map(|step| step.name)
}
