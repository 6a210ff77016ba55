//! What a step of a ladder is, how it is run, verified, timed and recorded.
//!
//! The way of the data: bodies (a seeded cluster or a file, [`nbody`]) → a step's upload in its
//! [`step::Layout`] → launches on a device → download → verification against f64 → times of what
//! verified → a [`report::Row`] → [`report::Report`].

pub mod files;
pub mod nbody;
pub mod report;
pub mod request;
pub mod statistics;
pub mod step;
pub mod verify;
pub mod workspace;

pub use request::{Replacement, Request};
pub use step::{Ladder, Layout, Parameters, Step, Threads};
