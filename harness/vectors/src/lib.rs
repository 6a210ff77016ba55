//! Vectors of `f32` in the registers of the CPU at hand.
//!
//! A loop is written once over [`Vector`] and compiled for each instruction set; which of them runs is
//! chosen at run time, so that one program uses AVX-512 where there is some and runs where there is none.

mod choice;

pub use choice::{Unknown, Vectors};
