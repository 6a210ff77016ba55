//! Vectors of `f32` in the registers of the CPU at hand.
//!
//! A loop is written once, as a [`Loop`] over any [`Vector`], and compiled for each instruction set;
//! [`Vectors::run`] chooses which of them runs. So one program uses AVX-512 where there is some, and runs
//! where there is none.
//!
//! (Well-kept crates do the same for more types. None has both the estimate of the reciprocal square root,
//! which is much of what makes an n-body loop fast, and vectors that [`count`] what is done with them.)

mod ceilings;
mod choice;
mod counted;
mod scalar;
#[expect(unsafe_code, reason = "vector instructions")]
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
