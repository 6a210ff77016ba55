//! What a sweep over sizes found: time and rate against the size.

use report::provenance::Provenance;
use report::{Figure, Report, Row, Timed, format, words};

use super::Picture;
use crate::kit::chart::{BARS, Chart, Marks, Panel, Up};
use crate::kit::curve::{Curve, Value};

/// Fewer sizes than these make no curve.
const LEAST_SIZES: usize = 3;
/// Rates that are this many times below the best have no room in its panel.
const FAR_BELOW: f64 = 100.0;

/// A rate in the unit of its figure, and its 95% interval.
pub type Reading = (f64, Option<(f64, f64)>);

pub fn rate(figure: &Figure, timed: &Timed) -> Reading {
    let rate = |seconds: f64| figure.rate(timed.work / seconds);
    (rate(timed.seconds), timed.interval.map(|it| (rate(it.high), rate(it.low))))
}

/// Time and rate against the size; `None` where no step was timed at enough sizes.
pub fn sizes(report: &Report) -> Option<Picture> {
    let rows: Vec<&Row> = report.own().filter(|row| row.timed.len() >= LEAST_SIZES).collect();
    let figure = report.figure(rows.first()?);
    let curves = |reading: &dyn Fn(&Timed) -> Reading| -> Vec<Curve> {
        let curve = |(place, row): (usize, &&Row)| {
            let points = row.timed.iter().map(|timed| {
                let (y, interval) = reading(timed);
                Value { x: timed.n as f64, y, interval }
            });
            let curve = Curve::of(&row.step, place, points);
            let value = curve.points.last().map(|last| format::quantity(last.y));
            Curve { value: value.unwrap_or_default(), ..curve }
        };
        rows.iter().enumerate().map(curve).collect()
    };
    let mut rates = curves(&|timed| rate(figure, timed));
    let title = saturation(&rates, figure)?;
    let most = rates.iter().map(best).fold(0.0, f64::max);
    let far = rates.extract_if(.., |curve| best(curve) * FAR_BELOW < most);
    let far = far.map(|it| format!("{} ({} at most)", it.name, format::quantity(best(&it))));
    let far = words::listing("Too slow for the upper panel", far);
    let times = curves(&|timed| {
        let ends = timed.interval.map(|it| (1e3 * it.low, 1e3 * it.high));
        (1e3 * timed.seconds, ends)
    });
    let of_time = format!("milliseconds for one {}", figure.pass);
    let panel = |unit, curves| Panel { unit, up: Up::Logarithmic, curves };
    let first = format!(
        "After a name: the value at the greatest n that a step does in reasonable time. {BARS}"
    );
    let chart = Chart {
        title,
        provenance: Provenance::of(report),
        along: format!("{} n, logarithmic as the upright axes", figure.size),
        marks: Marks::Round,
        panels: vec![panel(figure.unit.clone(), rates), panel(of_time, times)],
        notes: [first, far],
    };
    Some(chart.picture("sizes"))
}

/// A curve's greatest value.
fn best(curve: &Curve) -> f64 {
    curve.best().map_or(0.0, |best| best.y)
}

/// The fastest step's rate, and from which size on it has nine tenths of it.
fn saturation(rates: &[Curve], figure: &Figure) -> Option<String> {
    let fastest = rates.iter().max_by(|a, b| best(a).total_cmp(&best(b)))?;
    let most = best(fastest);
    let short = fastest.points.iter().rposition(|at| at.y < 0.9 * most);
    let from = fastest.points.get(short.map_or(0, |at| at + 1)).or(fastest.points.last())?;
    let (name, most) = (&fastest.name, words::rate(figure, most * figure.scale));
    let n = format::grouped(from.x as u64);
    Some(format!("{name}: {most}, nine tenths of it from n = {n} on"))
}
