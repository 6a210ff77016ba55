//! What the lane loops are compiled for.

/// What a build may use.
pub trait Isa {
    /// Whether the code is compiled with fused multiply-add instructions.
    const FUSED: bool;
}
