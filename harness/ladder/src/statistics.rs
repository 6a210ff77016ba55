//! What is computed from samples.

mod compare;
mod interval;
mod median;

pub use compare::{Speed, Verdict, paired, unpaired, verdict};
pub use interval::{Interval, median_interval};
pub use median::{median, spread};
