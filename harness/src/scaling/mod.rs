//! How a step's speed grows with the number of GPUs: command `scale`.
//!
//! ```text
//! plan        which steps, on how many GPUs, with how many bodies
//!   └ worker  a process for each step and number of GPUs; a thread in it for each GPU
//!       └ rank    what a GPU does: meet the others, verify, take samples
//!   └ data    rows, related to the fastest step on one GPU: scaling.json
//!       └ text    the table
//! ```

pub mod data;
pub mod plan;
pub mod rank;
pub mod text;
pub mod worker;
