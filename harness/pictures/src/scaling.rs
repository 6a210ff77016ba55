//! How speed grows with the number of GPUs: strong and weak scaling next to the ideal.

use report::format;
use report::scaling::{Row, Scaling, Series};
use report::scene::Scene;

use super::Picture;
use crate::kit::chart::{BARS, Chart, Curve, Marks, Panel, Up, Value};

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
    let of = |series: Series, n: Option<u64>, step: &str| -> Vec<&Row> {
        let is_it =
            |row: &&Row| row.series == series && row.step == step && n.is_none_or(|n| n == row.n);
        timed().filter(is_it).collect()
    };
    let largest = *scaling.sizes.iter().max()?;
    let largest_n = format!("n = {}", format::grouped(largest));
    let speed = |row: &Row| row.gain.as_ref().map_or(0.0, |gain| gain.speed);
    let at_most = || timed().filter(|row| f64::from(row.gpus) == most);
    let best = at_most().filter(|row| (row.series, row.n) == (Series::Strong, largest));
    let best = best.max_by(|a, b| speed(a).total_cmp(&speed(b)))?;
    let mut panels = Vec::new();
    let mut add = |what: String, series: Vec<(&str, Vec<&Row>)>| {
        let unit = format!("{what}: × the fastest step on one GPU");
        panels.push(panel(unit, series, &marks));
    };
    let strong = steps.iter().map(|step| (*step, of(Series::Strong, Some(largest), step)));
    add(format!("strong scaling, {largest_n}"), strong.collect());
    let names: Vec<String> =
        scaling.sizes.iter().map(|&n| format!("n = {}", format::grouped(n))).collect();
    if names.len() > 1 {
        let sizes = scaling.sizes.iter().zip(&names);
        let sizes = sizes.map(|(&n, name)| (&**name, of(Series::Strong, Some(n), &best.step)));
        add(format!("strong scaling of {}", best.step), sizes.collect());
    }
    let weak = steps.iter().map(|step| (*step, of(Series::Weak, None, step)));
    add(format!("weak scaling from n = {} on", format::grouped(scaling.weak)), weak.collect());
    let figure = &scaling.figure;
    let timed = figure.whole.as_ref().unwrap_or(&figure.pass);
    let chart = Chart {
        title: format!(
            "{}: {} the speed of one GPU with {most} of them, {largest_n}",
            best.step,
            format::factor(speed(best))
        ),
        scene: Scene::of_scaling(scaling),
        along: "GPUs, logarithmic as the upright axes".to_owned(),
        marks: Marks::Values(marks),
        panels,
        notes: [
            format!(
                "Timed: a {timed} with all exchanges; speed is {} per second. Strong: the same n on \
                 any number of GPUs.",
                figure.work
            ),
            format!(
                "Weak: as many {} for each GPU. Ideal: as many times the speed as GPUs. {BARS}",
                figure.work
            ),
        ],
    };
    Some(chart.picture("scaling"))
}

/// Curves over the number of GPUs, and the ideal one.
fn panel(unit: String, series: Vec<(&str, Vec<&Row>)>, marks: &[f64]) -> Panel {
    let value = |row: &&Row| -> Option<Value> {
        let (gain, timed) = (row.gain.as_ref()?, row.timed.as_ref()?);
        let at = |seconds: f64| gain.speed * timed.seconds / seconds;
        let interval = timed.interval.map(|it| (at(it.high), at(it.low)));
        Some(Value { x: f64::from(row.gpus), y: gain.speed, interval })
    };
    let mut curves: Vec<Curve> = series
        .into_iter()
        .enumerate()
        .map(|(place, (name, rows))| {
            let mut points: Vec<Value> = rows.iter().filter_map(value).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let last = points.last().map_or(String::new(), |last| format::factor(last.y));
            Curve { name: name.to_owned(), value: last, place, points }
        })
        .filter(|curve| !curve.points.is_empty())
        .collect();
    let points = marks.iter().map(|&x| Value { x, y: x, interval: None }).collect();
    curves.push(Curve { name: "ideal".to_owned(), value: String::new(), place: IDEAL, points });
    Panel { unit, up: Up::Logarithmic, curves }
}
