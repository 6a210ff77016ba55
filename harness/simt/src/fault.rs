//! What can go wrong while a kernel runs, told as a sanitizer would tell it.

mod race;
mod remedy;

use std::fmt;

pub use race::{Deed, Party, Race, Reach};

/// A state space of PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// Any space: the address tells which.
    Generic,
    /// The device's memory.
    Global,
    /// A block's scratch memory.
    Shared,
    /// A thread's own memory.
    Local,
    /// Read-only memory that the host writes.
    Const,
    /// Parameters of a kernel or of a device function.
    Param,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "const",
            Space::Param => "param",
        })
    }
}

/// Why an access was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// The address lies in the first page: a null pointer, perhaps with an offset.
    Null,
    /// Not (wholly) inside any allocation.
    OutOfBounds,
    /// The address is no multiple of the access's size.
    Misaligned,
    /// A store to memory that a kernel may only read.
    ReadOnly,
}

/// The allocation nearest to a refused address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// Its name.
    pub name: String,
    /// Its first address.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
}

/// A refused access to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Why it was refused.
    pub problem: Problem,
    /// Whether it would have written.
    pub write: bool,
    /// The space that the instruction names.
    pub space: Space,
    /// Size of the access.
    pub bytes: u32,
    /// Its address in that space.
    pub address: u64,
    /// The nearest allocation, if there is any.
    pub nearest: Option<Nearest>,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let what = match self.problem {
            Problem::Null => "null pointer:",
            Problem::OutOfBounds => "out of bounds:",
            Problem::Misaligned => "misaligned:",
            Problem::ReadOnly => "read-only memory:",
        };
        let verb = if self.write { "write" } else { "read" };
        write!(
            f,
            "{what} {} {verb} of {} bytes at address {:#x}",
            self.space, self.bytes, self.address
        )?;
        let Some(nearest) = &self.nearest else {
            return write!(f, " (there is no {} memory)", self.space);
        };
        let end = nearest.address + nearest.bytes;
        let (name, bytes) = (&nearest.name, nearest.bytes);
        if self.address < nearest.address {
            let before = nearest.address - self.address;
            write!(f, ", {before} bytes before allocation `{name}` of {bytes} bytes")
        } else if self.address >= end {
            let after = self.address - end;
            write!(f, ", {after} bytes after the end of allocation `{name}` of {bytes} bytes")
        } else {
            let offset = self.address - nearest.address;
            write!(f, ", at offset {offset} of allocation `{name}` of {bytes} bytes")
        }
    }
}

/// A read of bytes that nothing has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uninitialised {
    /// Where the bytes are.
    pub space: Space,
    /// The variable or allocation, if known.
    pub name: Option<String>,
    /// The first of these bytes, from its beginning; without a name the address.
    pub offset: u64,
    /// Size of the access.
    pub bytes: u32,
}

impl fmt::Display for Uninitialised {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Uninitialised { space, name, offset, bytes } = self;
        write!(f, "uninitialised: {space} read of {bytes} bytes that nothing has written, ")?;
        match name {
            Some(name) => write!(f, "at offset {offset} of `{name}`"),
            None => write!(f, "at address {offset:#x}"),
        }
    }
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A memory access that is not allowed.
    Access(Access),
    /// A `trap` instruction, as a failed assertion executes it.
    Trap,
    /// Threads wait at a barrier that can never complete.
    Deadlock(String),
    /// Threads go round in circles and nothing changes any more.
    Livelock(String),
    /// Lanes go round in circles for what lanes of their own warp do after the loop, and those wait for them: before
    /// compute capability 7.0.
    WarpDeadlock(String),
    /// Only some lanes of a warp came to an instruction that all must execute together.
    PartialWarp(String),
    /// Two accesses that nothing orders.
    Race(Box<Race>),
    /// A read of what nothing has written.
    Uninitialised(Uninitialised),
    /// A barrier that only a part of a warp came to.
    DivergentBarrier(String),
    /// Threads of one block that came to different barriers at once.
    MixedBarrier(String),
}

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
        match &self.kind {
            FaultKind::Access(access) => write!(f, "{access}")?,
            FaultKind::Trap => write!(f, "the kernel executed `trap`")?,
            FaultKind::Deadlock(text) => write!(f, "deadlock: {text}")?,
            FaultKind::Livelock(text) => write!(f, "livelock: {text}")?,
            FaultKind::WarpDeadlock(text) => write!(f, "deadlock of a warp: {text}")?,
            FaultKind::PartialWarp(text) => write!(f, "a part of a warp: {text}")?,
            FaultKind::Race(race) => write!(f, "{race}")?,
            FaultKind::Uninitialised(read) => write!(f, "{read}")?,
            FaultKind::DivergentBarrier(text) => write!(f, "barrier in divergent code: {text}")?,
            FaultKind::MixedBarrier(text) => write!(f, "different barriers: {text}")?,
        }
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
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
    /// What to do about it.
    pub fn remedy(&self) -> String {
        remedy::remedy(self)
    }
}

impl std::error::Error for Fault {}
