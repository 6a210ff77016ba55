//! What the simulator counted of a step and of its parent, as a committed report holds it: nothing is run for it, unlike for
//! [`crate::events`].

use std::path::Path;

use ::report::{Bound, Limits, Report, Row, format, words};
use anyhow::{Context, Result};
use show::table::Table;

use crate::report::{self, Of};

/// Bounds of less than this share of the time, in both steps, are left out.
const SMALL: f64 = 0.02;

/// What went to or came from a memory.
type Bytes = fn(&Limits) -> f64;

/// A row of a report of which was counted.
struct Counted<'r> {
    row: &'r Row,
    limits: &'r Limits,
    bounds: &'r [Bound],
}

impl<'r> Counted<'r> {
    fn of(row: &'r Row) -> Option<Counted<'r>> {
        Some(Counted { row, limits: row.limits.as_ref()?, bounds: row.bounds()?.1 })
    }

    /// The part of the time that a bound takes.
    fn share(&self, name: &str) -> f64 {
        self.bounds.iter().find(|bound| bound.name == name).map_or(0.0, |bound| bound.fraction)
    }
}

/// The counts of a step, and of its parent where the report has them.
pub fn markdown(root: &Path, machine: &str, of: Of) -> Result<String> {
    let report = report::read(root, machine)?;
    let row = report::own(&report, machine, of)?;
    let own = Counted::of(row)
        .with_context(|| format!("reports/{machine} has no counts of {}", row.step))?;
    let is_parent =
        |other: &&Row| other.ladder == row.ladder && row.after.as_ref() == Some(&other.step);
    let parent = report.rows.iter().find(is_parent).and_then(Counted::of);
    let steps: Vec<Counted> = parent.into_iter().chain([own]).collect();
    Ok(format!("{}\n\n{}", conditions(&steps), table(&report, &steps)))
}

fn conditions(steps: &[Counted]) -> String {
    let sizes: Vec<String> = steps
        .iter()
        .map(|step| format!("n = {} for {}", format::grouped(step.limits.n), step.row.step))
        .collect();
    format!(
        "**SIMULATED**, for {}: {}. Blocks of one multiprocessor are counted and stand for all.",
        steps[0].limits.gpu,
        words::list(&sizes)
    )
}

fn table(report: &Report, steps: &[Counted]) -> String {
    let figure = report.figure(steps[0].row);
    let names = steps.iter().map(|step| step.row.step.clone());
    let head = std::iter::once(format!("for one {}", figure.pass)).chain(names);
    let mut lines: Vec<Vec<String>> = vec![head.collect()];
    let mut add = |name: String, value: &dyn Fn(&Counted) -> Option<String>| {
        let values: Vec<Option<String>> = steps.iter().map(value).collect();
        if values.iter().any(Option::is_some) {
            let values = values.into_iter().map(|it| it.unwrap_or_else(|| format::NONE.to_owned()));
            lines.push(std::iter::once(name).chain(values).collect());
        }
    };
    let some = |value: f64, text: String| (value > 0.0).then_some(text);
    let unit = words::unit(figure);
    add(format!("machine instructions of a thread for one {unit}"), &|step| {
        let each = step.limits.instructions;
        some(each, format::quantity(each))
    });
    add(format!("floating-point operations for one {unit}"), &|step| {
        let each = step.limits.flop_executed;
        some(each, format::quantity(each))
    });
    let traffic: [(&str, Bytes); 4] = [
        ("asked of global memory", |limits| limits.global_bytes),
        ("from and to L2", |limits| limits.l2_bytes),
        ("from and to DRAM", |limits| limits.dram_bytes),
        ("from and to shared memory", |limits| limits.shared_bytes),
    ];
    for (name, bytes) in traffic {
        add(name.to_owned(), &|step| {
            let bytes = bytes(step.limits);
            some(bytes, format::bytes(bytes))
        });
    }
    add("registers of a thread".to_owned(), &|step| {
        Some(step.row.occupancy.as_ref()?.registers?.to_string())
    });
    add("warps that a multiprocessor holds".to_owned(), &|step| {
        let occupancy = step.row.occupancy.as_ref()?;
        Some(format!("{} of {}", occupancy.warps, occupancy.most_warps))
    });
    for name in bounds(steps) {
        add(format!("bound of {name}, of the time"), &|step| {
            let share = step.share(name);
            some(share, format!("{:.0} %", 100.0 * share))
        });
    }
    Table::lines(lines, 1).markdown()
}

/// The bounds that matter in some step: the longest of the last step first.
fn bounds<'r>(steps: &[Counted<'r>]) -> Vec<&'r str> {
    let mut names: Vec<&str> = Vec::new();
    for bound in steps.iter().rev().flat_map(|step| step.bounds) {
        let matters = steps.iter().any(|step| step.share(&bound.name) >= SMALL);
        if matters && !names.contains(&bound.name.as_str()) {
            names.push(&bound.name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ladder: &str, step: &str) -> Result<String> {
        let root = ladder::workspace::root().expect("the workspace");
        let found = ladders::LADDERS.iter().find(|it| it.name() == ladder);
        let found = *found.expect("a ladder");
        let step = found.step(step).expect("a step");
        markdown(&root, &format!("h200/{ladder}"), (found, &step))
    }

    #[test]
    fn a_step_stands_next_to_its_parent() {
        let page = of("access", "07-float2").expect("counts");
        assert!(page.starts_with("**SIMULATED**, for NVIDIA H200: n = "), "{page}");
        assert!(page.contains("| for one copy | 06-neighbours | 07-float2 |"), "{page}");
        // Little more than half of the instructions for the same bytes, and nothing in shared memory.
        let line = page.lines().find(|it| it.contains("machine instructions")).expect("a line");
        let counts: Vec<f64> =
            line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
        assert!(counts[1] < 0.8 * counts[0] && !page.contains("shared memory"), "{page}");
    }

    #[test]
    fn a_first_step_stands_alone_and_what_was_not_counted_is_said() {
        let page = of("divergence", "01-lanes").expect("counts");
        assert!(page.contains("| for one pass | 01-lanes |\n"), "{page}");
        let message = of("separable", "01x-one-launch").unwrap_err().to_string();
        assert!(message.contains("01x-one-launch"), "{message}");
    }
}
