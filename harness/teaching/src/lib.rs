//! Exercises, and what a class needs.
//!
//! ```text
//! learn       exercises: a kernel with a gap, a check that is the same on every machine, hints, progress
//! grade       the submissions of a class, each checked in a confined process
//! classroom   the files for automatic grading in a class's repositories
//! kit         an archive that builds and runs in a lab without network
//! ```
//!
//! Checks run on the simulator. A reader's file is compiled in a process of its own, so that a compiler that crashes or hangs
//! on it costs a verdict and no more. A file that a student handed in can reach nothing of the machine.
//!
//! ```
//! use teaching::learn::check::check;
//! use teaching::learn::exercise::{Exercise, find};
//! use teaching::learn::findings::Verdict;
//!
//! # fn main() -> anyhow::Result<()> {
//! let all = Exercise::all()?;
//! let guard = find(&all, "ptx-guard")?;
//! let verdict = check(guard, &guard.folder.join("solution.ptx"), 1)?; // data drawn from seed 1
//! assert!(matches!(verdict, Verdict::Passed(_)));
//! # Ok(())
//! # }
//! ```

pub mod classroom;
pub mod grade;
pub mod kit;
pub mod learn;
