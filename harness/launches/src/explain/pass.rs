//! The modelled time of a pass at the size that a run shows, which is mostly too large to be watched.

use anyhow::Result;
use device::{Device, SimulatorDevice};
use ladder::limits::model;
use ladder::{Ladder, Step};
use report::format;
use serde::Serialize;

use super::running::{Task, source};
use super::verdict::Known;
use crate::measured;

/// What is said of the time of two passes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Passes {
    /// The times that the model has.
    Modelled {
        /// The size of both.
        n: u64,
        /// Of the step that is compared with, s.
        before: f64,
        /// Of the step, s.
        after: f64,
    },
    /// Why there are none, and what was measured.
    NotModelled(String),
}

impl Passes {
    /// Models both, each at the size of the new step's run; nothing where a size was asked for that the pass was watched at.
    pub fn of(old: &Task, new: &Task) -> Result<Passes> {
        let own = |task: &Task| task.file.is_none().then_some(*task.step);
        if let Some(why) = not_modelled(new.ladder, own(old).as_ref(), own(new).as_ref()) {
            return Ok(Passes::NotModelled(why));
        }
        let device = SimulatorDevice::open(device::CodeRoute::Auto, new.gpu.clone());
        let sizes = new.ladder.open_plain()?;
        let [of_old, of_new] = [old, new].map(|task| sizes.default_size(task.step, device.info()));
        let n = of_old.min(of_new);
        let seconds = |task: &Task| -> Result<f64> {
            let mut open = task.ladder.open_plain()?;
            Ok(model(&mut *open, task.step, &source(task)?, task.gpu, n)?.seconds)
        };
        Ok(Passes::Modelled { n, before: seconds(old)?, after: seconds(new)? })
    }

    /// What a verdict needs of them.
    pub fn known(&self) -> Known<'_> {
        match self {
            Passes::Modelled { before, after, .. } => Known::Modelled(before / after),
            Passes::NotModelled(why) => Known::NotModelled(why),
        }
    }

    /// The times in a line.
    pub fn line(&self, old: &str, new: &str) -> String {
        match self {
            Passes::Modelled { n, before, after } => {
                let [before, after] = [before, after].map(|seconds| format::time(Some(*seconds)));
                let n = format::grouped(*n);
                format!("A pass at n = {n} takes {before} by {old} and {after} by {new}.\n")
            }
            Passes::NotModelled(why) => format!("The time of a pass is {why}.\n"),
        }
    }
}

/// Why the model says nothing of how two steps of a ladder compare, and what was measured; `None` where it does. Of a reader's
/// kernel, which is given as no step, it always does.
pub fn not_modelled(ladder: &dyn Ladder, old: Option<&Step>, new: Option<&Step>) -> Option<String> {
    let left_out = |step: &Step| ladder.not_modelled(step.name);
    let why = new.and_then(left_out).or_else(|| old.and_then(left_out))?;
    let of_parent = new.filter(|new| old.is_some_and(|old| new.after == Some(old.name)));
    let measured = of_parent.and_then(|new| measured::of_step(ladder.name(), new.name));
    Some(measured::words(why, measured.as_ref()))
}
