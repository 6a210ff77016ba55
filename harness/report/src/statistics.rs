//! What is computed from samples.

mod compare;
mod interval;
mod median;
mod shift;

pub use compare::{Speed, Verdict, each_of, paired, unpaired, verdict};
pub use interval::{Interval, median_interval};
pub use median::{commonest, median, spread};

#[cfg(test)]
mod tests;
