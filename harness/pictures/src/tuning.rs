//! What a sweep over the values of kernels' parameters found: rate against the values of the first,
//! a curve for each combination of the others.

use std::collections::BTreeSet;

use report::scene::Scene;
use report::tuning::{Trial, Tuning};
use report::{Report, Row, Variant, format};

use super::Picture;
use super::chart::{BARS, Chart, Curve, Marks, Panel, Up};
use super::sweep::{self, Reading, curve, occupancy};

/// The most sizes that have a panel.
const PANELS: usize = 3;

/// Rate, and occupancy below it, against the values of the first parameter; `None` where no step
/// was timed with two of them.
pub fn tuning(report: &Report) -> Option<Picture> {
    let name = &report.rows.iter().find_map(|row| row.defines.first())?.name;
    let mut tunings = Tuning::of(report);
    tunings.iter_mut().for_each(|it| it.trials.retain(|it| value(it.row, name).is_some()));
    tunings.retain(|tuning| tuning.trials.len() > 1);
    let figure = tunings.first()?.figure;
    let trials = || tunings.iter().flat_map(|tuning| &tuning.trials);
    let values: BTreeSet<i64> = trials().filter_map(|it| value(it.row, name)).collect();
    let values: Vec<i64> = values.into_iter().collect();
    let mut keys: Vec<(&str, Variant)> = Vec::new();
    for key in trials().map(|it| key(it.row)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let curves = |n: u64, reading: &dyn Fn(&Trial) -> Option<Reading>, with_best: bool| {
        let curve = |(place, of): (usize, &(&str, Variant))| {
            let own = trials().filter(|it| it.timed.n == n && key(it.row) == *of);
            let points = own.filter_map(|it| {
                let own = value(it.row, name)?;
                Some((values.iter().position(|&value| value == own)? as f64, reading(it)?))
            });
            let name = format!("{}{}", of.0, of.1.behind());
            curve(name, place, points.collect(), with_best, |x| values[*x as usize].to_string())
        };
        let curves = keys.iter().enumerate().map(curve);
        curves.filter(|curve| curve.points.len() > 1).collect::<Vec<Curve>>()
    };
    let sizes: BTreeSet<u64> = trials().map(|it| it.timed.n).collect();
    let mut panels = Vec::new();
    for n in shown(&sizes.into_iter().rev().collect::<Vec<_>>()) {
        let unit = format!("{}, n = {}", figure.unit, format::grouped(n));
        let curves = curves(n, &|it| Some(sweep::rate(figure, it.timed)), true);
        panels.push((n, Panel { unit, up: Up::FromZero, curves }));
    }
    panels.retain(|(_, panel)| !panel.curves.is_empty());
    let largest = panels.first()?.0;
    let mut panels: Vec<Panel> = panels.into_iter().map(|(_, panel)| panel).collect();
    let resident = |it: &Trial| {
        let row = Some(it.row).filter(|row| row.n() == Some(largest))?;
        sweep::resident(row)
    };
    panels.extend(occupancy(curves(largest, &resident, false)));
    let of_largest: Vec<&Tuning> = tunings.iter().filter(|it| it.n == largest).collect();
    let chart = Chart {
        title: title(&of_largest, name)?,
        scene: Scene::of(report),
        more: String::new(),
        along: name.clone(),
        marks: Marks::Names(values.iter().map(i64::to_string).collect()),
        panels,
        notes: [
            format!(
                "At each value the kernel was compiled anew, with -D{name}=value, and verified."
            ),
            format!("Right: the best rate and its value. {BARS}"),
        ],
    };
    Some(chart.picture("tuning"))
}

/// The value of a parameter.
fn value(row: &Row, name: &str) -> Option<i64> {
    row.defines.iter().find(|define| define.name == name).map(|define| define.value)
}

/// What the points of a curve have in common: the step, and all of its variant but the first
/// parameter.
fn key(row: &Row) -> (&str, Variant) {
    let others = row.defines.iter().skip(1).cloned().collect();
    (&row.step, Variant { block: row.block, defines: others })
}

/// The sizes that have a panel: both ends, and one between.
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
            format::factor(gain(only)?)
        )),
        several => {
            let most = several.iter().filter_map(gain).fold(1.0, f64::max);
            Some(format!("{name} changes a step's rate by {} at most", format::factor(most)))
        }
    }
}
