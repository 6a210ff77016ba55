//! A comparison as data.

use serde::Serialize;

use super::compare::{Change, Row, UNITS};
use super::facts::Facts;
use super::running::Side;
use super::text::Comparison;
use crate::accounting::Accounting;

/// What `explain --format json` writes.
#[derive(Debug, Serialize)]
pub struct Explanation<'e> {
    /// The step that is compared with.
    before: OneSide<'e>,
    /// The step that is explained.
    after: OneSide<'e>,
    /// Units of work of which `changes` gives the events.
    units: f64,
    /// Every figure, what changed most first.
    changes: Vec<Figure>,
    /// Hazards of a reader's kernel.
    hazards: &'e [String],
    /// What it comes to.
    verdict: &'e str,
}

/// One of the two.
#[derive(Debug, Serialize)]
struct OneSide<'e> {
    /// The step's folder, or the reader's file.
    name: &'e str,
    /// What it changes.
    changes: &'e str,
    /// Bodies.
    size: u64,
    /// What was seen.
    launch: &'e Facts,
    /// What an interaction costs.
    accounting: Option<&'e Accounting>,
}

/// A figure on both sides.
#[derive(Debug, Serialize)]
struct Figure {
    /// Its name.
    name: &'static str,
    before: Option<f64>,
    after: Option<f64>,
    /// "same", "factor", "points", "new" or "gone".
    change: &'static str,
    /// The factor, or the percentage points.
    by: Option<f64>,
}

impl<'e> Explanation<'e> {
    /// The same as the text.
    pub fn new(comparison: &Comparison<'e>) -> Explanation<'e> {
        Explanation {
            before: OneSide::new(comparison.before),
            after: OneSide::new(comparison.after),
            units: UNITS,
            changes: comparison.rows.iter().map(Figure::new).collect(),
            hazards: comparison.hazards,
            verdict: comparison.verdict,
        }
    }
}

impl<'e> OneSide<'e> {
    fn new(side: &'e Side) -> OneSide<'e> {
        OneSide {
            name: &side.name,
            changes: &side.changes,
            size: side.size,
            launch: &side.facts,
            accounting: side.accounting.as_ref(),
        }
    }
}

impl Figure {
    fn new(row: &Row) -> Figure {
        let (change, by) = match row.change {
            Change::Same => ("same", None),
            Change::Factor(factor) => ("factor", Some(factor)),
            Change::Points(points) => ("points", Some(points)),
            Change::New => ("new", None),
            Change::Gone => ("gone", None),
        };
        Figure { name: row.metric.name, before: row.before, after: row.after, change, by }
    }
}
