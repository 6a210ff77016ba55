//! What a sweep over variants found: rate, and occupancy below it, against threads a block or against
//! the values of a kernel's first parameter, a curve for each combination of the others.

use std::collections::BTreeSet;

use report::provenance::Provenance;
use report::tuning::{Trial, Tuning};
use report::{Report, Row, Variant, format};

use super::Picture;
use super::sizes::{Reading, rate};
use crate::kit::chart::{BARS, Chart, Marks, Panel, Up};
use crate::kit::curve::{Curve, Value};

/// The most sizes that have a panel.
const PANELS: usize = 3;

/// What varies along the axis: a kernel's parameter, or where there is none threads a block.
type Axis<'r> = Option<&'r str>;

/// The picture of a sweep over threads a block; `None` where nothing else than they varies.
pub fn blocks(report: &Report) -> Option<Picture> {
    let note = "More resident warps hide more latency, up to the point where the step is bound by \
                something else.";
    variants(report, None, note.to_owned()).map(|chart| chart.picture("blocks"))
}

/// The picture of a sweep over the values of parameters.
pub fn tuning(report: &Report) -> Option<Picture> {
    let name = &report.rows.iter().find_map(|row| row.defines.first())?.name;
    let note =
        format!("At each value the kernel was compiled anew, with -D{name}=value, and verified.");
    variants(report, Some(name), note).map(|chart| chart.picture("tuning"))
}

fn variants(report: &Report, axis: Axis, note: String) -> Option<Chart> {
    let mut tunings = Tuning::of(report);
    tunings.iter_mut().for_each(|it| it.trials.retain(|it| value(it.row, axis).is_some()));
    tunings.retain(|tuning| tuning.trials.len() > 1);
    let figure = tunings.first()?.figure;
    let trials = || tunings.iter().flat_map(|tuning| &tuning.trials);
    let values: BTreeSet<i64> = trials().filter_map(|it| value(it.row, axis)).collect();
    let values: Vec<i64> = values.into_iter().collect();
    let mut keys: Vec<(&str, Variant)> = Vec::new();
    for key in trials().map(|it| key(it.row, axis)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let curve = |n: u64, place: usize, reading: &dyn Fn(&Trial) -> Option<Reading>| {
        let of = &keys[place];
        let own = trials().filter(|it| it.timed.n == n && key(it.row, axis) == *of);
        let points = own.filter_map(|it| {
            let own = value(it.row, axis)?;
            let x = values.iter().position(|&value| value == own)? as f64;
            let (y, interval) = reading(it)?;
            Some(Value { x, y, interval })
        });
        let name = format!("{}{}", of.0, of.1.suffix());
        Some(Curve::of(&name, place, points)).filter(|it| it.points.len() > 1)
    };
    let sizes: BTreeSet<u64> = trials().map(|it| it.timed.n).collect();
    let sizes: Vec<u64> = match Vec::from_iter(sizes.into_iter().rev()).as_slice() {
        // Both ends, and one between.
        all @ [first, .., last] if all.len() > PANELS => vec![*first, all[all.len() / 2], *last],
        all => all.to_vec(),
    };
    let panel = |&n: &u64| {
        let unit = format!("{}, n = {}", figure.unit, format::grouped(n));
        let curves = (0..keys.len()).filter_map(|place| {
            let mut curve = curve(n, place, &|it| Some(rate(figure, it.timed)))?;
            let best = curve.best()?;
            curve.value = format!("{} at {}", format::quantity(best.y), values[best.x as usize]);
            Some(curve)
        });
        Panel { unit, up: Up::FromZero, curves: curves.collect() }
    };
    let mut panels: Vec<Panel> = sizes.iter().map(panel).collect();
    panels.retain(|panel| !panel.curves.is_empty());
    let largest = *sizes.first()?;
    let resident = |it: &Trial| {
        let occupancy = it.row.occupancy.as_ref().filter(|_| it.row.n() == Some(largest))?;
        Some((100.0 * f64::from(occupancy.warps) / f64::from(occupancy.most_warps), None))
    };
    let curves = (0..keys.len()).filter_map(|place| curve(largest, place, &resident));
    panels.extend(occupancy(curves));
    let of_largest: Vec<&Tuning> = tunings.iter().filter(|it| it.n == largest).collect();
    let along = axis.unwrap_or("threads a block");
    Some(Chart {
        title: title(&of_largest, axis.unwrap_or("The block size"))?,
        provenance: Provenance::of(report),
        along: along.to_owned(),
        marks: Marks::Names(values.iter().map(i64::to_string).collect()),
        panels,
        notes: [note, format!("Right: the best rate and its {along}. {BARS}")],
    })
}

/// What a row has along the axis. A block is one by itself only where no parameter varies.
fn value(row: &Row, axis: Axis) -> Option<i64> {
    match axis {
        Some(name) => row.defines.iter().find(|define| define.name == name).map(|it| it.value),
        None => row.block.filter(|_| row.defines.is_empty()).map(i64::from),
    }
}

/// What the points of a curve have in common: the step, and all of its variant but the axis.
fn key<'r>(row: &'r Row, axis: Axis) -> (&'r str, Variant) {
    let mut variant = row.variant();
    match axis {
        Some(name) => variant.defines.retain(|define| define.name != name),
        None => variant.block = None,
    }
    (&row.step, variant)
}

/// The panel of what is resident, where that is known; curves of equal values are one, which has
/// all their names.
fn occupancy(curves: impl Iterator<Item = Curve>) -> Option<Panel> {
    let values = |curve: &Curve| Vec::from_iter(curve.points.iter().map(|at| (at.x, at.y)));
    let mut joined: Vec<Curve> = Vec::new();
    for curve in curves {
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

/// The variant that is best, and by how much.
fn title(tunings: &[&Tuning], what: &str) -> Option<String> {
    let gain = |tuning: &&Tuning| -> Option<f64> {
        let seconds = tuning.trials.iter().map(|trial| trial.timed.seconds);
        Some(seconds.fold(0.0, f64::max) / tuning.best()?.timed.seconds)
    };
    if let [only] = tunings {
        let (best, gain) = (only.best()?.row.variant().words(), format::factor(gain(only)?));
        return Some(format!("{}: {best} is best, {gain} the rate of the worst choice", only.step));
    }
    let most = format::factor(tunings.iter().filter_map(gain).fold(1.0, f64::max));
    let is_any = !tunings.is_empty();
    is_any.then(|| format!("{what} changes a step's rate by {most} at most"))
}
