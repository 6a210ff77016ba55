//! What a ladder and its steps are, and how a step becomes a row of a report.
//!
//! A ladder is a problem ([`problem`]) and steps that are data ([`step`]); [`ladder`] hides which
//! problem. [`LadderRun`] takes a step along the way of the data:
//!
//! ```text
//! inputs        problem   from size and seed, or a file; with what the reference says of them
//!   └ pass      problem   on a device: upload, launches or host program, download, check
//!   └ verify    verify    at awkward sizes and at the timed one
//!   └ diagnose  diagnose  why results are wrong on a GPU: kernel, race or chip
//!   └ measure   measure   only what verified
//!   └ rounds    run       round by round with the other steps
//!   └ limits    limits    counted by the simulator, against what the chip could do
//!   └ row       run       measured, simulated, wrong, failed or skipped; [`message`] says why a reader's kernel is
//! report        record    rows, related to each other; the only source of numbers
//! ```
//!
//! Nothing here knows the name of a problem or a step.

pub mod arrays;
#[cfg(test)]
mod clockwork;
pub mod diagnose;
pub mod judge;
pub mod ladder;
pub mod limits;
pub mod measure;
pub mod message;
pub mod problem;
pub mod progress;
mod record;
pub mod residency;
pub mod round_trip;
pub mod run;
pub mod screening;
pub mod step;
pub mod testing;
#[cfg(test)]
mod toy;
pub mod variant;
pub mod verify;
pub mod workspace;

pub use ladder::{Ladder, OpenProblem, Steps};
pub use problem::Problem;
pub use progress::Progress;
pub use record::{machine, record, revision};
pub use run::{LadderRun, RunError};
pub use step::{Code, Grid, Launch, MOST_LINES, Step, Threads};
