//! What a sweep over the values of kernels' parameters found: rate against the values of the first, a curve for
//! each of the others.

use std::collections::BTreeSet;

use report::Variant;
use report::{Report, Row};

use super::chart::{Chart, Curve, Marks, Panel, Up, Value};
use super::numbers;
use super::scene::Scene;
use super::sweep::{BARS, joined, occupancy};
use crate::tuning::{Trial, Tuning};

/// The most numbers of bodies that have a panel.
const PANELS: usize = 3;

/// Rate, and occupancy below it, against the values of the first parameter; none where no step was
/// timed with two of them.
pub fn tuning(report: &Report) -> Option<Chart> {
    let name = &report.rows.iter().find_map(|row| row.defines.first())?.name;
    let of_name = |it: &Trial| value(it.row, name).is_some();
    let mut tunings = Tuning::of(report);
    tunings.iter_mut().for_each(|tuning| tuning.trials.retain(of_name));
    tunings.retain(|tuning| tuning.trials.len() > 1);
    let trials = || tunings.iter().flat_map(|tuning| &tuning.trials);
    let values: BTreeSet<i64> = trials().filter_map(|it| value(it.row, name)).collect();
    let values: Vec<i64> = values.into_iter().collect();
    let mut keys: Vec<(&str, Variant)> = Vec::new();
    for key in trials().map(|it| key(it.row)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    type Reading = (f64, Option<(f64, f64)>);
    let curves = |n: u64, reading: &dyn Fn(&Trial) -> Option<Reading>, with_best: bool| {
        let curve = |(place, of): (usize, &(&str, Variant))| {
            let own = trials().filter(|it| it.timed.n == n && key(it.row) == *of);
            let mut points: Vec<Value> = own
                .filter_map(|it| {
                    let own = value(it.row, name)?;
                    let x = values.iter().position(|&value| value == own)? as f64;
                    let (y, interval) = reading(it)?;
                    Some(Value { x, y, interval })
                })
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let best = points.iter().max_by(|a, b| a.y.total_cmp(&b.y)).filter(|_| with_best);
            let value = best.map_or(String::new(), |best| {
                format!("{} at {}", numbers::quantity(best.y), values[best.x as usize])
            });
            Curve { name: format!("{}{}", of.0, of.1.behind()), value, place, points }
        };
        let curves = keys.iter().enumerate().map(curve);
        curves.filter(|curve| curve.points.len() > 1).collect::<Vec<_>>()
    };
    let rate = |it: &Trial| -> Option<Reading> {
        let rate = |seconds: f64| (it.timed.n as f64).powi(2) / seconds / 1e9;
        let ends = it.timed.interval.map(|ends| (rate(ends.high), rate(ends.low)));
        Some((rate(it.timed.seconds), ends))
    };
    let sizes: BTreeSet<u64> = trials().map(|it| it.timed.n).collect();
    let mut panels = Vec::new();
    for n in shown(&sizes.into_iter().rev().collect::<Vec<_>>()) {
        let unit = format!("10⁹ interactions per second, n = {}", numbers::count(n));
        panels.push((n, Panel { unit, up: Up::FromZero, curves: curves(n, &rate, true) }));
    }
    panels.retain(|(_, panel)| !panel.curves.is_empty());
    let largest = panels.first()?.0;
    let mut panels: Vec<Panel> = panels.into_iter().map(|(_, panel)| panel).collect();
    let resident = |it: &Trial| -> Option<Reading> {
        let resident = it.row.occupancy.as_ref().filter(|_| it.row.n() == Some(largest))?;
        Some((100.0 * f64::from(resident.warps) / f64::from(resident.most_warps), None))
    };
    let resident = joined(curves(largest, &resident, false));
    panels.extend(occupancy(resident));
    let of_largest: Vec<&Tuning> = tunings.iter().filter(|it| it.n == largest).collect();
    Some(Chart {
        title: title(&of_largest, name)?,
        scene: Scene::of(report),
        rest: String::new(),
        along: name.clone(),
        marks: Marks::Names(values.iter().map(i64::to_string).collect()),
        panels,
        notes: [
            format!(
                "At each value the kernel was compiled anew, with -D{name}=value, and verified."
            ),
            format!("Right: the best rate and its value. {BARS}"),
        ],
    })
}

/// The value of a parameter.
fn value(row: &Row, name: &str) -> Option<i64> {
    row.defines.iter().find(|define| define.name == name).map(|define| define.value)
}

/// What the points of a curve have in common: the step, and all of its variant but the first parameter.
fn key(row: &Row) -> (&str, Variant) {
    let others = row.defines.iter().skip(1).cloned().collect();
    (&row.step, Variant { block: row.block, defines: others })
}

/// The numbers of bodies that have a panel: both ends, and one between.
fn shown(sizes: &[u64]) -> Vec<u64> {
    match sizes {
        [first, .., last] if sizes.len() > PANELS => vec![*first, sizes[sizes.len() / 2], *last],
        all => all.to_vec(),
    }
}

/// The variant that is best, and by how much.
fn title(tunings: &[&Tuning], name: &str) -> Option<String> {
    let gain = |tuning: &&Tuning| -> Option<f64> {
        let seconds = tuning.trials.iter().map(|trial| trial.timed.seconds);
        Some(seconds.fold(0.0, f64::max) / tuning.best()?.timed.seconds)
    };
    match tunings {
        [] => None,
        [only] => Some(format!(
            "{}: {} is best, {} the rate of the worst choice",
            only.step,
            only.best()?.row.variant().words(),
            numbers::factor(gain(only)?)
        )),
        several => {
            let most = several.iter().filter_map(gain).fold(1.0, f64::max);
            Some(format!("{name} changes a step's rate by {} at most", numbers::factor(most)))
        }
    }
}
