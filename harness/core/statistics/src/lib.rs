//! Statistics of timing samples: medians, spreads, and whether one thing is faster than another.
//!
//! Nothing assumes a normal distribution. Functions return `None` if there are too few samples for an answer. They loop
//! over samples, so they have a crate of their own, which is optimised in every profile.
//!
//! # Example
//! Two steps are timed in turn while the clock of the GPU falls. Pairs of the same round show the difference:
//!
//! ```
//! use statistics::{Verdict, median, paired, verdict};
//!
//! let parent = [10.0, 10.2, 10.4, 10.6, 10.8, 11.0, 11.2, 11.4]; // ms
//! let step = [9.5, 9.7, 9.9, 10.1, 10.3, 10.4, 10.6, 10.8];
//! assert_eq!(median(&step), Some(10.2));
//!
//! let speed = paired(&parent, &step, 0.95).expect("samples");
//! let interval = speed.interval.expect("more than five samples");
//! assert!(interval.low > 1.04 && interval.high < 1.07);
//! assert_eq!(verdict(speed, 0.01), Verdict::Faster);
//! ```

mod compare;
mod interval;
mod median;
mod shift;

pub use compare::{Speed, Verdict, each_of, paired, unpaired, verdict};
pub use interval::{Interval, median_interval};
pub use median::{commonest, median, spread};

#[cfg(test)]
mod tests;
