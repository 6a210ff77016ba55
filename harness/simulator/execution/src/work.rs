//! Work that is compiled for each level of the CPU.

/// A small loop that is worth to be compiled for each level.
pub trait Work {
    /// What comes of it.
    type Result;
    /// Does it; always inlined.
    fn run(self) -> Self::Result;
}
