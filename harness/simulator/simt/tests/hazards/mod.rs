//! Kernels with hazards, which are found, and kernels without, which are clean.

mod allotment;
mod barriers;
mod clean;
mod copies;
mod fixture;
mod grid;
mod host;
mod ladder;
mod lanes;
mod mbarrier;
mod racy;
mod rows;
mod spin;
mod unwritten;
mod yardstick;
