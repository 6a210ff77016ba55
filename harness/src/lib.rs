//! The program behind `cargo run -p harness`, as a library, so that the book shows the same text and the maintainers' program
//! shares what it has.
//!
//! ```text
//! cli              the command line; calls one file of `commands` for each command
//! options          options that several commands have
//! program          what the maintainers' program has in common with this one
//! carried          the files in a released program
//!
//! session          a run of a ladder, from its request to its report
//!  ├ folder, runs  where its report goes, and the reports that are there
//!  ├ worker        follows another process that takes the steps; `protocol` is what it says
//!  ├ device_lock   one run at a time on a device
//!  ├ progress      how far it is
//!  └ drawing       the page and the pictures of a report
//! scaling          a run on several GPUs
//! exec             runs a whole CUDA program on the simulator
//! watch            a verdict on a reader's kernel at each save
//! learn            exercises at a terminal or in a pipe
//! sanitize         runs a reader's kernel under compute-sanitizer on a GPU
//! spinner          what is done just now
//! new              writes the files of a new ladder or step
//! ```
//!
//! The crates below it have the rest: `ladders` finds ladders and steps by name, `launches` says what the simulator saw of
//! launches, `teaching` checks exercises and grades classes, `processes` starts and confines processes, `ui` has what is
//! printed and typed.

pub mod carried;
pub mod cli;
pub mod commands;
pub mod device_lock;
pub mod drawing;
pub mod exec;
pub mod folder;
pub mod learn;
pub mod new;
pub mod options;
pub mod program;
pub mod progress;
pub mod protocol;
pub mod runs;
pub mod sanitize;
pub mod scaling;
pub mod session;
pub mod spinner;
pub mod watch;
pub mod worker;
