//! Events of small kernels against counts worked out by hand.

mod caches;
mod control;
mod coverage;
mod engines;
mod global;
pub mod machine;
mod messages;
mod shared;
mod trace;
