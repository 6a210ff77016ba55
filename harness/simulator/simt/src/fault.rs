//! What can go wrong while a kernel runs, told as a sanitizer would tell it.

mod access;
mod call;
mod kind;
mod race;
mod remedy;

use std::fmt;

pub use access::{Access, Nearest, Overrun, Problem, Uninitialised};
pub use call::{Assertion, BadFree, Overflow};
pub use kind::FaultKind;
pub use race::{Deed, Party, Race, Reach};

/// A kernel was stopped, and where.
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
    /// File and line in the CUDA source, where the PTX carries line information.
    pub cuda: Option<(String, u32)>,
    /// The thread's block.
    pub block: [u32; 3],
    /// The thread in its block.
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
        if let Some((file, line)) = &self.cuda {
            write!(f, " ({file}:{line})")?;
        }
        write!(f, "\n  by thread ({tx},{ty},{tz}) of block ({bx},{by},{bz})")?;
        if let FaultKind::Race(race) = &self.kind {
            let Party { deed, line, cuda, block, thread } = &race.first;
            write!(f, "\n  against the {deed} at {}:{line}", self.file)?;
            if let Some((file, line)) = cuda {
                write!(f, " ({file}:{line})")?;
            }
            let ([bx, by, bz], [tx, ty, tz]) = (block, thread);
            write!(f, "\n  by thread ({tx},{ty},{tz}) of block ({bx},{by},{bz})")?;
        }
        write!(f, "\n  to do: {}", self.remedy())
    }
}

impl Fault {
    /// Whether it may go unnoticed on a GPU: the results can be right by chance.
    pub fn is_hazard(&self) -> bool {
        matches!(
            self.kind,
            FaultKind::Race(_)
                | FaultKind::Uninitialised(_)
                | FaultKind::Overrun(_)
                | FaultKind::DivergentBarrier(_)
                | FaultKind::Exchange(_)
                | FaultKind::MixedBarrier(_)
        )
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        remedy::remedy(&self.kind, &self.file)
    }
}

impl std::error::Error for Fault {}
