//! What the simulator saw, made readable: `events` shows one launch, `explain` compares two.
//!
//! [`running`] runs a step and gathers [`facts`], a launch as data, from which everything else is drawn: [`ratios`] of its
//! counts, [`bounds`] of its time, what is [`resident`], a [`timeline`]. [`compare`] sets the [`metrics`] of two side by
//! side, [`verdict`] puts the result into words, [`code`] and [`instructions`] show what differs in sources, PTX and machine
//! code, [`text`] holds it all, as data and for the terminal.

pub mod bounds;
mod classes;
mod code;
pub mod compare;
pub mod facts;
pub mod instructions;
mod metrics;
pub mod ratios;
pub mod resident;
pub mod running;
pub mod text;
pub mod timeline;
pub mod verdict;
