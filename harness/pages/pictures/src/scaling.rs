//! How speed grows with the number of GPUs: strong and weak scaling next to the ideal.

use report::format;
use report::provenance::Provenance;
use report::scaling::{Row, Scaling, Series};

use super::Picture;
use crate::kit::chart::{BARS, Chart, Marks, Panel, Up};
use crate::kit::curve::{Curve, Value};

/// The look of the ideal, the same in each panel and no curve's own.
const IDEAL: usize = 5;

/// The picture; `None` where steps were timed on fewer than two numbers of GPUs.
pub fn scaling(scaling: &Scaling) -> Option<Picture> {
    let timed = || scaling.rows.iter().filter(|row| row.gain.is_some());
    let mut marks: Vec<f64> = timed().map(|row| f64::from(row.gpus)).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    let most = *marks.last().filter(|_| marks.len() > 1)?;
    // Steps that divide their work, in the order of the ladder.
    let mut steps: Vec<&str> = timed().filter(|row| row.gpus > 1).map(|row| &*row.step).collect();
    steps.sort_unstable();
    steps.dedup();
    let largest = *scaling.sizes.iter().max()?;
    let sized = |n: u64| format!("n = {}", format::grouped(n));
    let speed = |row: &Row| row.gain.as_ref().map_or(0.0, |gain| gain.speed);
    let at_most = || timed().filter(|row| f64::from(row.gpus) == most);
    let best = at_most().filter(|row| (row.series, row.n) == (Series::Strong, largest));
    let best = best.max_by(|a, b| speed(a).total_cmp(&speed(b)))?;
    let curve = |series: Series, n: Option<u64>, step: &str, name: &str, place: usize| {
        let is_it =
            |row: &&Row| row.series == series && row.step == step && n.is_none_or(|n| n == row.n);
        let mut curve = Curve::of(name, place, timed().filter(is_it).filter_map(value));
        curve.value = format::factor(curve.points.last()?.y);
        Some(curve)
    };
    let of_steps = |series: Series, n: Option<u64>| {
        let steps = steps.iter().enumerate();
        steps.filter_map(|(place, step)| curve(series, n, step, step, place)).collect()
    };
    let mut panels = Vec::new();
    let mut add = |what: String, mut curves: Vec<Curve>| {
        let ideal = marks.iter().map(|&x| Value { x, y: x, interval: None });
        curves.push(Curve::of("ideal", IDEAL, ideal));
        let unit = format!("{what}: × the fastest step on one GPU");
        panels.push(Panel { unit, up: Up::Logarithmic, curves });
    };
    let strong = Series::Strong;
    add(format!("strong scaling, {}", sized(largest)), of_steps(strong, Some(largest)));
    if scaling.sizes.len() > 1 {
        let sizes = scaling.sizes.iter().enumerate();
        let curves = sizes
            .filter_map(|(place, &n)| curve(strong, Some(n), &best.step, &sized(n), place))
            .collect();
        add(format!("strong scaling of {}", best.step), curves);
    }
    add(format!("weak scaling from {} on", sized(scaling.weak)), of_steps(Series::Weak, None));
    let figure = &scaling.figure;
    let (whole, work) = (figure.whole.as_ref().unwrap_or(&figure.pass), &figure.work);
    let (step, gain, n) = (&best.step, format::factor(speed(best)), sized(largest));
    let chart = Chart {
        title: format!("{step}: {gain} the speed of one GPU with {most} of them, {n}"),
        provenance: Provenance::of_scaling(scaling),
        along: "GPUs, logarithmic as the upright axes".to_owned(),
        marks: Marks::Values(marks),
        panels,
        notes: [
            format!(
                "Timed: a {whole} with all exchanges; speed is {work} per second. Strong: fixed total \
                 size."
            ),
            format!("Weak: fixed {work} per GPU. Ideal: speed proportional to GPUs. {BARS}"),
        ],
    };
    Some(chart.picture("scaling"))
}

fn value(row: &Row) -> Option<Value> {
    let (gain, timed) = (row.gain.as_ref()?, row.timed.as_ref()?);
    let at = |seconds: f64| gain.speed * timed.seconds / seconds;
    let interval = timed.interval.map(|it| (at(it.high), at(it.low)));
    Some(Value { x: f64::from(row.gpus), y: gain.speed, interval })
}
