//! The range of a result.

/// What is done to results out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clamp {
    /// Results stay as they are.
    None,
    /// `.sat`
    Unit,
    /// `.relu`
    Positive,
}
