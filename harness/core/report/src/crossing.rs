//! From which size on one way is faster than another: steps of several reports, by time and size.

use crate::comparison::{ComparisonError, check_device};
use crate::{Figure, Report, Row};

/// Steps of several reports of one device.
pub struct Crossing<'r> {
    /// The figure of the first report.
    pub figure: &'r Figure,
    /// The steps; the others are held against the first.
    pub curves: Vec<Curve<'r>>,
}

/// A step by time and size.
pub struct Curve<'r> {
    /// Its folder, with the options of its problem.
    pub name: String,
    /// Its row.
    pub row: &'r Row,
    /// Its times, by ascending size.
    pub points: Vec<Point>,
}

/// A step at a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Problem size `n`.
    pub n: u64,
    /// Time of all that a whole consists of, else of a pass, s.
    pub seconds: f64,
    /// 95 % interval of that, s.
    pub interval: Option<(f64, f64)>,
    /// Relative error (rms).
    pub error: Option<f64>,
}

/// How two steps compare over their common sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Faster {
    /// The first at all of them.
    First,
    /// The second at all of them.
    Second,
    /// The second from this size on, up to which the first is.
    From(f64),
    /// More than once the one, then the other; or at no common size.
    Unclear,
}

impl<'r> Crossing<'r> {
    /// All steps of all reports.
    ///
    /// # Errors
    /// Nothing was timed, or the reports are of several devices.
    pub fn of(reports: &'r [Report]) -> Result<Crossing<'r>, ComparisonError> {
        check_device(reports.iter())?;
        let of_report = |report: &'r Report| report.own().map(move |row| curve(report, row));
        let curves: Vec<Curve> = reports.iter().flat_map(of_report).collect();
        let first = curves.first().ok_or(ComparisonError::NothingTimed)?;
        let figure = reports[0].figures.get(&first.row.ladder);
        let figure = figure.ok_or(ComparisonError::NoFigure)?;
        Ok(Crossing { figure, curves })
    }
}

impl Curve<'_> {
    /// The time at a size.
    pub fn at(&self, n: u64) -> Option<f64> {
        self.points.iter().find(|point| point.n == n).map(|point| point.seconds)
    }

    /// From which size on another step is faster, where both were timed at sizes around it: between these, logarithms
    /// of times are taken to follow straight lines over that of the size.
    pub fn against(&self, other: &Curve) -> Faster {
        let both: Vec<(f64, f64)> = self
            .points
            .iter()
            .filter_map(|own| Some(((own.n as f64).ln(), (other.at(own.n)? / own.seconds).ln())))
            .collect();
        let is_first = |&(_, ratio): &(f64, f64)| ratio > 0.0;
        let changes: Vec<&[(f64, f64)]> =
            both.windows(2).filter(|pair| is_first(&pair[0]) != is_first(&pair[1])).collect();
        match (both.first().map(is_first), changes.as_slice()) {
            (Some(true), []) => Faster::First,
            (Some(false), []) => Faster::Second,
            (Some(true), [pair]) => {
                let [(n, before), (more, after)] = [pair[0], pair[1]];
                Faster::From((n + (more - n) * before / (before - after)).exp())
            }
            _ => Faster::Unclear,
        }
    }
}

fn curve<'r>(report: &Report, row: &'r Row) -> Curve<'r> {
    let options = report.options.problem.iter().map(|(name, value)| format!(", {name} {value}"));
    let point = |timed: &crate::Timed| {
        let (seconds, interval) = timed.all();
        Point { n: timed.n, seconds, interval, error: timed.accuracy.rms }
    };
    let mut points: Vec<Point> = row.timed.iter().map(point).collect();
    points.sort_by_key(|point| point.n);
    Curve { name: row.step.clone() + &options.collect::<String>(), row, points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{self, at, timed};

    /// A report of a step that takes so long at sizes of 100, 1000, 10 000 …
    fn report(step: &str, seconds: &[f64]) -> Report {
        let mut row = timed(step, None, 100, seconds[0]);
        row.timed =
            (2..).zip(seconds).map(|(power, &seconds)| at(10u64.pow(power), seconds)).collect();
        row.timed.iter_mut().for_each(|timed| timed.whole = None);
        synthetic::report(vec![row], false)
    }

    fn compared(one: &[f64], other: &[f64]) -> Faster {
        let reports = [report("01-a", one), report("02-b", other)];
        let found = Crossing::of(&reports).expect("two steps");
        found.curves[0].against(&found.curves[1])
    }

    #[test]
    fn the_size_is_found_from_which_on_the_other_is_faster() {
        // 10 times the time for each 10 times the size, and no more: they meet in the middle between 1000 and 10 000.
        let Faster::From(n) = compared(&[1.0, 10.0, 100.0], &[31.622_776; 3]) else {
            panic!("they meet once");
        };
        assert!((n - 3162.3).abs() < 0.1, "{n}");
        assert_eq!(compared(&[1.0, 2.0], &[2.0, 3.0]), Faster::First);
        assert_eq!(compared(&[3.0, 2.0], &[2.0, 1.0]), Faster::Second);
        assert_eq!(compared(&[1.0, 3.0, 1.0], &[2.0; 3]), Faster::Unclear);
        assert_eq!(compared(&[3.0, 1.0], &[2.0; 2]), Faster::Unclear);
    }

    #[test]
    fn options_tell_reports_of_one_step_apart() {
        let mut reports = [report("01-a", &[1.0]), report("01-a", &[2.0])];
        reports[1].options.problem.insert("limit".to_owned(), "0.1".to_owned());
        let found = Crossing::of(&reports).expect("a step twice");
        let names: Vec<&str> = found.curves.iter().map(|curve| curve.name.as_str()).collect();
        assert_eq!(names, ["01-a", "01-a, limit 0.1"]);
    }
}
