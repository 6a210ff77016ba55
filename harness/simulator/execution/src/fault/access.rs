//! Invalid memory accesses, reads of uninitialised memory, and overruns of arrays in shared memory.

use std::fmt;

use super::race::AccessKind;
use memory::NearestAllocation;
use ptx::Space;
use ptx::space::{RANK_BYTES, WINDOW_BYTES};

/// Why an access is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessError {
    /// The address lies in the first page, as those of a null pointer plus an offset do.
    Null,
    /// Not, or only partly, inside an allocation.
    OutOfBounds,
    /// The address is not a multiple of the size of the access.
    Misaligned,
    /// Inside a freed block of the device's heap.
    Freed,
    /// The shared memory of a block that has exited.
    Exited,
    /// The shared memory of a block that the cluster does not have.
    NoBlock,
    /// A store to read-only memory.
    ReadOnly,
}

/// A memory access that a GPU would refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidAccess {
    /// Why it is invalid.
    pub error: AccessError,
    /// Whether it is a store or an atomic.
    pub write: bool,
    /// The state space that the instruction names.
    pub space: Space,
    /// Size of the access in bytes.
    pub bytes: u32,
    /// Address in that space.
    pub address: u64,
    /// The nearest allocation of the space, if it has one.
    pub nearest: Option<NearestAllocation>,
}

impl fmt::Display for InvalidAccess {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let what = match self.error {
            AccessError::Null => "null pointer:",
            AccessError::OutOfBounds => "out of bounds:",
            AccessError::Misaligned => "misaligned:",
            AccessError::Freed => "use after free:",
            AccessError::ReadOnly => "read-only memory:",
            AccessError::Exited => "block has exited:",
            AccessError::NoBlock => "no such block in the cluster:",
        };
        let verb = if self.write { "write" } else { "read" };
        write!(
            f,
            "{what} {} {verb} of {} bytes at address {:#x}",
            self.space, self.bytes, self.address
        )?;
        if self.error == AccessError::NoBlock {
            let rank = (self.address % WINDOW_BYTES / RANK_BYTES).saturating_sub(1);
            return write!(f, ", which names rank {rank}");
        }
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

/// A read of uninitialised memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uninitialised {
    /// The state space of the bytes.
    pub space: Space,
    /// The variable or allocation, if known.
    pub name: Option<String>,
    /// Offset of the first such byte in it; its address if there is no name.
    pub offset: u64,
    /// Size of the access in bytes.
    pub bytes: u32,
}

impl fmt::Display for Uninitialised {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Uninitialised { space, name, offset, bytes } = self;
        write!(f, "uninitialised: {space} read of {bytes} bytes that were never written, ")?;
        match name {
            // The thread's local memory is no array.
            Some(name) if *space == Space::Local => write!(f, "at offset {offset} of {name}"),
            Some(name) => {
                write!(f, "at offset {offset} of `{name}`")?;
                let size = u64::from(*bytes);
                if offset % size == 0 {
                    write!(f, " (`{name}[{}]` for {size}-byte elements)", offset / size)?;
                }
                Ok(())
            }
            None => write!(f, "at address {offset:#x}"),
        }
    }
}

/// An access through the name of one array in shared memory that lies outside that array, but still in the block's shared
/// memory, so that hardware does not refuse it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overrun {
    /// Read, write or atomic.
    pub access: AccessKind,
    /// Size of the access in bytes.
    pub bytes: u32,
    /// Offset of the first byte from the beginning of the array, in bytes.
    pub offset: i64,
    /// Name of the array.
    pub array: String,
    /// Size of the array in bytes.
    pub array_bytes: u64,
    /// The array that it hits instead, and the offset there in bytes.
    pub hit: Option<(String, u64)>,
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Overrun { access, bytes, offset, array, array_bytes, hit } = self;
        write!(
            f,
            "overrun: shared {access} of {bytes} bytes at offset {offset} of `{array}`, which has {array_bytes} bytes"
        )?;
        match hit {
            Some((name, at)) => write!(f, "; it hits `{name}` at offset {at}"),
            None => Ok(()),
        }
    }
}
