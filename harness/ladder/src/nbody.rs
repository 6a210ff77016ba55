//! The n-body workload: its bodies, their reference, and the host's side of every step.

mod bodies;
mod divided;
mod file;
pub mod host;
mod load;
mod plummer;
mod random;
mod reference;
pub mod ring;
mod simulation;
mod verification;

pub use bodies::Bodies;
pub use divided::Divided;
pub use file::{BodiesError, read, write};
pub use load::{load, threads};
pub use plummer::plummer;
pub use reference::Reference;
pub use simulation::{GRAPH_TIME_STEPS, Simulation, State, TimeSteps, bytes};
pub use verification::{random_vectors, sample, verification_bodies};

/// Seed of the generated clusters.
pub const SEED: u64 = 7;

/// Length of a time step.
pub const DTIME: f32 = 0.025;

/// Square of the softening length 0.05: it keeps close encounters finite.
pub const EPSSQ: f32 = 0.0025;
