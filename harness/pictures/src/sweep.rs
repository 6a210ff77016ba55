//! What a sweep found: time and rate against the number of bodies, or against threads a block.

use report::{Report, Row, Timed};

use super::chart::{Chart, Curve, Marks, Panel, Up, Value};
use super::numbers;
use super::scene::Scene;

/// Fewer sizes than these make no curve.
const LEAST_SIZES: usize = 3;
/// Rates that are this many times below the best have no room in its panel.
const FAR_BELOW: f64 = 100.0;

/// What upright bars mean.
pub(super) const BARS: &str = "Bars: 95 % intervals that are wider than the mark.";

/// Time and rate against the number of bodies; none where no step was timed at enough sizes.
pub fn sizes(report: &Report) -> Option<Chart> {
    let of_sizes =
        |row: &&Row| row.outcome.is_verified() && row.is_own() && row.timed.len() >= LEAST_SIZES;
    let rows: Vec<(&Row, Vec<&Timed>)> = report
        .rows
        .iter()
        .filter(of_sizes)
        .map(|row| {
            let mut timed: Vec<&Timed> = row.timed.iter().collect();
            timed.sort_by_key(|timed| timed.n);
            (row, timed)
        })
        .collect();
    let curves = |unit: &dyn Fn(&Timed, f64) -> f64| -> Vec<Curve> {
        let value = |timed: &&Timed| {
            let ends = timed.interval.map(|it| (unit(timed, it.low), unit(timed, it.high)));
            Value {
                x: timed.n as f64,
                y: unit(timed, timed.seconds),
                // A rate's interval is the time's the other way round.
                interval: ends.map(|(a, b)| (a.min(b), a.max(b))),
            }
        };
        let curve = |(place, (row, timed)): (usize, &(&Row, Vec<&Timed>))| Curve {
            name: row.step.clone(),
            value: timed
                .last()
                .map_or(String::new(), |last| numbers::quantity(unit(last, last.seconds))),
            place,
            points: timed.iter().map(value).collect(),
        };
        rows.iter().enumerate().map(curve).collect()
    };
    let scene = Scene::of(report);
    let mut rates = curves(&|timed, seconds| (timed.n as f64).powi(2) / seconds / 1e9);
    let title = saturation(&rates)?;
    let most = rates.iter().map(best).fold(0.0, f64::max);
    let is_near = |curve: &Curve| best(curve) * FAR_BELOW >= most;
    let far = rates.iter().filter(|curve| !is_near(curve));
    let far: Vec<String> = far
        .map(|curve| format!("{} ({} at most)", curve.name, numbers::quantity(best(curve))))
        .collect();
    rates.retain(is_near);
    let last = match far.as_slice() {
        [] => String::new(),
        far => format!("Too slow for the upper panel: {}.", far.join(", ")),
    };
    let panels = vec![
        Panel {
            unit: "10⁹ interactions per second".to_owned(),
            up: Up::Logarithmic,
            curves: rates,
        },
        Panel {
            unit: "milliseconds for one force evaluation".to_owned(),
            up: Up::Logarithmic,
            curves: curves(&|_, seconds| 1e3 * seconds),
        },
    ];
    Some(Chart {
        title,
        scene,
        rest: String::new(),
        along: "bodies n, logarithmic as the upright axes".to_owned(),
        marks: Marks::Round,
        panels,
        notes: [
            format!(
                "Beside a name: the value at the greatest n that a step does in reasonable time. {BARS}"
            ),
            last,
        ],
    })
}

/// A curve's greatest value.
fn best(curve: &Curve) -> f64 {
    curve.points.iter().map(|at| at.y).fold(0.0, f64::max)
}

/// The fastest step's rate, and from how many bodies on it has nine tenths of it.
fn saturation(rates: &[Curve]) -> Option<String> {
    let fastest = rates.iter().max_by(|a, b| best(a).total_cmp(&best(b)))?;
    let most = best(fastest);
    let short = fastest.points.iter().rposition(|at| at.y < 0.9 * most);
    let from = fastest.points.get(short.map_or(0, |at| at + 1)).or(fastest.points.last())?;
    Some(format!(
        "{}: {}·10⁹ interactions per second, nine tenths of it from n = {} on",
        fastest.name,
        numbers::quantity(most),
        numbers::count(from.x as u64)
    ))
}

/// Rate and occupancy against threads a block; none where no step was timed with two sizes of block.
pub fn blocks(report: &Report) -> Option<Chart> {
    let swept =
        |row: &&Row| row.outcome.is_verified() && row.block.is_some() && row.defines.is_empty();
    let rows: Vec<&Row> = report.rows.iter().filter(swept).collect();
    let mut steps: Vec<&str> = Vec::new();
    for row in &rows {
        if !steps.contains(&row.step.as_str()) {
            steps.push(&row.step);
        }
    }
    let curves = |value: &dyn Fn(&Row) -> Option<Reading>, with_best: bool| -> Vec<Curve> {
        let curve = |(place, step): (usize, &&str)| {
            let own = rows.iter().filter(|row| row.step == *step);
            let mut points: Vec<Value> = own
                .filter_map(|row| {
                    let (y, interval) = value(row)?;
                    Some(Value { x: row.block?.into(), y, interval })
                })
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let best = points.iter().max_by(|a, b| a.y.total_cmp(&b.y)).filter(|_| with_best);
            let value = best.map_or(String::new(), |best| {
                format!("{} at {}", numbers::quantity(best.y), best.x)
            });
            Curve { name: (*step).to_owned(), value, place, points }
        };
        let curves = steps.iter().enumerate().map(curve);
        curves.filter(|curve| curve.points.len() > 1).collect()
    };
    let rates = curves(
        &|row| {
            let own = row.main()?;
            let rate = |seconds: f64| (own.n as f64).powi(2) / seconds / 1e9;
            Some((rate(own.seconds), own.interval.map(|it| (rate(it.high), rate(it.low)))))
        },
        true,
    );
    let title = best_block(&rates)?;
    let mut panels = vec![Panel {
        unit: "10⁹ interactions per second".to_owned(),
        up: Up::FromZero,
        curves: rates,
    }];
    let resident = curves(
        &|row| {
            let occupancy = row.occupancy.as_ref()?;
            Some((100.0 * f64::from(occupancy.warps) / f64::from(occupancy.most_warps), None))
        },
        false,
    );
    let resident = joined(resident);
    panels.extend(occupancy(resident));
    let mut marks: Vec<f64> = rows.iter().filter_map(|row| row.block).map(f64::from).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    let mut sizes: Vec<u64> = rows.iter().filter_map(|row| row.n()).collect();
    sizes.dedup();
    let rest = match sizes[..] {
        [n] => format!(" · n = {} bodies", numbers::count(n)),
        _ => String::new(),
    };
    Some(Chart {
        title,
        scene: Scene::of(report),
        rest,
        along: "threads a block".to_owned(),
        marks: Marks::Values(marks),
        panels,
        notes: [
            "More resident warps hide more latency, up to the point where the step is bound by \
             something else."
                .to_owned(),
            format!("Right: the best rate and its threads a block. {BARS}"),
        ],
    })
}

/// Curves of equal values as one, which has all their names.
pub(super) fn joined(curves: Vec<Curve>) -> Vec<Curve> {
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
    joined
}

/// A value and its interval.
type Reading = (f64, Option<(f64, f64)>);

/// The block with which a step is fastest, and by how much.
fn best_block(rates: &[Curve]) -> Option<String> {
    let rate = |a: &&Value, b: &&Value| a.y.total_cmp(&b.y);
    let gain = |curve: &Curve| -> Option<(f64, f64)> {
        let best = curve.points.iter().max_by(rate)?;
        let worst = curve.points.iter().min_by(rate)?;
        Some((best.x, best.y / worst.y))
    };
    match rates {
        [] => None,
        [only] => {
            let (block, times) = gain(only)?;
            Some(format!(
                "{}: {} threads a block are best, {} the rate of the worst choice",
                only.name,
                block,
                numbers::factor(times)
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
            let most = numbers::factor(most);
            Some(format!("Threads a block change a step's rate by {most} at most"))
        }
    }
}

/// The panel of what is resident, where that is known.
pub(super) fn occupancy(curves: Vec<Curve>) -> Option<Panel> {
    let unit = "occupancy: resident warps in % of the most that a multiprocessor holds".to_owned();
    (!curves.is_empty()).then_some(Panel { unit, up: Up::Percent, curves })
}
