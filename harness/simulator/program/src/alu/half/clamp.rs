//! The range of a result.

/// What is done to results out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clamp {
    /// They stay.
    None,
    /// `.sat`
    Unit,
    /// `.relu`
    Positive,
}
