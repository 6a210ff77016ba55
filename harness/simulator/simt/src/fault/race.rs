//! What a race looks like: two accesses that nothing orders.

use crate::space::Space;

/// What a thread did to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// It read.
    Read,
    /// It wrote.
    Write,
    /// An atomic operation.
    Atomic,
}

impl std::fmt::Display for Deed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Deed::Read => "read",
            Deed::Write => "write",
            Deed::Atomic => "atomic",
        })
    }
}

/// One side of a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// What it did.
    pub deed: Deed,
    /// Line in the PTX.
    pub line: u32,
    /// File and line in the CUDA source, where the PTX carries line information.
    pub cuda: Option<(String, u32)>,
    /// Its block.
    pub block: [u32; 3],
    /// The thread in its block.
    pub thread: [u32; 3],
}

/// How close the two sides of a race are: that decides what would order them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Lanes of one warp in one instruction.
    Instruction,
    /// Lanes of one warp.
    Warp,
    /// Warps of one block.
    Block,
    /// Two blocks.
    Grid,
}

/// Two accesses to the same bytes, at least one of them a write, and nothing between them that orders them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Race {
    /// Where the bytes are.
    pub space: Space,
    /// The variable or allocation, if known.
    pub name: Option<String>,
    /// Bytes from its beginning; without a name the address.
    pub offset: u64,
    /// How close the two are.
    pub reach: Reach,
    /// The side that comes first in the program, as far as that is known.
    pub first: Party,
    /// The other.
    pub second: Party,
    /// Whether `second` comes before `first` again in the next pass of a loop.
    pub around: bool,
}

impl std::fmt::Display for Race {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            f,
            "race: {} and {} of the same bytes of {} memory",
            self.first.deed, self.second.deed, self.space
        )?;
        match &self.name {
            Some(name) => write!(f, ", at offset {} of `{name}`", self.offset)?,
            None => write!(f, ", at address {:#x}", self.offset)?,
        }
        f.write_str(match self.reach {
            Reach::Instruction => "; two lanes write different values at once, and either may win",
            Reach::Warp => "; they are lanes of one warp, and nothing orders them",
            Reach::Block => "; they are in different warps, and nothing orders them",
            Reach::Grid => "; they are in different blocks, and nothing orders those",
        })
    }
}
