//! Vectors of `f32` in the registers of this CPU.
//!
//! A loop is written once, as a [`Loop`] over any [`Vector`], and compiled for each instruction set. [`Vectors::run`]
//! chooses one at run time. So one program uses AVX-512 where the CPU has it, and still runs where it has not.
//!
//! ```text
//! vector     the interface: Loop, Simd, Vector
//! scalar, x86, neon     its implementations        counted    one that counts operations
//! choice     the instruction sets                  run        runs a loop with one of them
//! ceilings   how many instructions per second the CPU reaches
//! ```
//!
//! # Example
//! ```
//! use vectors::{Loop, Simd, Vector, Vectors, count};
//!
//! /// The sum of a slice whose length is a multiple of the lanes.
//! struct Sum<'a>(&'a [f32]);
//!
//! impl Loop for Sum<'_> {
//!     type Output = f32;
//!
//!     #[inline(always)]
//!     fn run<S: Simd>(self, simd: S) -> f32 {
//!         let mut sum = simd.splat(0.0);
//!         for part in self.0.chunks_exact(S::Vector::LANES) {
//!             sum = sum + simd.load(part);
//!         }
//!         sum.sum()
//!     }
//! }
//!
//! let numbers = [1.0; 64];
//! let vectors = Vectors::best();
//! let (sum, counts) = count(|| vectors.run(Sum(&numbers)));
//! assert_eq!(sum, 64.0);
//! assert_eq!(counts.add as usize, 64 / vectors.lanes());
//! ```
//!
//! Other crates have more types. None has both the estimate of the reciprocal square root, which makes an n-body loop
//! fast, and vectors that count what is done with them.

mod ceilings;
mod choice;
mod counted;
#[cfg_attr(not(target_family = "wasm"), expect(unsafe_code, reason = "calls vector functions"))]
mod run;
mod scalar;
mod vector;

#[cfg(target_arch = "aarch64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod neon;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod x86;

pub use ceilings::Ceilings;
pub use choice::{Unknown, Vectors};
pub use counted::{Counts, count};
pub use vector::{Loop, Simd, Vector};
