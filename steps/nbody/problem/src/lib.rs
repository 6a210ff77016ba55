//! The n-body problem: bodies, their forces in f64, and the host's side of every step, for the ladders
//! `nbody` and `cpu`.
//!
//! ```text
//! bodies, plummer, file    where bodies come from
//! constants                what they are moved with
//! step                     what a step says of itself, as data
//! simulation               a step on a device: memory in its layout, launches, time steps
//! divided                  the same on one of several GPUs
//! rust, cpu                functions on the CPU, called as kernels are launched
//! reference, tolerance     forces in f64, and how far f32 may be from them
//! verify                   inputs that show every mistake, and the judgement of what came out
//! problem, pass            all that as a problem of a ladder
//! ```

mod bodies;
mod constants;
#[expect(unsafe_code, reason = "calls functions in C")]
mod cpu;
mod divided;
mod file;
mod floor;
mod pass;
mod plummer;
mod problem;
mod random;
mod reference;
pub mod ring;
pub mod rust;
mod simulation;
pub mod step;
mod tolerance;
pub mod verify;

pub use bodies::{Bodies, OutOfRange};
pub use constants::{Constants, DTIME, EPSSQ};
pub use divided::Divided;
pub use file::{BodiesError, read, write};
pub use ladder::problem::SEED;
pub use plummer::plummer;
pub use problem::{Nbody, figure};
pub use reference::Reference;
pub use simulation::{Simulation, State, TimeSteps, bytes};
pub use step::{
    ADVANCE_BLOCK, DIVIDED, Division, GRAPH_TIME_STEPS, Host, Layout, Parameters, Run, Scratch,
    Share, Step, Summed,
};
pub use tolerance::{Allowed, Arithmetic, Precision, Pulls, Sum, Terms};
