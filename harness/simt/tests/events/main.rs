//! Events of small kernels against counts worked out by hand.

mod caches;
mod control;
mod coverage;
mod global;
mod machine;
mod shared;
mod trace;
