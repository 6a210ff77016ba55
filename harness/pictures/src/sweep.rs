//! What a sweep found: time and rate against the size, or against threads a block.

use report::scene::Scene;
use report::{Figure, Report, Row, Timed, format};

use super::Picture;
use super::chart::{BARS, Chart, Curve, Marks, Panel, Up, Value};
use super::unit::with_unit;

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
        more: String::new(),
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

/// Rate and occupancy against threads a block; `None` where no step was timed with two sizes of
/// block.
pub fn blocks(report: &Report) -> Option<Picture> {
    let swept =
        |row: &&Row| row.outcome.is_verified() && row.block.is_some() && row.defines.is_empty();
    let rows: Vec<&Row> = report.rows.iter().filter(swept).collect();
    let figure = report.figure(rows.first()?);
    let mut steps: Vec<&str> = rows.iter().map(|row| row.step.as_str()).collect();
    steps.dedup();
    let curves = |reading: &dyn Fn(&Row) -> Option<Reading>, with_best: bool| -> Vec<Curve> {
        let curve = |(place, step): (usize, &&str)| {
            let own = rows.iter().filter(|row| row.step == *step);
            let points = own.filter_map(|row| Some((f64::from(row.block?), reading(row)?)));
            curve((*step).to_owned(), place, points.collect(), with_best, f64::to_string)
        };
        let curves = steps.iter().enumerate().map(curve);
        curves.filter(|curve| curve.points.len() > 1).collect()
    };
    let rates = curves(&|row| Some(rate(figure, row.main()?)), true);
    let title = best_block(&rates)?;
    let mut panels = vec![Panel { unit: figure.unit.clone(), up: Up::FromZero, curves: rates }];
    panels.extend(occupancy(curves(&resident, false)));
    let mut marks: Vec<f64> = rows.iter().filter_map(|row| row.block).map(f64::from).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    let mut sizes: Vec<u64> = rows.iter().filter_map(|row| row.n()).collect();
    sizes.dedup();
    let more = match sizes[..] {
        [n] => format!(" · n = {} {}", format::grouped(n), figure.size),
        _ => String::new(),
    };
    let chart = Chart {
        title,
        scene: Scene::of(report),
        more,
        along: "threads a block".to_owned(),
        marks: Marks::Values(marks),
        panels,
        notes: [
            "More resident warps hide more latency, up to the point where the step is bound by \
             something else."
                .to_owned(),
            format!("Right: the best rate and its threads a block. {BARS}"),
        ],
    };
    Some(chart.picture("blocks"))
}

/// A curve through readings, from left to right, with its best one in words where that is wanted.
pub fn curve(
    name: String,
    place: usize,
    readings: Vec<(f64, Reading)>,
    with_best: bool,
    word: impl Fn(&f64) -> String,
) -> Curve {
    let value = |(x, (y, interval))| Value { x, y, interval };
    let mut points: Vec<Value> = readings.into_iter().map(value).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut curve = Curve { name, value: String::new(), place, points };
    if let Some(best) = curve.best().filter(|_| with_best) {
        curve.value = format!("{} at {}", format::quantity(best.y), word(&best.x));
    }
    curve
}

/// Resident warps in percent of the most that a multiprocessor holds.
pub fn resident(row: &Row) -> Option<Reading> {
    let occupancy = row.occupancy.as_ref()?;
    Some((100.0 * f64::from(occupancy.warps) / f64::from(occupancy.most_warps), None))
}

/// The panel of what is resident, where that is known; curves of equal values are one, which has
/// all their names.
pub fn occupancy(curves: Vec<Curve>) -> Option<Panel> {
    let mut joined: Vec<Curve> = Vec::new();
    for curve in curves {
        let values = |curve: &Curve| -> Vec<(f64, f64)> {
            curve.points.iter().map(|at| (at.x, at.y)).collect()
        };
        match joined.iter_mut().find(|other| values(other) == values(&curve)) {
            Some(other) => other.name = format!("{}, {}", other.name, curve.name),
            None => joined.push(curve),
        }
    }
    if let [all] = joined.as_mut_slice()
        && all.name.contains(", ")
    {
        all.name = "all of them".to_owned();
    }
    let unit = "occupancy: resident warps in % of the most that a multiprocessor holds".to_owned();
    (!joined.is_empty()).then_some(Panel { unit, up: Up::Percent, curves: joined })
}

/// The block with which a step is fastest, and by how much.
fn best_block(rates: &[Curve]) -> Option<String> {
    let gain = |curve: &Curve| -> Option<(f64, f64)> {
        let best = curve.best()?;
        let worst = curve.points.iter().min_by(|a, b| a.y.total_cmp(&b.y))?;
        Some((best.x, best.y / worst.y))
    };
    match rates {
        [] => None,
        [only] => {
            let (block, times) = gain(only)?;
            Some(format!(
                "{}: {block} threads a block are best, {} the rate of the worst choice",
                only.name,
                format::factor(times)
            ))
        }
        [one, other] => {
            let ((first, _), (second, _)) = (gain(one)?, gain(other)?);
            let (one, other) = (&one.name, &other.name);
            Some(format!("{one} is fastest with {first} threads a block, {other} with {second}"))
        }
        several => {
            let gains = several.iter().filter_map(gain);
            let most = gains.map(|(_, times)| times).fold(1.0, f64::max);
            let most = format::factor(most);
            Some(format!("Threads a block change a step's rate by {most} at most"))
        }
    }
}
