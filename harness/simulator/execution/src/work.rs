//! Work that is compiled for each level of the CPU.

/// A small loop that is compiled for each [`Level`](crate::Level), because vector instructions speed it up.
pub trait Work {
    /// Its result.
    type Result;
    /// Runs the loop. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Result;
}
