//! How a step's speed grows with the number of GPUs: command `scale`.
//!
//! ```text
//! plan        which steps, on how many GPUs, at which sizes
//! task        a run: one step after the other
//!   └ worker  a process for each step and number of GPUs; a thread in it for each GPU
//!       └ rank    what a GPU does: meet the others, verify, take samples
//!           └ predict  what exchanges would take where ranks take turns on fewer GPUs
//! ```
//!
//! What is finished is in [`kept`]. Rows are related to the fastest step on one GPU by [`report::scaling`].

pub mod kept;
pub mod plan;
pub mod predict;
pub mod rank;
pub mod task;
pub mod worker;
