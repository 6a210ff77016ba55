//! Lines of sources.

/// Where in a source an instruction comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The CUDA file, as the compiler was told its name; the PTX file where there is no line information.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}
