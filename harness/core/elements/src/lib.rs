//! What is done to every element of large arrays, on all cores: drawing them at random, and judging what a GPU made of
//! them.
//!
//! ```text
//! words      random words and floats: the same on every system, by any number of threads
//! distance   how far numbers or vectors are from what is expected
//! element    the same for each type that arrays have; a fingerprint that does not depend on the order
//! ```
//!
//! A GPU makes half a gigabyte of results in a fraction of a millisecond. If one core looked at it with code that is not
//! optimised, as that of `ladder` is in the profile in which the program runs as typed, verification would take a
//! hundred times as long as everything else. So these loops are here: this crate is small, always optimised, and what it
//! computes does not depend on how many threads share the work.

mod distance;
mod element;
mod words;

pub use distance::{Distance, distance};
pub use element::{Element, append_words};
pub use words::{Random, drawn, fraction, random_words};
