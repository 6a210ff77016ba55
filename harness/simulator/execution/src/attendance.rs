//! Which lanes of a warp take part in the barrier of their cluster.

/// The lanes of a warp that take part in the barrier of their cluster.
#[derive(Debug, Clone, Copy, Default)]
pub struct Attendance {
    /// Those that have arrived in a phase that is not complete.
    pub(super) arrived: u32,
    /// Those whose phase is complete, and that have not waited for it.
    pub(super) passed: u32,
}
