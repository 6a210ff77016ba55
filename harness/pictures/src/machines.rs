//! The ladder as several machines climb it, over each other.
//!
//! Left, each machine's speed over its first step, as a line from step to step; right, in columns,
//! how many times its parent's speed each step has, with the n of that comparison. A line is the
//! product of its column: where one of the factors was taken at another n, that stretch is dotted.

mod climb;
mod drawing;

use report::published::Published;
use report::scene::Scene;
use report::{Report, Row};

use super::Picture;
use crate::kit::caption;
use climb::Machine;
use drawing::Drawing;

/// More than these can neither be told apart nor have a column each.
const MOST: usize = 6;

/// Why reports cannot be drawn over each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MachinesError {
    /// The report has no times.
    #[error("nothing was timed with the steps' own blocks, so that there is nothing to compare")]
    NothingTimed,
    /// Another report has none.
    #[error("{0} has no times")]
    NoTimes(String),
    /// Another report is of another ladder.
    #[error("{name} climbs another ladder: {ladder}")]
    OtherLadder {
        /// Of the report.
        name: String,
        /// Its ladder.
        ladder: String,
    },
    /// They would have no room.
    #[error("{0} machines are more than a picture can tell apart: {MOST}")]
    TooMany(usize),
}

/// The picture of a report over others and over what was published. Each other report comes with
/// the name that tells it from one of the same GPU.
///
/// # Errors
/// A report has no times or is of another ladder, or there are too many.
pub fn machines(
    report: &Report,
    others: &[(String, Report)],
    published: &Published,
) -> Result<Picture, MachinesError> {
    let mut machines = vec![Machine::of(report).ok_or(MachinesError::NothingTimed)?];
    for (name, other) in others {
        if other.options.ladder != report.options.ladder {
            let (name, ladder) = (name.clone(), other.options.ladder.clone());
            return Err(MachinesError::OtherLadder { name, ladder });
        }
        let machine = Machine::of(other).ok_or_else(|| MachinesError::NoTimes(name.clone()));
        let mut machine = machine?;
        if machines.iter().any(|known| known.name == machine.name) {
            machine.name = format!("{} ({name})", machine.name);
        }
        machines.push(machine);
    }
    let steps = climb::steps([report].into_iter().chain(others.iter().map(|(_, other)| other)));
    machines.extend(Machine::published(published, &steps));
    if machines.len() > MOST {
        return Err(MachinesError::TooMany(machines.len()));
    }
    let is_climbed = |row: &&Row| machines.iter().any(|it| it.gain(&row.step).is_some());
    let steps: Vec<&Row> = steps.into_iter().filter(is_climbed).collect();
    let drawing = Drawing::of(Scene::of(report), machines, steps);
    let source = match published.lines.is_empty() {
        true => String::new(),
        false => format!("Published: {}.", published.source),
    };
    let title = drawing.message();
    Ok(Picture::draw("machines", title, |canvas| {
        let end = drawing.draw(canvas);
        let first = "Columns: speed over the parent's, at the n above or below it. Lines: the product of \
                     these, dotted where a factor is of another n. Marks off a line: detours.";
        caption::notes(canvas, end, &[first, &source], &drawing.scene.source)
    }))
}
