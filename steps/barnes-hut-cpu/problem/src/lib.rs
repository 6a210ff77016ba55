//! Barnes–Hut on the CPU: what its steps compute, and how that is judged.
//!
//! ```text
//! cube        space, halved along each axis again and again
//! moments     many bodies as one
//! step        what a step says of itself, and what its function is given
//! problem     sizes, reference, judge, figure of merit
//! ```
//!
//! Bodies, kinds of them that trees have trouble with, and θ are those of the ladder for GPUs, crate `barnes-hut`.
//!
//! The tree is a means: no step's tree is looked at. What shows whether it is right are accelerations with three opening
//! angles: so small that no cell is far, so large that the whole cluster acts as one body, and the one that is timed.

mod cube;
mod moments;
mod problem;
mod step;

pub use cube::{Cube, DEEPEST};
pub use moments::Moments;
pub use problem::BarnesHut;
pub use step::{Evaluation, Force, Step};
