//! What a step is doing, for whoever shows it.

use std::fmt;

/// What a step is doing now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// Its code is compiled or read, and loaded.
    Load {
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// Its results are compared with the reference.
    Verify {
        /// Problem size `n`.
        n: u64,
        /// What is compared, in the problem's words.
        what: &'static str,
    },
    /// It was wrong on a GPU: the case is repeated there and on the simulator.
    Diagnose {
        /// Problem size `n`.
        n: u64,
        /// What that may take, s.
        expected_seconds: f64,
    },
    /// It is tried, to choose a size.
    Pilot {
        /// Problem size `n`.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// It is verified at a size at which it is to be timed; where time is modelled, this is its time.
    Prepare {
        /// Problem size `n`.
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
        /// Number of rounds.
        rounds: u32,
        /// Problem size `n`.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// It is verified once more, after it was timed.
    Finish {
        /// Problem size `n`.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// It does what the problem's options ask of the last step.
    Conclude {
        /// Problem size `n`.
        n: u64,
        /// What that is expected to take, s.
        expected_seconds: f64,
    },
    /// The simulator counts what it executes.
    Count {
        /// Problem size `n`.
        n: u64,
    },
}

impl Progress {
    /// What it is expected to take, s; 0 where that is nothing next to any deadline.
    pub fn expected_seconds(&self) -> f64 {
        match self {
            Progress::Load { expected_seconds }
            | Progress::Diagnose { expected_seconds, .. }
            | Progress::Pilot { expected_seconds, .. }
            | Progress::Prepare { expected_seconds, .. }
            | Progress::Wait { expected_seconds }
            | Progress::Round { expected_seconds, .. }
            | Progress::Finish { expected_seconds, .. }
            | Progress::Conclude { expected_seconds, .. } => *expected_seconds,
            Progress::Verify { .. } | Progress::Count { .. } => 0.0,
        }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Progress::Load { .. } => write!(f, "load the code"),
            Progress::Verify { n, what } => write!(f, "verify {what} at n = {n}"),
            Progress::Diagnose { n, .. } => write!(f, "look for why n = {n} is wrong"),
            Progress::Pilot { n, .. } => write!(f, "try n = {n}"),
            Progress::Prepare { n, .. } => write!(f, "verify n = {n}, to be timed"),
            Progress::Wait { .. } => write!(f, "wait for another run on this device"),
            Progress::Round { round, rounds, n, .. } => {
                write!(f, "time n = {n}, round {round} of {rounds}")
            }
            Progress::Finish { n, .. } => write!(f, "verify n = {n} once more"),
            Progress::Conclude { n, .. } => write!(f, "compute the final state at n = {n}"),
            Progress::Count { n } => write!(f, "count events at n = {n}"),
        }
    }
}
