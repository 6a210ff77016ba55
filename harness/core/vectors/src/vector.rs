//! The interface of vectors, for every instruction set.

use std::ops::{Add, Mul, Sub};

/// A loop over vectors, compiled for each instruction set.
pub trait Loop {
    /// What it computes.
    type Output;

    /// Runs with the vectors that `simd` makes. It and all that it calls must be `#[inline(always)]`: what is not
    /// inlined is compiled without the instruction set.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Makes vectors of an instruction set. To hold one of these is to know that the CPU has it.
pub trait Simd: Copy {
    /// The vectors.
    type Vector: Vector;

    /// The same value in every lane.
    fn splat(self, value: f32) -> Self::Vector;

    /// The first values of a slice.
    ///
    /// # Panics
    /// If there are fewer than lanes.
    fn load(self, from: &[f32]) -> Self::Vector;
}

/// A vector of `f32`. Every operation is done in each lane by itself.
pub trait Vector: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Floats in it.
    const LANES: usize;

    /// Bits of [`Vector::rsqrt_estimate`] that are right: its relative error is below 2 to minus that.
    const ESTIMATE_BITS: u32;

    /// `self · b + c`, rounded once where the instruction set can.
    #[must_use]
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// `c − self · b`, rounded once where the instruction set can.
    #[must_use]
    fn neg_mul_add(self, b: Self, c: Self) -> Self;

    /// 1/√x, as far as [`Vector::ESTIMATE_BITS`] says. Of positive, normal numbers.
    #[must_use]
    fn rsqrt_estimate(self) -> Self;

    /// √x, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `self / b`, correctly rounded.
    #[must_use]
    fn div(self, b: Self) -> Self;

    /// Writes the lanes to the beginning of a slice.
    ///
    /// # Panics
    /// If it is shorter.
    fn store(self, to: &mut [f32]);

    /// The sum of all lanes, in pairs.
    fn sum(self) -> f32;
}
