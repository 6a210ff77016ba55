//! One row of a report: what became of one step.

use device::TimeSource;
use serde::{Deserialize, Serialize};

use crate::Step;

/// What became of one step. What does not exist is null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the ladder.
    pub ladder: String,
    /// The step's folder.
    pub step: String,
    /// Its idea in a word or two.
    pub title: String,
    /// What it changes, in one line.
    pub changes: String,
    /// The step it is compared with.
    pub after: Option<String>,
    /// Tried and not kept.
    pub detour: bool,
    /// What became of it.
    pub outcome: Outcome,
    /// Why it is wrong, failed or skipped; what is worth knowing of another outcome.
    pub reason: Option<String>,
    /// Name of the device.
    pub device: Option<String>,
    /// Where the times come from.
    pub time_source: Option<TimeSource>,
    /// The code that ran: compiler, PTX version, target.
    pub code: Option<String>,
    /// Bodies in the timed cluster.
    pub n: Option<u64>,
    /// Median time of one force evaluation, from positions to accelerations.
    pub seconds: Option<f64>,
    /// Median time of one time step: force evaluation and advance.
    pub step_seconds: Option<f64>,
    /// n² / `seconds`.
    pub interactions_per_second: Option<f64>,
    /// How many times its parent's speed, both at `times_parent_n` bodies.
    pub times_parent: Option<f64>,
    /// Bodies at which it was compared with its parent.
    pub times_parent_n: Option<u64>,
    /// How many times the first step's speed: the product of `times_parent` along `after`.
    pub times_first: Option<f64>,
    /// √(Σ|a−r|² / Σ|r|²) of the accelerations a of the timed cluster against the reference r; of
    /// the failing size where the step is wrong.
    pub error_rms: Option<f64>,
    /// Greatest |a−r| / max(|r|, rms|r|) of one body there.
    pub error_worst: Option<f64>,
    /// What `error_rms` had to stay within.
    pub tolerance: Option<f64>,
    /// Relative change of the total energy over the few verified time steps.
    pub energy_drift: Option<f64>,
    /// Change of the total momentum over them, relative to Σ m|v|.
    pub momentum_drift: Option<f64>,
    /// Times of single force evaluations, in the order in which they were taken.
    pub samples: Vec<f64>,
    /// Measurements at further sizes.
    pub also: Vec<Also>,
}

/// A measurement at a further size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Also {
    /// Bodies.
    pub n: u64,
    /// Time steps that were timed together.
    pub time_steps: u32,
    /// Median time of one force evaluation.
    pub seconds: f64,
    /// Time of one time step.
    pub step_seconds: f64,
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Verified, and timed on hardware.
    Measured,
    /// Verified on the simulator; its time is a model's.
    Simulated,
    /// Its results are not what the reference says; nothing was timed.
    Wrong,
    /// It could not be compiled or run to the end.
    Failed,
    /// It cannot run here, for a reason that is not its fault.
    Skipped,
}

impl Row {
    /// A row that says only what became of the step.
    pub fn new(ladder: &str, step: &Step, outcome: Outcome, reason: Option<String>) -> Row {
        Row {
            ladder: ladder.to_owned(),
            step: step.name.to_owned(),
            title: step.title.to_owned(),
            changes: step.changes.to_owned(),
            after: step.after.map(str::to_owned),
            detour: step.detour,
            outcome,
            reason,
            device: None,
            time_source: None,
            code: None,
            n: None,
            seconds: None,
            step_seconds: None,
            interactions_per_second: None,
            times_parent: None,
            times_parent_n: None,
            times_first: None,
            error_rms: None,
            error_worst: None,
            tolerance: None,
            energy_drift: None,
            momentum_drift: None,
            samples: Vec::new(),
            also: Vec::new(),
        }
    }
}

impl Outcome {
    /// Its word in reports and tables.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Measured => "measured",
            Outcome::Simulated => "simulated",
            Outcome::Wrong => "wrong",
            Outcome::Failed => "failed",
            Outcome::Skipped => "skipped",
        }
    }

    /// Whether the step's results were verified and its times may be shown.
    pub fn is_verified(self) -> bool {
        matches!(self, Outcome::Measured | Outcome::Simulated)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}
