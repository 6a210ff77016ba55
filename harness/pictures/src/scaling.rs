//! How speed grows with the number of GPUs: strong and weak scaling beside what is ideal.

use super::chart::{Chart, Curve, Marks, Panel, Up, Value};
use super::numbers;
use super::scene::Scene;
use crate::scaling::data::{Row, Scaling, Series};

/// The look of what is ideal, the same in each panel and no curve's own.
const IDEAL: usize = 5;

/// The picture; none where steps were timed on fewer than two numbers of GPUs.
pub fn picture(scaling: &Scaling) -> Option<Chart> {
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
    let strong = steps.iter().map(|step| (*step, of(Series::Strong, Some(largest), step)));
    let strong = panel(
        format!("strong scaling, n = {}: × the fastest step on one GPU", numbers::count(largest)),
        strong.collect(),
        &marks,
    );
    let speed = |row: &Row| row.gain.as_ref().map_or(0.0, |gain| gain.speed);
    let at_most = || timed().filter(|row| f64::from(row.gpus) == most);
    let best = at_most().filter(|row| (row.series, row.n) == (Series::Strong, largest));
    let best = best.max_by(|a, b| speed(a).total_cmp(&speed(b)))?;
    let names: Vec<String> =
        scaling.sizes.iter().map(|&n| format!("n = {}", numbers::count(n))).collect();
    let sizes = scaling.sizes.iter().zip(&names);
    let sizes = sizes.map(|(&n, name)| (&**name, of(Series::Strong, Some(n), &best.step)));
    let sizes = panel(
        format!("strong scaling of {}: × the fastest step on one GPU", best.step),
        sizes.collect(),
        &marks,
    );
    let weak = steps.iter().map(|step| (*step, of(Series::Weak, None, step)));
    let weak = panel(
        format!(
            "weak scaling from n = {} on: × the fastest step on one GPU",
            numbers::count(scaling.weak)
        ),
        weak.collect(),
        &marks,
    );
    Some(Chart {
        title: format!(
            "{}: {} the speed of one GPU with {most} of them, n = {}",
            best.step,
            numbers::factor(speed(best)),
            numbers::count(largest)
        ),
        scene: Scene::of_scaling(scaling),
        rest: String::new(),
        along: "GPUs, logarithmic as the upright axes".to_owned(),
        marks: Marks::Values(marks),
        panels: if scaling.sizes.len() > 1 { vec![strong, sizes, weak] } else { vec![strong, weak] },
        notes: [
            "Whole time steps with all exchanges; speed is interactions per second. Strong: as many bodies on any number of GPUs."
                .to_owned(),
            "Weak: n² grows as the number of GPUs. Ideal: as many times the speed as GPUs. Bars: 95 % intervals that are wider than the mark."
                .to_owned(),
        ],
    })
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
            let last = points.last().map_or(String::new(), |last| numbers::factor(last.y));
            Curve { name: name.to_owned(), value: last, place, points }
        })
        .filter(|curve| !curve.points.is_empty())
        .collect();
    let ideal = marks.iter().map(|&x| Value { x, y: x, interval: None }).collect();
    curves.push(Curve {
        name: "ideal".to_owned(),
        value: String::new(),
        place: IDEAL,
        points: ideal,
    });
    Panel { unit, up: Up::Logarithmic, curves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::svg;
    use crate::scaling::data::tests::{of, row};

    #[test]
    fn strong_and_weak_scaling_are_drawn_with_the_ideal() {
        let mut scaling = of(vec![
            row("14-pairs", 1, Series::Strong, 1000, 2.0),
            row("19-pairs-divided", 1, Series::Strong, 1000, 2.1),
            row("19-pairs-divided", 2, Series::Strong, 1000, 1.1),
            row("19-pairs-divided", 1, Series::Weak, 500, 1.0),
            row("19-pairs-divided", 2, Series::Weak, 768, 1.3),
        ]);
        scaling.relate();
        let chart = picture(&scaling).expect("there is something to draw");
        assert!(chart.title.contains("19-pairs-divided"), "{}", chart.title);
        let drawn = svg::of(&chart).expect("an SVG");
        assert!(drawn.starts_with("<svg"));
        scaling.rows.retain(|row| row.gpus == 1);
        scaling.relate();
        assert!(picture(&scaling).is_none());
    }
}
