//! The n-body workload: its bodies, their reference, and the host's side of every step.

mod bodies;

pub use bodies::Bodies;

/// Seed of the generated clusters.
pub const SEED: u64 = 7;

/// Length of a time step.
pub const DTIME: f32 = 0.025;

/// Square of the softening length 0.05: it keeps close encounters finite.
pub const EPSSQ: f32 = 0.0025;
