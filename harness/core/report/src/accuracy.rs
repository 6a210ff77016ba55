//! Speed and error of a report's steps together: which are fast, and how near to f64.
//!
//! The error of a sum depends on how many terms it has, so steps are compared at one size only: that
//! at which most of them were timed. Results that are exact have no error to compare.

use crate::published::Published;
use crate::statistics::commonest;
use crate::{Figure, Report, Row};

/// The relative error (rms) that a careful sum in f32 stays within, whatever the size.
pub const BOUND: f64 = 1e-6;

/// The steps of a report that were timed at the same size.
pub struct Accuracies<'r> {
    /// What their rates are.
    pub figure: &'r Figure,
    /// Problem size `n` at which they were timed.
    pub n: u64,
    /// The size of their errors: the same, but where the simulator ran less.
    pub verified: u64,
    /// In the order of the ladder.
    pub points: Vec<Point>,
    /// Steps that were timed at other sizes only, and at which.
    pub absent: Vec<(String, u64)>,
    /// What a document published for the ladder.
    pub published: &'r Published,
}

/// What a step reaches.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// What the step changes, in one line.
    pub changes: String,
    /// Name of its ladder.
    pub ladder: String,
    /// Tried and not kept.
    pub detour: bool,
    /// Units of work per second.
    pub rate: f64,
    /// Relative error (rms) of its results against f64.
    pub error: f64,
    /// That of the worst result; none if it is not known.
    pub worst: Option<f64>,
    /// No step is at least as fast and at least as near to f64, and better in one of both.
    pub front: bool,
}

impl<'r> Accuracies<'r> {
    /// What a report says of speed and error; none where no step was verified and timed, or where
    /// none has an error.
    pub fn of(report: &'r Report, published: &'r Published) -> Option<Accuracies<'r>> {
        let n = commonest(report.own().filter_map(Row::n))?;
        let mut points: Vec<Point> = report.own().filter_map(|row| point(row, n)).collect();
        if points.is_empty() {
            return None;
        }
        let front: Vec<bool> = points.iter().map(|own| own.is_in_front(&points)).collect();
        points.iter_mut().zip(front).for_each(|(point, front)| point.front = front);
        let absent = report.own().filter(|row| row.at(n).is_none());
        let absent = absent.filter_map(|row| Some((row.step.clone(), row.n()?))).collect();
        let figure = report.figures.get(&points[0].ladder)?;
        let verified = report.verified_size().unwrap_or(n);
        Some(Accuracies { figure, n, verified, points, absent, published })
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

    /// The last kept step of which something is published.
    pub fn last_published(&self) -> Option<&Point> {
        let steps = self.points.iter().map(|point| (point.step.as_str(), point.detour));
        let last = self.published.last(steps)?;
        self.points.iter().find(|point| point.step == last)
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
    /// The error to the two digits that are shown of it: further ones change with the inputs, and
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

/// A step at a size. An error of zero has no place on a logarithmic scale.
fn point(row: &Row, n: u64) -> Option<Point> {
    let timed = row.at(n)?;
    let is_usable = |value: &f64| value.is_normal() && *value > 0.0;
    Some(Point {
        step: row.step.clone(),
        changes: row.changes.clone(),
        ladder: row.ladder.clone(),
        detour: row.detour,
        rate: Some(timed.rate()).filter(is_usable)?,
        error: timed.accuracy.rms.filter(is_usable)?,
        worst: timed.accuracy.worst,
        front: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::Line;
    use crate::synthetic::{self, accuracies as report, reaching as step};
    use crate::{Outcome, Report};

    fn of<'r>(report: &'r Report, published: &'r Published) -> Accuracies<'r> {
        Accuracies::of(report, published).expect("steps that were timed")
    }

    #[test]
    fn the_front_is_what_none_beats_in_both() {
        let (report, none) = (report(), Published::default());
        let found = of(&report, &none);
        let front: Vec<&str> = found.front().iter().map(|point| point.step.as_str()).collect();
        assert_eq!(front, ["13-lanes", "14-pairs", "17-tensor-distances", "18-longer-sums"]);
        assert_eq!((found.n, found.points.len()), (10_000, 8));
        assert_eq!(found.absent, [("01-one-thread".to_owned(), 4096)]);
    }

    /// A third digit is no accuracy: of steps that show the same error the fastest is in front.
    #[test]
    fn errors_are_compared_as_they_are_shown() {
        let (mut report, none) = (report(), Published::default());
        report.rows.truncate(4);
        let found = of(&report, &none);
        let front: Vec<&str> = found.front().iter().map(|point| point.step.as_str()).collect();
        assert_eq!(front, ["10-fast-math"], "09x has 5.18e-6, and is slower");
        assert_eq!(found.nearest().map(|point| point.step.as_str()), Some("10-fast-math"));
        // Against a bound a third digit counts: 1.04e-6 is more than 1e-6.
        report.rows.push(step("14-pairs", 2900.0, 1.04e-6));
        assert!(of(&report, &none).within(BOUND).is_none());
    }

    #[test]
    fn what_was_not_verified_or_is_exact_takes_no_part() {
        let (mut report, none) = (report(), Published::default());
        report.rows[5].outcome = Outcome::Wrong;
        let within = |report: &Report| Some(of(report, &none).within(BOUND)?.step.clone());
        assert_eq!(within(&report).as_deref(), Some("16-tensor-sums"));
        report.rows[6].timed[0].accuracy.rms = None;
        assert_eq!(within(&report).as_deref(), Some("13-lanes"));
        for report in [synthetic::blocks(), synthetic::exact(), synthetic::report(vec![], false)] {
            assert!(Accuracies::of(&report, &none).is_none());
        }
    }

    #[test]
    fn the_last_published_step_is_the_ladders() {
        let line = |step: &str| Line {
            step: step.to_owned(),
            slide: 1,
            against: "parent".to_owned(),
            gpu: "G".to_owned(),
            n: None,
            time_steps: None,
            ratio: "2".to_owned(),
        };
        let lines = vec![line("10-fast-math"), line("08-no-if"), line("99-other")];
        let published = Published { lines, ..Published::default() };
        let report = report();
        let found = of(&report, &published);
        let last = found.last_published().expect("one of them");
        assert_eq!(last.step, "10-fast-math");
        assert_eq!(found.no_worse(last).map(|it| it.step.as_str()), Some("17-tensor-distances"));
    }
}
