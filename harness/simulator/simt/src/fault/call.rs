//! What can go wrong with calls: of functions, of `assert`, of `free`.

use std::fmt;

/// An assertion that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assertion {
    /// What was to be true.
    pub expression: String,
    /// The source file, as the compiler was told its name.
    pub file: String,
    /// The line there.
    pub line: u32,
    /// The function, with its parameters.
    pub function: String,
}

/// A call for which a thread's stack had no room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overflow {
    /// The function that was called.
    pub function: String,
    /// Calls in progress.
    pub depth: usize,
    /// Bytes of the stack.
    pub stack: u64,
    /// Bytes that the function needs.
    pub frame: u64,
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Overflow { function, depth, stack, frame } = self;
        write!(
            f,
            "stack overflow: `{function}` needs {frame} bytes, and {depth} calls in progress have used up \
             the thread's {stack}"
        )
    }
}

/// A `free` of what is no block of the device's heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadFree {
    /// It was freed before, and where.
    Twice {
        /// The address.
        address: u64,
        /// Its size.
        bytes: u64,
        /// Where it was allocated and freed.
        history: String,
    },
    /// No call of `malloc` gave this address.
    Unknown {
        /// The address.
        address: u64,
        /// The block of the heap in which it lies, if it lies in one.
        inside: Option<String>,
    },
}

impl fmt::Display for BadFree {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BadFree::Twice { address, bytes, history } => {
                write!(f, "double free: of {address:#x}, {bytes} bytes, {history}")
            }
            BadFree::Unknown { address, inside } => {
                write!(f, "free of {address:#x}, which malloc() did not give")?;
                inside.as_ref().map_or(Ok(()), |block| write!(f, "; it is inside of {block}"))
            }
        }
    }
}
