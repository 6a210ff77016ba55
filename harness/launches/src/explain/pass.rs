//! The modelled time of a pass at the size that a run shows, which is mostly too large to be watched.

use anyhow::Result;
use device::{Device, SimulatorDevice};
use ladder::limits::model;
use report::format;
use serde::Serialize;

use super::running::{Task, source};
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
        let name = new.ladder.name();
        let left_out = |task: &Task| match task.file {
            Some(_) => None,
            None => new.ladder.not_modelled(task.step.name),
        };
        if let Some(why) = left_out(new).or(left_out(old)) {
            let is_parent = new.step.after == Some(old.step.name);
            let measured = is_parent.then(|| measured::of_step(name, new.step.name)).flatten();
            return Ok(Passes::NotModelled(measured::words(why, measured.as_ref())));
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

    /// How many times as fast the new step is; `None` where that is not known.
    pub fn times(&self) -> Option<f64> {
        match self {
            Passes::Modelled { before, after, .. } => Some(before / after),
            Passes::NotModelled(_) => None,
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
