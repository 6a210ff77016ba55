//! How the lanes of a warp are scheduled.

use std::fmt;
use std::str::FromStr;

/// How the lanes of a diverged warp are scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Scheduling {
    /// Independent thread scheduling, as since compute capability 7.0: every thread makes progress.
    #[default]
    Independent,
    /// As before 7.0: lanes that left a loop wait for the rest of their warp, and a barrier counts whole warps.
    Lockstep,
}

/// A text that names no scheduling.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no scheduling is called `{0}`; write independent (compute capability 7.0 and later) or lockstep (before)"
)]
pub struct UnknownScheduling(String);

impl FromStr for Scheduling {
    type Err = UnknownScheduling;

    fn from_str(text: &str) -> Result<Scheduling, UnknownScheduling> {
        match text {
            "independent" => Ok(Scheduling::Independent),
            "lockstep" => Ok(Scheduling::Lockstep),
            _ => Err(UnknownScheduling(text.to_string())),
        }
    }
}

impl fmt::Display for Scheduling {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Scheduling::Independent => "independent",
            Scheduling::Lockstep => "lockstep",
        })
    }
}
