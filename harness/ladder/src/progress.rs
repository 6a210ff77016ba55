//! What a step is doing, for whoever shows it.

use std::fmt;

/// What a step has begun to do.
#[derive(Debug, Clone, Copy, PartialEq)]
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
    /// It is tried, to choose a size.
    Pilot {
        /// Bodies.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// It is verified at a size at which it is to be timed; where time is modelled, this is its time.
    Prepare {
        /// Bodies.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// Another run times on the same GPU, or the same CPU: it waits for its turn.
    Wait {
        /// What that may take, s.
        expected_seconds: f64,
    },
    /// It is timed.
    Round {
        /// The round, from 1.
        round: u32,
        /// All rounds.
        rounds: u32,
        /// Bodies.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// It is verified once more, after it was timed.
    Finish {
        /// Bodies.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// Its final state is computed and saved.
    Save {
        /// Bodies.
        n: u64,
        /// Time steps.
        time_steps: u32,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// The simulator counts what it executes.
    Count {
        /// Bodies.
        n: u64,
    },
}

impl Progress {
    /// What it is expected to take, s; 0 where that is nothing beside any deadline.
    pub fn expected_seconds(&self) -> f64 {
        match self {
            Progress::Pilot { expected_seconds, .. }
            | Progress::Prepare { expected_seconds, .. }
            | Progress::Wait { expected_seconds }
            | Progress::Round { expected_seconds, .. }
            | Progress::Finish { expected_seconds, .. }
            | Progress::Save { expected_seconds, .. } => *expected_seconds,
            Progress::Load
            | Progress::Verify { .. }
            | Progress::VerifyTimeSteps { .. }
            | Progress::Count { .. } => 0.0,
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
            Progress::Pilot { n, .. } => write!(f, "try n = {n}"),
            Progress::Prepare { n, .. } => write!(f, "verify n = {n}, to be timed"),
            Progress::Wait { .. } => write!(f, "wait for another run on this device"),
            Progress::Round { round, rounds, n, .. } => {
                write!(f, "time n = {n}, round {round} of {rounds}")
            }
            Progress::Finish { n, .. } => write!(f, "verify n = {n} once more"),
            Progress::Save { n, time_steps, .. } => {
                write!(f, "save n = {n} after {time_steps} time steps")
            }
            Progress::Count { n } => write!(f, "count events at n = {n}"),
        }
    }
}
