//! Lines of sources.

use std::fmt;

/// Where in a source an instruction comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The CUDA file, as the compiler was told its name; the PTX file where there is no line information.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Where in its own source a kernel has an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The line in the file that has the kernel, or in that of a function which was not inlined.
    pub at: Line,
    /// The line of another file, such as a header, whose function the compiler inlined there.
    pub inlined: Option<Line>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.at)?;
        match &self.inlined {
            Some(inlined) => write!(f, ", in code inlined from {inlined}"),
            None => Ok(()),
        }
    }
}
