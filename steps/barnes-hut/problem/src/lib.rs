//! The Barnes–Hut problem: bodies, a tree of cells over them, and forces by that tree.
//!
//! ```text
//! inputs      bodies: clusters, and places that are hard on a tree
//! values      the numbers that a time step runs with
//! array       what arrays a step has, as data       downloaded  those arrays on the host
//! step        what a step says of itself, as data: launches, how its tree is read
//! tutorial    arrays and launches of the steps whose tree is linked: one body a leaf, cells downwards
//! keyed       those of the steps whose tree follows from sorted keys: leaves of up to sixteen, nodes level by level
//! defect      what is wrong with what a kernel left
//! case        inputs of one size with direct sums in f64
//! memory      the arrays of a step on a device
//! moments     sums over the bodies of a node, in f64
//! tree        the tree that a step left, checked cell by cell
//! walk        a step's walk through it once more, in f64
//! trajectory  time steps in f64
//! judge       what came out, held against all that
//! share       which of several GPUs has which bodies
//! pass        a case on a device              shared     on one GPU of several, whose bodies all have
//!                                             forest     on one that has bodies of its own
//! alone       kernels of a step by themselves, with more bodies
//! problem     all that as a problem of a ladder
//! ```
//!
//! A pass is one time step: every launch of the step. It begins with positions x and with velocities v that are half a
//! time step behind them, as a leapfrog has them; it leaves accelerations a of those positions, then v + a·dt and
//! x + (v + a·dt)·dt. G is 1.

mod alone;
pub mod array;
mod case;
mod defect;
mod downloaded;
mod forest;
pub mod inputs;
pub mod judge;
mod kept;
pub mod keyed;
mod memory;
mod moments;
mod pass;
mod problem;
mod share;
mod shared;
pub mod step;
mod trajectory;
pub mod tree;
pub mod tutorial;
mod values;
pub mod walk;

pub use case::renumbered;
pub use defect::Defect;
pub use judge::percentile;
pub use problem::{BarnesHut, theta};
pub use step::{Host, Step};
pub use values::ErrorLimit;
