//! What is done to every element of large arrays, on all cores: drawing inputs at random, and judging results.
//!
//! ```text
//! words      random words and floats: the same on every system, for any number of threads
//! distance   how far numbers or vectors are from what is expected
//! element    both for each element type; a fingerprint that does not depend on the order
//! parts      what all cores do together
//! edges      values at which kernels go wrong that are right for most others
//! ```
//!
//! A GPU produces half a gigabyte of results within a millisecond. On one core, in code that is not optimised, their
//! verification would take a hundred times as long as everything else. So these loops have a small crate, which is
//! optimised in every profile.
//!
//! # Example
//! ```
//! use elements::{Element, fraction, of_random_words};
//! # use chacha20::rand_core::SeedableRng;
//!
//! let mut random = elements::Random::seed_from_u64(1);
//! let expected: Vec<f32> = of_random_words(100_000, &mut random, fraction);
//! let mut computed = expected.clone();
//! computed[7] += 0.5;
//!
//! let distance = f32::distance(&computed, &expected, 0.0);
//! assert_eq!(distance.worst_index, 7);
//! assert!(distance.rms > 1e-3);
//!
//! let mut sorted = expected.clone();
//! sorted.sort_by(f32::total_cmp);
//! assert_eq!(f32::fingerprint(&sorted), f32::fingerprint(&expected));
//! ```

mod distance;
pub mod edges;
mod element;
mod parts;
mod words;

pub use distance::{Distance, distance};
pub use element::{Element, append_words};
pub use words::{Random, drawn, fraction, of_random_words, random_words};
