//! Loops of one kind of instruction, in independent chains.

use std::hint::black_box;
use std::ptr;

use crate::vector::{Loop, Simd, Vector};

/// Chains where there are 32 registers: more than the product of an instruction's latency and of the units
/// that execute it, so that none waits. (Four units and four clocks are the most so far.)
const MANY: usize = 24;

/// Chains where there are 16, and one holds a constant: two units and a latency of four clocks are enough
/// for multiplications, and so for additions beside them.
const SOME: usize = 15;

/// Vectors that are read or written in turn: few of the nearest cache's.
const IN_MEMORY: usize = 32;

/// Turns of a loop: some microseconds.
const TURNS: u64 = 500;

/// Instructions whose rate is measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Add,
    Mul,
    MulAdd,
    Mixed,
    Rsqrt,
    RsqrtMul,
    DivSqrt,
    Load,
    Store,
    Clock,
}

/// All kinds, in the order in which they are measured.
pub(super) const KINDS: [Kind; 10] = [
    Kind::Add,
    Kind::Mul,
    Kind::MulAdd,
    Kind::Mixed,
    Kind::Rsqrt,
    Kind::RsqrtMul,
    Kind::DivSqrt,
    Kind::Load,
    Kind::Store,
    Kind::Clock,
];

/// Runs instructions of a kind, and returns how many.
pub(super) struct Chains(pub(super) Kind);

impl Loop for Chains {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        match (self.0, S::Vector::LANES) {
            (Kind::Load, _) => load(simd),
            (Kind::Store, _) => store(simd),
            // Of the x86 only AVX-512 has 32 registers.
            (kind, 8) => chains::<S, SOME>(simd, kind),
            (kind, _) => chains::<S, MANY>(simd, kind),
        }
    }
}

/// Each chain begins with another number, or they would all be one.
#[inline(always)]
fn chains<S: Simd, const CHAINS: usize>(simd: S, kind: Kind) -> u64 {
    let starts: [f32; CHAINS] = std::array::from_fn(|place| 1.0 + place as f32);
    let starts = black_box(starts);
    let mut all = [simd.splat(0.0); CHAINS];
    for (chain, start) in all.iter_mut().zip(starts) {
        *chain = simd.splat(start);
    }
    // The compiler knows neither. All chains stay finite with them, and far from zero.
    let (one, half) = (simd.splat(black_box(1.0)), simd.splat(black_box(0.5)));
    let of_a_turn = match kind {
        Kind::Add => {
            for _ in 0..TURNS {
                for chain in &mut all {
                    *chain = *chain + half;
                }
            }
            1
        }
        Kind::Mul => {
            for _ in 0..TURNS {
                for chain in &mut all {
                    *chain = *chain * one;
                }
            }
            1
        }
        Kind::MulAdd => {
            for _ in 0..TURNS {
                for chain in &mut all {
                    *chain = chain.mul_add(half, half);
                }
            }
            1
        }
        Kind::Mixed => {
            for _ in 0..TURNS {
                for place in 0..CHAINS {
                    all[place] = all[place].mul_add(half, half);
                    let other = (place + CHAINS / 2) % CHAINS;
                    all[other] = all[other] + half;
                }
            }
            2
        }
        Kind::Rsqrt => {
            for _ in 0..TURNS {
                for chain in &mut all {
                    *chain = chain.rsqrt_estimate();
                }
            }
            1
        }
        Kind::RsqrtMul => {
            for _ in 0..TURNS {
                for chain in &mut all {
                    *chain = chain.rsqrt_estimate() * one;
                }
            }
            2
        }
        Kind::DivSqrt => {
            for _ in 0..TURNS / 10 {
                for chain in &mut all {
                    *chain = one.div(chain.sqrt());
                }
            }
            black_box(sum(all));
            return 2 * (TURNS / 10) * CHAINS as u64;
        }
        Kind::Load | Kind::Store | Kind::Clock => 0,
    };
    black_box(sum(all));
    of_a_turn * TURNS * CHAINS as u64
}

/// One number that depends on all chains.
#[inline(always)]
fn sum<V: Vector, const CHAINS: usize>(chains: [V; CHAINS]) -> f32 {
    let mut sum = chains[0];
    for chain in chains {
        sum = sum + chain;
    }
    sum.sum()
}

#[inline(always)]
fn load<S: Simd>(simd: S) -> u64 {
    let from = [simd.splat(black_box(1.0)); IN_MEMORY];
    for _ in 0..TURNS {
        for vector in &from {
            // SAFETY: it is a reference. The compiler leaves out no such access.
            let _: S::Vector = unsafe { ptr::read_volatile(vector) };
        }
    }
    TURNS * IN_MEMORY as u64
}

#[inline(always)]
fn store<S: Simd>(simd: S) -> u64 {
    let what = simd.splat(black_box(1.0));
    let mut to = [what; IN_MEMORY];
    for _ in 0..TURNS {
        for vector in &mut to {
            // SAFETY: it is a reference. The compiler leaves out no such access.
            unsafe { ptr::write_volatile(vector, what) };
        }
    }
    TURNS * IN_MEMORY as u64
}

/// Runs additions that depend on each other, and returns how many. Each takes one clock.
#[inline]
pub(super) fn clocks() -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let (mut sum, one) = (black_box(0u64), black_box(1u64));
        for _ in 0..TURNS {
            // SAFETY: it adds one register to another, 32 times.
            unsafe {
                #[cfg(target_arch = "x86_64")]
                std::arch::asm!(
                    ".rept 32", "add {sum}, {one}", ".endr",
                    sum = inout(reg) sum, one = in(reg) one, options(pure, nomem, nostack),
                );
                #[cfg(target_arch = "aarch64")]
                std::arch::asm!(
                    ".rept 32", "add {sum}, {sum}, {one}", ".endr",
                    sum = inout(reg) sum, one = in(reg) one, options(pure, nomem, nostack),
                );
            }
        }
        black_box(sum);
        TURNS * 32
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    0
}
