//! What a sweep over sizes found: time and rate against the size.

use report::scene::Scene;
use report::{Figure, Report, Row, Timed, format};

use super::Picture;
use crate::kit::chart::{BARS, Chart, Curve, Marks, Panel, Up, Value};
use crate::kit::unit::with_unit;

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
    let of_sizes =
        |row: &&Row| row.outcome.is_verified() && row.is_own() && row.timed.len() >= LEAST_SIZES;
    let rows: Vec<&Row> = report.rows.iter().filter(of_sizes).collect();
    let figure = report.figure(rows.first()?);
    let curves = |reading: &dyn Fn(&Timed) -> Reading| -> Vec<Curve> {
        let curve = |(place, row): (usize, &&Row)| {
            let value = |timed: &Timed| {
                let (y, interval) = reading(timed);
                Value { x: timed.n as f64, y, interval }
            };
            let mut points: Vec<Value> = row.timed.iter().map(value).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let value = points.last().map_or(String::new(), |last| format::quantity(last.y));
            Curve { name: row.step.clone(), value, place, points }
        };
        rows.iter().enumerate().map(curve).collect()
    };
    let mut rates = curves(&|timed| rate(figure, timed));
    let title = saturation(&rates, figure)?;
    let most = rates.iter().map(best).fold(0.0, f64::max);
    let is_near = |curve: &Curve| best(curve) * FAR_BELOW >= most;
    let far = rates.iter().filter(|curve| !is_near(curve));
    let far = far.map(|it| format!("{} ({} at most)", it.name, format::quantity(best(it))));
    let far: Vec<String> = far.collect();
    let last = match far.as_slice() {
        [] => String::new(),
        far => format!("Too slow for the upper panel: {}.", far.join(", ")),
    };
    rates.retain(is_near);
    let times = curves(&|timed| {
        let ends = timed.interval.map(|it| (1e3 * it.low, 1e3 * it.high));
        (1e3 * timed.seconds, ends)
    });
    let of_time = format!("milliseconds for one {}", figure.pass);
    let panels = vec![
        Panel { unit: figure.unit.clone(), up: Up::Logarithmic, curves: rates },
        Panel { unit: of_time, up: Up::Logarithmic, curves: times },
    ];
    let chart = Chart {
        title,
        scene: Scene::of(report),
        along: format!("{} n, logarithmic as the upright axes", figure.size),
        marks: Marks::Round,
        panels,
        notes: [
            format!(
                "After a name: the value at the greatest n that a step does in reasonable time. {BARS}"
            ),
            last,
        ],
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
    Some(format!(
        "{}: {}, nine tenths of it from n = {} on",
        fastest.name,
        with_unit(most, &figure.unit),
        format::grouped(from.x as u64)
    ))
}
