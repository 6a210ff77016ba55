//! Speed against accuracy over the values of an option, and from which size on one way is faster than another.

use report::crossing::{Crossing, Faster};
use report::provenance::Provenance;
use report::tradeoff::Tradeoff;
use report::{Figure, Report, format, words};

use super::Picture;
use crate::kit::chart::{BARS, Chart, Marks, Panel, Up};
use crate::kit::curve::{Curve, Value};

/// The error at which the fastest is named: a thousandth, as sums of many parts are often allowed.
pub const BOUND: f64 = 1e-3;

/// Steps by error and time, a point for each value of the option; `report` is one of those that are shown.
pub fn tradeoff(tradeoff: &Tradeoff, report: &Report) -> Picture {
    let curve = |(place, curve): (usize, &report::tradeoff::Curve)| {
        let points = curve.points.iter().map(|point| Value {
            x: point.error,
            y: 1e3 * point.seconds,
            interval: point.interval.map(milliseconds),
        });
        Curve::of(curve.step, place, points)
    };
    let curves: Vec<Curve> = tradeoff.curves.iter().enumerate().map(curve).collect();
    let Tradeoff { figure, option, .. } = tradeoff;
    let n = format::grouped(tradeoff.n);
    let values = tradeoff.curves.iter().flat_map(|curve| &curve.points).filter_map(|it| it.value);
    let mut values: Vec<f64> = values.filter_map(|value| value.parse().ok()).collect();
    values.sort_by(f64::total_cmp);
    let ends = values.first().zip(values.last());
    let ends = ends.map(|(low, high)| format!(", from {low} (left) to {high} (right)"));
    let ends = ends.unwrap_or_default();
    let (whole, size) = (whole(figure), &figure.size);
    let title = match tradeoff.within(BOUND) {
        Some((curve, point)) => {
            let value = point.value.map(|value| format!(" ({option} {value})")).unwrap_or_default();
            let time = format::time(Some(point.seconds));
            format!("Fastest with error ≤ {BOUND:e}: {}{value}, {time}, n = {n}", curve.step)
        }
        None => format!("Time and error, n = {n}"),
    };
    let chart = Chart {
        title,
        provenance: Provenance::of(report),
        along: "relative error (rms) against f64, logarithmic as the upright axis".to_owned(),
        marks: Marks::Round,
        panels: vec![Panel {
            unit: format!("milliseconds for one {whole}, n = {n} {size}"),
            up: Up::Logarithmic,
            curves,
        }],
        notes: [
            format!("Left is nearer to f64, down is faster. A point for each {option}{ends}."),
            format!("A single point: a step that has no such option. {BARS}"),
        ],
    };
    chart.picture("tradeoff")
}

/// Steps by size and time; `report` is one of those that are shown.
pub fn crossing(crossing: &Crossing, report: &Report) -> Picture {
    let curve = |(place, curve): (usize, &report::crossing::Curve)| {
        let points = curve.points.iter().map(|point| Value {
            x: point.n as f64,
            y: 1e3 * point.seconds,
            interval: point.interval.map(milliseconds),
        });
        Curve::of(&curve.name, place, points)
    };
    let curves: Vec<Curve> = crossing.curves.iter().enumerate().map(curve).collect();
    let (first, others) = crossing.curves.split_first().expect("a crossing has a step");
    let said = |other: &report::crossing::Curve| match first.against(other) {
        Faster::From(n) => format!("{} from n ≈ {} on", other.name, about(n)),
        Faster::Second => format!("{} at every n", other.name),
        Faster::First => format!("{} at no n", other.name),
        Faster::Unclear => format!("{} at some n", other.name),
    };
    let said: Vec<String> = others.iter().map(said).collect();
    let chart = Chart {
        title: match said.as_slice() {
            [] => first.name.clone(),
            said => format!("Faster than {}: {}", first.name, words::list(said)),
        },
        provenance: Provenance::of(report),
        along: format!("{} n, logarithmic as the upright axis", crossing.figure.size),
        marks: Marks::Round,
        panels: vec![Panel {
            unit: format!("milliseconds for one {}", whole(crossing.figure)),
            up: Up::Logarithmic,
            curves,
        }],
        notes: [
            "Where two curves cross is read off straight lines between neighbouring points."
                .to_owned(),
            BARS.to_owned(),
        ],
    };
    chart.picture("crossing")
}

fn whole(figure: &Figure) -> &str {
    figure.whole.as_ref().unwrap_or(&figure.pass)
}

fn milliseconds((low, high): (f64, f64)) -> (f64, f64) {
    (1e3 * low, 1e3 * high)
}

/// A size that is known to two digits.
fn about(n: f64) -> String {
    let unit = 10f64.powf(n.log10().floor() - 1.0).max(1.0);
    format::grouped(((n / unit).round() * unit) as u64)
}

#[cfg(test)]
mod tests {
    use report::synthetic::{self, reaching, timed};

    use super::*;

    #[test]
    fn the_fastest_within_the_bound_is_named_and_all_values_are_said() {
        let with = |value: &str, rate, error| {
            let mut report = synthetic::report(vec![reaching("07-walk", rate, error)], false);
            report.options.problem.insert("limit".to_owned(), value.to_owned());
            report
        };
        let reports = [with("0.1", 100.0, 1e-4), with("0.5", 900.0, 1e-2)];
        let found = Tradeoff::of(&reports, &[], None).expect("two values");
        let picture = tradeoff(&found, &reports[0]);
        for wanted in ["Fastest with error ≤ 1e-3: 07-walk (limit 0.1)", "from 0.1 (left) to 0.5"]
        {
            assert!(picture.words.contains(wanted), "{wanted} in {}", picture.words);
        }
    }

    #[test]
    fn the_size_where_curves_cross_is_said() {
        let of = |step: &str, times: [f64; 2]| {
            let mut row = timed(step, None, 1000, times[0]);
            row.timed.push(synthetic::at(100_000, times[1]));
            synthetic::report(vec![row], false)
        };
        let reports = [of("01-pairs", [1.0, 100.0]), of("02-tree", [10.0, 10.0])];
        let found = Crossing::of(&reports).expect("two steps");
        let picture = crossing(&found, &reports[0]);
        assert!(picture.title.ends_with("02-tree from n ≈ 10\u{2009}000 on"), "{}", picture.title);
        assert_eq!(about(63_412.0), "63\u{2009}000");
    }
}
