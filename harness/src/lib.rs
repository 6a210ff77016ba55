//! The program behind `cargo run -p harness`, as a library, so that the book draws the same tables.
//!
//! [`cli`] reads the command line and calls one file of [`commands`]. A run goes: [`names`] finds the
//! steps in [`ladders`]; a [`session`] has its folder and its report; [`worker`] climbs the steps in
//! another process ([`protocol`]), one run at a time on a GPU ([`turn`]); [`progress`] shows how far it
//! is; [`table`], [`summary`], [`plot`] and [`html`] show what came out.
//!
//! Reports are held against each other ([`compare`]), against rules of thumb ([`heuristics`]) and
//! against what was published ([`published`]), variants of a step against each other ([`tuning`]), a GPU against a CPU ([`against`]), speed against error
//! ([`accuracy`]); they are written for other programs ([`export`]).
//! [`explain`], [`events`] and [`accounting`] show what the simulator saw; [`validation`] holds that
//! against a chip. [`scaling`] runs steps on several GPUs.

pub mod accounting;
pub mod accuracy;
pub mod against;
pub mod cli;
pub mod commands;
pub mod compare;
pub mod count;
pub mod difference;
pub mod events;
pub mod explain;
pub mod export;
pub mod heuristics;
pub mod html;
pub mod ladders;
pub mod names;
pub mod output;
pub mod plot;
pub mod progress;
pub mod protocol;
pub mod published;
pub mod scaling;
pub mod session;
pub mod summary;
#[cfg(test)]
mod synthetic;
pub mod table;
pub mod tuning;
pub mod turn;
pub mod validation;
pub mod worker;
