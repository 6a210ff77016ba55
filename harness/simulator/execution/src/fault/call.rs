//! Failed assertions, stack overflows and invalid `free`s.

use std::fmt;

/// A failed `assert`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assertion {
    /// The expression that was false.
    pub expression: String,
    /// The source file, by the name that the compiler was given.
    pub file: String,
    /// Line in that file.
    pub line: u32,
    /// The function, with its parameters.
    pub function: String,
}

/// A call that does not fit on the stack of its thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackOverflow {
    /// The function that was called.
    pub function: String,
    /// Calls of the thread that are active.
    pub depth: usize,
    /// Size of the thread's stack in bytes.
    pub stack: u64,
    /// Bytes that the called function needs.
    pub frame: u64,
}

impl fmt::Display for StackOverflow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let StackOverflow { function, depth, stack, frame } = self;
        if *depth == 0 {
            return write!(
                f,
                "stack overflow: `{function}` needs {frame} bytes more than the rest of the thread's stack of {stack} bytes"
            );
        }
        write!(
            f,
            "stack overflow: `{function}` needs {frame} bytes, but {depth} active calls fill the \
             thread's stack of {stack} bytes"
        )
    }
}

/// An invalid `free` on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidFree {
    /// A double free.
    Twice {
        /// First address of the block.
        address: u64,
        /// Size of the block in bytes.
        bytes: u64,
        /// Where the block was allocated and freed.
        history: String,
    },
    /// An address that `malloc` never returned.
    Unknown {
        /// The address passed to `free`.
        address: u64,
        /// The heap block that contains the address, if there is one.
        inside: Option<String>,
    },
}

impl fmt::Display for InvalidFree {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            InvalidFree::Twice { address, bytes, history } => {
                write!(f, "double free: {address:#x} ({bytes} bytes) was {history}")
            }
            InvalidFree::Unknown { address, inside } => {
                write!(f, "invalid free: malloc() never returned {address:#x}")?;
                inside
                    .as_ref()
                    .map_or(Ok(()), |block| write!(f, ", which lies inside a block of {block}"))
            }
        }
    }
}
