//! What is counted of every launch.

/// How often one basic block ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockCount {
    /// Executions by warps; a part of a diverged warp counts as one.
    pub executions: u64,
    /// Active threads, summed over the executions.
    pub lanes: u64,
}
