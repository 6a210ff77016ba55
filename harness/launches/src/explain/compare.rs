//! Two launches compared: every figure in which they differ, what changed most first.

use serde::{Serialize, Serializer};

use super::metrics::{Kind, METRICS, Metric};
use super::running::Side;
use crate::facts::Facts;

/// Counts are given for as many units of work: those of a warp whose lanes all work.
pub const UNITS: f64 = 32.0;

/// Events that are rarer than this on both sides, for each [`UNITS`], are not shown.
const NEGLIGIBLE: f64 = 0.005;

/// Events that are rarer than this weigh little, however large the factor between them.
const RARE: f64 = 0.1;

/// Differences below this share are none.
const EQUAL: f64 = 0.005;

/// Percentage points that weigh as much as a factor of e.
const POINTS: f64 = 25.0;

/// A figure on both sides.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What the figure is.
    pub metric: &'static Metric,
    /// Its value before; events are those of [`UNITS`].
    pub before: Option<f64>,
    /// Its value after.
    pub after: Option<f64>,
    /// How it changed.
    pub change: Change,
    /// How much that is: 0 for nothing, 1 for a factor of e.
    pub weight: f64,
}

/// How a figure changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// Nothing worth mentioning.
    Same,
    /// It is so many times what it was.
    Factor(f64),
    /// So many percentage points more.
    Points(f64),
    /// There was none before.
    New,
    /// There is none now.
    Gone,
}

/// The figures that say something of either side, what changed most first.
pub fn compare(before: &Side, after: &Side) -> Vec<Row> {
    let mut rows: Vec<Row> =
        METRICS.iter().filter_map(|metric| row(metric, before, after)).collect();
    rows.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    rows
}

fn row(metric: &'static Metric, before: &Side, after: &Side) -> Option<Row> {
    let ((before, after), change, weight) = match metric.kind {
        Kind::Amount(of) => {
            let value = |side: &Side| of(&side.facts) / side.work * UNITS;
            let (old, new) = (value(before), value(after));
            let (change, weight) = amount(old, new)?;
            ((Some(old), Some(new)), change, weight)
        }
        Kind::Each(of, others) => {
            let (old, new) = (of(&before.facts), of(&after.facts));
            let change = old.zip(new).map_or(Change::Same, |(old, new)| factor(old, new));
            let weight = old.zip(new).map_or(0.0, |(old, new)| (new / old).ln().abs());
            ((old, new), change, weight * share(others, before, after))
        }
        Kind::Percent(of, others) => {
            let (old, new) = (of(&before.facts), of(&after.facts));
            let points = old.zip(new).map_or(0.0, |(old, new)| new - old);
            let is_same = points.abs() < 100.0 * EQUAL;
            let change = if is_same { Change::Same } else { Change::Points(points) };
            ((old, new), change, points.abs() / POINTS * share(others, before, after))
        }
    };
    (before.is_some() || after.is_some()).then_some(Row { metric, before, after, change, weight })
}

/// How much a ratio to other events counts: little where one side has hardly any of them.
fn share(others: fn(&Facts) -> f64, before: &Side, after: &Side) -> f64 {
    let each = |side: &Side| others(&side.facts) / side.work * UNITS;
    each(before).min(each(after)).min(1.0)
}

/// How a number of events changed, and its weight; `None` where there are hardly any.
fn amount(old: f64, new: f64) -> Option<(Change, f64)> {
    let weight = ((new + RARE) / (old + RARE)).ln().abs();
    match (old >= NEGLIGIBLE, new >= NEGLIGIBLE) {
        (false, false) => None,
        _ if old == 0.0 => Some((Change::New, weight)),
        _ if new == 0.0 => Some((Change::Gone, weight)),
        _ => Some((factor(old, new), weight)),
    }
}

fn factor(old: f64, new: f64) -> Change {
    let factor = new / old;
    if (factor - 1.0).abs() < EQUAL { Change::Same } else { Change::Factor(factor) }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        /// A row with its change in a word and, for factors and points, a number.
        #[derive(Serialize)]
        struct Figure {
            name: &'static str,
            before: Option<f64>,
            after: Option<f64>,
            change: &'static str,
            by: Option<f64>,
        }
        let Row { metric, before, after, .. } = *self;
        let (change, by) = match self.change {
            Change::Same => ("same", None),
            Change::Factor(factor) => ("factor", Some(factor)),
            Change::Points(points) => ("points", Some(points)),
            Change::New => ("new", None),
            Change::Gone => ("gone", None),
        };
        Figure { name: metric.name, before, after, change, by }.serialize(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_change_by_factors() {
        let change = |old, new| amount(old, new).map(|(change, _)| change);
        assert_eq!(change(4.0, 1.0), Some(Change::Factor(0.25)));
        assert_eq!(change(4.0, 4.01), Some(Change::Same));
        assert_eq!(change(0.0, 2.0), Some(Change::New));
        assert_eq!(change(2.0, 0.0), Some(Change::Gone));
        assert_eq!(change(0.0001, 0.02), Some(Change::Factor(200.0)), "rare is not none");
        assert_eq!(change(0.001, 0.004), None, "one in 6400 units of work is nothing");
    }

    #[test]
    fn what_is_rare_weighs_less() {
        let weight = |old, new| amount(old, new).map_or(0.0, |(_, weight)| weight);
        assert!(weight(4.0, 1.0) > weight(0.01, 0.0025));
        assert!(weight(4.0, 0.0) > weight(4.0, 0.0156));
    }
}
