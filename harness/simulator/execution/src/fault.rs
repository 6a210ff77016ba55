//! Faults and hazards of a running kernel, reported like those of compute-sanitizer.

mod access;
mod call;
mod early;
mod kind;
mod race;
mod remedy;

use std::fmt;

use program::Proxied;
use ptx::Origin;

pub use access::{AccessError, InvalidAccess, Overrun, Uninitialised};
pub use call::{Assertion, InvalidFree, StackOverflow};
pub use early::EarlyRead;
pub use kind::{FaultKind, Unwaited};
pub use race::{AccessKind, Missing, Race, RaceScope, RacingAccess};

/// Why a kernel was stopped, and where; or a hazard in one that ran on ([`Fault::is_hazard`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The kernel's name.
    pub kernel: String,
    /// The name under which the PTX was parsed.
    pub file: String,
    /// Line in the PTX.
    pub line: u32,
    /// Where the CUDA source has it, if the PTX has line information.
    pub cuda: Option<Origin>,
    /// Index of the block in the grid.
    pub block: [u32; 3],
    /// Index of the thread in its block.
    pub thread: [u32; 3],
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        match &self.kind {
            // As CUDA prints it.
            FaultKind::Assertion(Assertion { expression, file, line, function }) => write!(
                f,
                "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] \
                 Assertion `{expression}` failed."
            )?,
            kind => write!(f, "{kind}")?,
        }
        write!(f, "\n  in kernel `{}` at {}:{}", self.kernel, self.file, self.line)?;
        if let Some(origin) = &self.cuda {
            write!(f, " ({origin})")?;
        }
        write!(f, "\n  by thread ({tx},{ty},{tz}) of block ({bx},{by},{bz})")?;
        let other = match &self.kind {
            FaultKind::Race(race) => {
                Some((format!("conflicts with the {}", race.first.kind), &race.first))
            }
            FaultKind::EarlyRead(read) => {
                read.flag.as_ref().map(|flag| ("before the flag".to_owned(), flag))
            }
            _ => None,
        };
        if let Some((what, RacingAccess { line, cuda, block, thread, .. })) = other {
            write!(f, "\n  {what} at {}:{line}", self.file)?;
            if let Some(origin) = cuda {
                write!(f, " ({origin})")?;
            }
            let ([bx, by, bz], [tx, ty, tz]) = (block, thread);
            write!(f, "\n  by thread ({tx},{ty},{tz}) of block ({bx},{by},{bz})")?;
        }
        write!(f, "\n  to do: {}", self.remedy())
    }
}

impl Fault {
    /// Whether it may go unnoticed on a GPU, because the results can be right by chance.
    pub fn is_hazard(&self) -> bool {
        matches!(
            self.kind,
            FaultKind::Race(_)
                | FaultKind::Uninitialised(_)
                | FaultKind::UndefinedRegister
                | FaultKind::Overrun(_)
                | FaultKind::DivergentBarrier(_)
                | FaultKind::InvalidLanes(_)
                | FaultKind::MixedBarrier(_)
                | FaultKind::EarlyRead(_)
                | FaultKind::EarlyExit(_)
                | FaultKind::Unfinished(_)
                | FaultKind::Registers { .. }
                | FaultKind::Overwritten(_)
                | FaultKind::Unwaited(..)
                | FaultKind::MissingProxyFence(..)
        )
    }

    /// Whether it is one by the PTX memory model only: a ticket is taken by an atomic, and a barrier but no fence comes before
    /// what it announces is read, as in NVIDIA's sample threadFenceReduction; or a thread of the same block reads a flag
    /// without a fence after it; or copies arrive at an `mbarrier` that was initialised before a barrier and not fenced, as in
    /// a tutorial of NVIDIA's CuTe; or one lane arrives for its warp after all have read, as in a public product of FP8; or all lanes
    /// of a warp initialise an `mbarrier` at once; or a block ends while a copy still sends its shared memory, as in DeepGEMM. The
    /// GPUs of today get all of these right.
    pub fn is_of_model_only(&self) -> bool {
        match &self.kind {
            FaultKind::Race(race) => {
                let is_near = !matches!(race.scope, RaceScope::Cluster | RaceScope::Grid);
                matches!(race.missing, Missing::AcquireOfTicket | Missing::Election)
                    || matches!(race.missing, Missing::Acquire | Missing::OrderOfLanes) && is_near
            }
            FaultKind::MissingProxyFence(Proxied::Barriers, _)
            | FaultKind::Unwaited(Unwaited::Sent, _) => true,
            _ => false,
        }
    }

    /// How to mend it, for the line `to do:` of the message.
    pub fn remedy(&self) -> String {
        remedy::remedy(&self.kind, &self.file)
    }
}

impl std::error::Error for Fault {}
