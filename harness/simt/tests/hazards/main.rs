//! What is told of kernels with hazards, and that nothing is told of kernels without.

mod barriers;
mod clean;
mod copies;
mod fixture;
mod grid;
mod ladder;
mod lanes;
mod mbarrier;
mod racy;
mod spin;
mod unwritten;
