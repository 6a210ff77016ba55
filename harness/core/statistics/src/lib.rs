//! What is computed from samples: medians, spreads, and how sure it is that one thing is faster than another.
//! A crate of its own because it loops, and what else a report is made of does not.

mod compare;
mod interval;
mod median;
mod shift;

pub use compare::{Speed, Verdict, each_of, paired, unpaired, verdict};
pub use interval::{Interval, median_interval};
pub use median::{commonest, median, spread};

#[cfg(test)]
mod tests;
