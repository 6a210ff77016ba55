//! Accesses to memory that are refused, and reads of what nothing has written.

use std::fmt;

use super::race::Deed;
use crate::space::Space;

/// Why an access was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// The address lies in the first page: a null pointer, perhaps with an offset.
    Null,
    /// Not (wholly) inside any allocation.
    OutOfBounds,
    /// The address is no multiple of the access's size.
    Misaligned,
    /// In a block of the device's heap that was freed.
    Freed,
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
            Problem::Freed => "use after free:",
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

/// An access by way of one array in shared memory that leaves it, and stays inside of the block's shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overrun {
    /// What it does.
    pub deed: Deed,
    /// Size of the access.
    pub bytes: u32,
    /// Its first byte, from the beginning of the array.
    pub offset: i64,
    /// The array's name.
    pub array: String,
    /// The array's size.
    pub array_bytes: u64,
    /// The array that it hits in place of it, and the offset there, if it begins in one.
    pub hit: Option<(String, u64)>,
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Overrun { deed, bytes, offset, array, array_bytes, hit } = self;
        write!(
            f,
            "overrun: shared {deed} of {bytes} bytes at offset {offset} of `{array}`, which has {array_bytes} bytes"
        )?;
        match hit {
            Some((name, at)) => write!(f, "; it hits `{name}` at offset {at}"),
            None => Ok(()),
        }
    }
}
