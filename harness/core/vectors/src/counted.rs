//! Vectors that count the operations on them.

use std::cell::RefCell;
use std::ops::{Add, Mul, Sub};

use crate::vector::{Loop, Simd, Vector};

/// Vector instructions that a loop executed, by the unit that they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Additions and subtractions.
    pub add: u64,
    /// Multiplications.
    pub mul: u64,
    /// Multiplications with an addition.
    pub mul_add: u64,
    /// Estimates of 1/√x.
    pub rsqrt: u64,
    /// Square roots.
    pub sqrt: u64,
    /// Divisions.
    pub div: u64,
    /// Vectors read from memory.
    pub load: u64,
    /// Vectors written to memory.
    pub store: u64,
}

thread_local! {
    static COUNTS: RefCell<Option<Counts>> = const { RefCell::new(None) };
}

/// The vector operations that `work` executes on this thread. Loops that it gives to [`crate::Vectors::run`] compute the
/// same as always. A value that does not change in a loop is counted where it is made, not where it is used.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Counts) {
    let before = COUNTS.replace(Some(Counts::default()));
    let output = work();
    let counts = COUNTS.replace(before).unwrap_or_default();
    (output, counts)
}

/// Runs a loop with the vectors of `simd`, or with vectors that count while this thread [counts](count).
#[inline(always)]
pub(crate) fn run<S: Simd, L: Loop>(simd: S, work: L) -> L::Output {
    match is_counting() {
        true => work.run(Counting(simd)),
        false => work.run(simd),
    }
}

/// Whether this thread counts.
fn is_counting() -> bool {
    COUNTS.with_borrow(Option::is_some)
}

#[inline(always)]
fn note(which: fn(&mut Counts) -> &mut u64) {
    COUNTS.with_borrow_mut(|counts| counts.iter_mut().for_each(|counts| *which(counts) += 1));
}

/// Makes vectors that count.
#[derive(Clone, Copy)]
struct Counting<S>(S);

/// A vector that counts.
#[derive(Clone, Copy)]
struct Counted<V>(V);

impl<S: Simd> Simd for Counting<S> {
    type Vector = Counted<S::Vector>;

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Vector {
        Counted(self.0.splat(value))
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Self::Vector {
        note(|counts| &mut counts.load);
        Counted(self.0.load(from))
    }
}

impl<V: Vector> Add for Counted<V> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        note(|counts| &mut counts.add);
        Counted(self.0 + b.0)
    }
}

impl<V: Vector> Sub for Counted<V> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        note(|counts| &mut counts.add);
        Counted(self.0 - b.0)
    }
}

impl<V: Vector> Mul for Counted<V> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        note(|counts| &mut counts.mul);
        Counted(self.0 * b.0)
    }
}

impl<V: Vector> Vector for Counted<V> {
    const LANES: usize = V::LANES;
    const ESTIMATE_BITS: u32 = V::ESTIMATE_BITS;

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        note(|counts| &mut counts.mul_add);
        Counted(self.0.mul_add(b.0, c.0))
    }

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        note(|counts| &mut counts.mul_add);
        Counted(self.0.neg_mul_add(b.0, c.0))
    }

    #[inline(always)]
    fn rsqrt_estimate(self) -> Self {
        note(|counts| &mut counts.rsqrt);
        Counted(self.0.rsqrt_estimate())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        note(|counts| &mut counts.sqrt);
        Counted(self.0.sqrt())
    }

    #[inline(always)]
    fn div(self, b: Self) -> Self {
        note(|counts| &mut counts.div);
        Counted(self.0.div(b.0))
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        note(|counts| &mut counts.store);
        self.0.store(to);
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        self.0.sum()
    }
}
