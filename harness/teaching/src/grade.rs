//! Grades the submissions of a class: each check in a confined process of its own.
//!
//! ```text
//! class        what is graded, with which hidden data, for how many points
//! ├ late       what late submissions lose
//! └ marks      points and comments by hand
//! students     whose the folders and files are that a learning platform exported
//! archive      the files in a .zip or .tar.gz, as far as they are harmless
//! kept         what is kept of a student's files, and how much at most
//! submission   a student's files, and which of them is for an exercise
//! grades       the rows: points and reasons; kept after each, so that a run goes on where the last one ended
//! child        a check in a confined process
//! task         an exercise of the class, checked and paid
//! queue        all checks, several at a time
//! shard        a part of a class for an array job, and how parts are joined
//! written      all that is drawn from the rows:
//! ├ tables, gradebooks, junit    for a terminal, a gradebook (also Canvas's and Moodle's), a CI system
//! ├ page, class_page, document   for a student, for the instructor, and the frame of both
//! ├ similar, similar_page        which submissions are alike
//! └ ranking                      the class's kernels by their counted cost, if the class wants that
//! clean        text of strangers that every file can hold, and students' may read
//! ```

mod archive;
pub mod child;
pub mod class;
mod class_page;
mod clean;
pub mod comparison;
mod document;
pub mod gradebooks;
pub mod grades;
pub mod junit;
mod kept;
pub mod late;
pub mod marks;
pub mod page;
pub mod queue;
pub mod ranking;
pub mod shard;
pub mod short;
mod similar;
mod similar_page;
pub mod students;
mod submission;
pub mod tables;
pub mod task;
pub mod written;
