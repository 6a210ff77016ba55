//! What a step is doing, for whoever shows it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a step has begun to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "phase")]
pub enum Progress {
    /// Its code is compiled or read, and loaded.
    Load,
    /// Its accelerations are compared with the reference.
    Verify {
        /// Bodies.
        n: u64,
    },
    /// Its positions and velocities after some time steps are compared with the reference.
    VerifyTimeSteps {
        /// Bodies.
        n: u64,
        /// Time steps.
        time_steps: u32,
    },
    /// It is timed at a small size, to choose one.
    Pilot {
        /// Bodies.
        n: u64,
    },
    /// It is timed.
    Measure {
        /// Bodies.
        n: u64,
    },
    /// Many time steps are timed together.
    TimeSteps {
        /// Bodies.
        n: u64,
        /// Time steps.
        time_steps: u32,
    },
    /// Its final state is computed and saved.
    Save {
        /// Bodies.
        n: u64,
        /// Time steps.
        time_steps: u32,
    },
}

impl Progress {
    /// Seconds after which a step that has begun this and has not gone on is taken to hang;
    /// `None` where it may take as long as it takes.
    ///
    /// One verification takes the slowest step four seconds on the simulator with one core.
    pub fn patience_seconds(&self) -> Option<u64> {
        match self {
            Progress::Verify { .. } | Progress::VerifyTimeSteps { .. } => Some(60),
            _ => None,
        }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Progress::Load => write!(f, "load the code"),
            Progress::Verify { n } => write!(f, "verify n = {n}"),
            Progress::VerifyTimeSteps { n, time_steps } => {
                write!(f, "verify {time_steps} time steps at n = {n}")
            }
            Progress::Pilot { n } => write!(f, "try n = {n}"),
            Progress::Measure { n } => write!(f, "time n = {n}"),
            Progress::TimeSteps { n, time_steps } => {
                write!(f, "time {time_steps} time steps at n = {n}")
            }
            Progress::Save { n, time_steps } => {
                write!(f, "save n = {n} after {time_steps} time steps")
            }
        }
    }
}
