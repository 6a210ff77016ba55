//! What a step of a ladder is, and how it becomes a row of a report.
//!
//! A step is data ([`Step`]); [`Climb`] takes it along the way of the data:
//!
//! ```text
//! bodies        nbody     a seeded cluster or a file
//!   └ upload    nbody     in the step's layout; nbody::Simulation launches and downloads
//!   └ verify    verify    against the f64 reference, at awkward sizes and at the timed one
//!   └ measure   measure   only what verified
//!   └ rounds    climb     round by round beside the other steps'
//!   └ row       climb     measured, simulated, wrong, failed or skipped
//! report        record    rows, related to each other; the only source of numbers (crate `report`)
//! ```
//!
//! Nothing here knows the name of a step.

pub mod climb;
#[cfg(test)]
mod clockwork;
pub mod limits;
pub mod measure;
pub mod nbody;
pub mod progress;
pub mod record;
pub mod step;
pub mod variant;
pub mod verify;
pub mod workspace;

pub use climb::{Climb, ClimbError};
pub use progress::Progress;
pub use step::{
    ADVANCE_BLOCK, Code, Division, F32_BITS, Grid, Ladder, Launch, Layout, Parameters, Run,
    Scratch, Share, Step, Summed, Threads,
};
