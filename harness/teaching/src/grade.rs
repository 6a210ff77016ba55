//! Grades the submissions of a class: each check in a confined process of its own.
//!
//! ```text
//! class        what is graded, with which hidden data, for how many points
//! students     whose the folders and files are that a learning platform exported
//! archive      the files in a .zip or .tar.gz, as far as they are harmless
//! kept         what is kept of a student's files, and how much at most
//! submission   a student's files, and which of them is for an exercise
//! grades       the rows: points and reasons; kept after each, so that a run goes on where the last one ended
//! child        a check in a confined process
//! queue        all checks, several at a time
//! tables, junit, page   the rows for a terminal, a gradebook, a CI system, a student
//! ```

mod archive;
pub mod child;
pub mod class;
pub mod grades;
pub mod junit;
mod kept;
pub mod page;
pub mod queue;
pub mod students;
mod submission;
pub mod tables;
