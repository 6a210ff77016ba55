//! The program behind `cargo run -p harness`, as a library, so that the book draws the same tables.
//!
//! [`cli`] reads the command line and calls one file of [`commands`]; [`program`] is what the maintainers' program has in
//! common with it. A run goes: the crate `ladders` finds the
//! steps; a [`session`] has its [`folder`], one of
//! [`runs`] if none is named, and its report; [`worker`] climbs the steps in
//! another process ([`protocol`]), one run at a time on a GPU ([`device_lock`]); [`progress`] shows how far
//! it is; [`drawing`] makes the page and the pictures of what came out.
//!
//! The crate `launches` says what the simulator saw of launches, [`exec`] of those of a whole program. [`watch`] gives a verdict on a reader's kernel at each save; the
//! crate `teaching` gives them on the solutions of exercises. [`carried`] is what a released program has in it. [`scaling`] runs steps on several GPUs.
//! [`new`] writes the files of a new ladder or step.

// What a name says is not said again: only the book and the tests use the library.
#![allow(missing_docs)]

pub mod carried;
pub mod cli;
pub mod commands;
pub mod device_lock;
pub mod drawing;
pub mod exec;
pub mod folder;
pub mod new;
pub mod options;
pub mod program;
pub mod progress;
pub mod protocol;
pub mod runs;
pub mod scaling;
pub mod session;
pub mod watch;
pub mod worker;
