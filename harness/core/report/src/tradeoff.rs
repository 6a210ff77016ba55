//! Speed against accuracy: reports that differ in the value of one option of their problem, such as a limit of errors.
//!
//! Each step has a point for each value: how long it takes, and how far off its results are. Steps of other reports,
//! which have no such option, stand next to them.

use crate::comparison::{ComparisonError, check_device};
use crate::statistics::commonest;
use crate::{Figure, Report, Row};

/// Steps by time and error, at one size and on one device.
pub struct Tradeoff<'r> {
    /// The figure of the reports that differ.
    pub figure: &'r Figure,
    /// The option in which they differ.
    pub option: &'r str,
    /// Problem size `n`.
    pub n: u64,
    /// What their steps reach, in the order of the ladder; then the steps of other reports.
    pub curves: Vec<Curve<'r>>,
}

/// A step with each value of the option.
pub struct Curve<'r> {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: &'r str,
    /// Name of its ladder.
    pub ladder: &'r str,
    /// Its points, by falling error.
    pub points: Vec<Point<'r>>,
}

/// A step with a value of the option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<'r> {
    /// The value; none of a step that has no such option.
    pub value: Option<&'r str>,
    /// Time of all that a whole consists of, else of a pass, s.
    pub seconds: f64,
    /// 95 % interval of that, s.
    pub interval: Option<(f64, f64)>,
    /// Relative error (rms).
    pub error: f64,
    /// What only the problem says of it.
    pub row: &'r Row,
}

impl<'r> Tradeoff<'r> {
    /// What `reports` say, which differ in one option, and `others`, at size `n`; where that is not given, at the size
    /// at which most was timed.
    ///
    /// # Errors
    /// The reports do not differ in one option, are of several devices, or have nothing at that size.
    pub fn of(
        reports: &'r [Report],
        others: &'r [Report],
        n: Option<u64>,
    ) -> Result<Tradeoff<'r>, ComparisonError> {
        let option = varied(reports)?;
        check_device(reports.iter().chain(others))?;
        let rows = || reports.iter().flat_map(Report::own);
        let sizes = rows().flat_map(|row| row.timed.iter().map(|timed| timed.n));
        let n = n.or_else(|| commonest(sizes)).ok_or(ComparisonError::NothingTimed)?;
        let mut curves: Vec<Curve> = Vec::new();
        let varied = reports.iter().map(|report| (report, report.options.problem.get(option)));
        for (report, value) in varied.chain(others.iter().map(|report| (report, None))) {
            for row in report.own() {
                let Some(point) = point(row, value.map(String::as_str), n) else { continue };
                let is_it = |curve: &&mut Curve| {
                    (curve.step, curve.ladder) == (row.step.as_str(), row.ladder.as_str())
                };
                match curves.iter_mut().find(is_it) {
                    Some(curve) => curve.points.push(point),
                    None => {
                        let (step, ladder) = (&row.step, &row.ladder);
                        curves.push(Curve { step, ladder, points: vec![point] });
                    }
                }
            }
        }
        for curve in &mut curves {
            curve.points.sort_by(|one, other| other.error.total_cmp(&one.error));
        }
        let first = rows().next().filter(|_| !curves.is_empty());
        let first = first.ok_or(ComparisonError::NothingAt(n))?;
        let figure = reports.iter().find_map(|report| report.figures.get(&first.ladder));
        Ok(Tradeoff { figure: figure.ok_or(ComparisonError::NoFigure)?, option, n, curves })
    }

    /// The fastest point with no more than this error, and its step.
    pub fn within(&self, error: f64) -> Option<(&Curve<'r>, &Point<'r>)> {
        let all =
            self.curves.iter().flat_map(|curve| curve.points.iter().map(move |it| (curve, it)));
        all.filter(|(_, point)| point.error <= error)
            .min_by(|(_, one), (_, other)| one.seconds.total_cmp(&other.seconds))
    }
}

impl Point<'_> {
    /// What the problem says under this name.
    pub fn extra(&self, name: &str) -> Option<f64> {
        self.row.extras.iter().find(|extra| extra.name == name).map(|extra| extra.value)
    }
}

/// The option whose value differs from report to report.
fn varied(reports: &[Report]) -> Result<&str, ComparisonError> {
    let [first, others @ ..] = reports else { return Err(ComparisonError::NoReport) };
    let options = &first.options.problem;
    let differs = |name: &&String| {
        others.iter().all(|report| {
            let value = report.options.problem.get(*name);
            value.is_some() && value != options.get(*name)
        })
    };
    let found: Vec<&String> = options.keys().filter(differs).collect();
    match found.as_slice() {
        [option] if !others.is_empty() => Ok(option),
        _ => Err(ComparisonError::NoOption),
    }
}

fn point<'r>(row: &'r Row, value: Option<&'r str>, n: u64) -> Option<Point<'r>> {
    let timed = row.at(n)?;
    let (seconds, interval) = timed.all();
    let error = timed.accuracy.rms.filter(|error| *error > 0.0)?;
    Some(Point { value, seconds, interval, error, row })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{self, reaching};

    fn with(value: &str, rate: f64, error: f64) -> Report {
        let mut report = synthetic::report(vec![reaching("07-walk", rate, error)], false);
        report.options.problem.insert("limit".to_owned(), value.to_owned());
        report
    }

    fn error(reports: &[Report]) -> ComparisonError {
        Tradeoff::of(reports, &[], None).err().expect("nothing to be compared")
    }

    #[test]
    fn a_step_has_a_point_for_each_value() {
        let reports = [with("0.1", 100.0, 1e-4), with("0.5", 900.0, 1e-2)];
        let others = [synthetic::report(vec![reaching("17-exact", 10.0, 1e-6)], false)];
        let found = Tradeoff::of(&reports, &others, None).expect("two values");
        assert_eq!((found.option, found.curves.len()), ("limit", 2));
        let values: Vec<_> = found.curves[0].points.iter().map(|point| point.value).collect();
        assert_eq!(values, [Some("0.5"), Some("0.1")]);
        assert_eq!(found.curves[1].points[0].value, None);
        let within = |error| found.within(error).map(|(curve, point)| (curve.step, point.value));
        assert_eq!(within(1e-1), Some(("07-walk", Some("0.5"))));
        assert_eq!(within(1e-3), Some(("07-walk", Some("0.1"))));
        assert_eq!(within(1e-5), Some(("17-exact", None)));
        assert_eq!(within(1e-7), None);
    }

    #[test]
    fn reports_that_cannot_be_compared_are_refused() {
        assert_eq!(error(&[]), ComparisonError::NoReport);
        let one = || with("0.1", 100.0, 1e-4);
        assert_eq!(error(&[one()]), ComparisonError::NoOption);
        assert_eq!(error(&[one(), one()]), ComparisonError::NoOption);
        let mut other = with("0.2", 100.0, 1e-4);
        other.device.as_mut().expect("a device").name = "another".to_owned();
        assert!(error(&[one(), other]).to_string().contains("another"));
        let reports = [one(), with("0.2", 1.0, 1e-5)];
        let none = Tradeoff::of(&reports, &[], Some(7)).err();
        assert_eq!(none, Some(ComparisonError::NothingAt(7)));
    }
}
