//! Why a step did not verify.

use crate::judge::Mismatch;
use crate::problem::Failed;

/// Why a step did not verify.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It ran, and its results are wrong.
    #[error("{0}")]
    Wrong(Mismatch),
    /// The clock that timed it is wrong.
    #[error("{0}")]
    Clock(String),
    /// It was faster than anything that does the work can be.
    #[error(
        "impossible: a {pass} at n = {n} took {seconds:.3e} s, and none can take less than \
         {floor:.3e} s on {chip}: does it leave out work when nobody looks?"
    )]
    Impossible {
        /// What was timed.
        pass: String,
        /// Problem size `n`.
        n: u64,
        /// The shortest sample, s.
        seconds: f64,
        /// The least time that is possible, s.
        floor: f64,
        /// The GPU, or the CPU.
        chip: String,
    },
    /// It was faster over inputs that it knew than over new ones.
    #[error(
        "at n = {n} it takes {new:.3e} s over new inputs and {old:.3e} s over those of the launch \
         before: does it keep results? Every launch must compute all of them"
    )]
    Kept {
        /// Problem size `n`.
        n: u64,
        /// The shortest time over new inputs, s.
        new: f64,
        /// The shortest time over inputs that were used before, s.
        old: f64,
    },
    /// It did not run to the end.
    #[error(transparent)]
    Device(#[from] device::Error),
}

impl From<toolchain::Error> for Failure {
    fn from(error: toolchain::Error) -> Failure {
        Failure::Device(error.into())
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Failure {
        match failed {
            Failed::Wrong(wrong) => Failure::Wrong(wrong),
            Failed::Device(error) => Failure::Device(error),
        }
    }
}

impl From<Mismatch> for Failure {
    fn from(wrong: Mismatch) -> Failure {
        Failure::Wrong(wrong)
    }
}
