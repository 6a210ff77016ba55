//! `mma.sync`: the operands' fragments gathered into matrices, multiplied, and scattered again.
//!
//! Where an element lies is in the ISA's figures of `mma.m16n8k16` and its relatives, which are all alike: lane
//! 4·group + thread holds, in a register, the elements of row (for b: column) `group` from `thread` times the elements of
//! a register on; the next register of a those 8 rows below, the register after that those further along k.

mod double;
mod integer;
mod quarters;
mod single;

use super::isa::Isa;
use crate::registers::Registers;
pub(crate) use integer::Integer;
pub(crate) use quarters::Quarters;

/// The numbers that a product with sums of 32 bits multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    Bf16,
    Tf32,
}

/// Numbers of 8 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Byte {
    E4m3,
    E5m2,
}

/// What is multiplied, and what the sums are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Factors {
    /// With sums in `f32`.
    Single(Element),
    /// `f16` with sums in `f16`.
    Half,
    /// `f16`, four products at once.
    Quarters(Quarters),
    /// The types of a and b, with sums in `f32` or in `f16`.
    Bytes { a: Byte, b: Byte, halves: bool },
    /// `f64` with sums in `f64`.
    Double,
    /// The types of a and b, with sums in `s32`, which stop at its ends or wrap.
    Integer { a: Integer, b: Integer, saturate: bool },
    /// Bits: how many are set in both, or in one only.
    Bits { both: bool },
}

impl Factors {
    /// The width of an element of a and b.
    pub(crate) fn bits(self) -> usize {
        match self {
            Factors::Single(Element::Tf32) => 32,
            Factors::Single(_) | Factors::Half | Factors::Quarters(_) => 16,
            Factors::Bytes { .. } => 8,
            Factors::Double => 64,
            Factors::Integer { a, .. } => usize::from(a.bits),
            Factors::Bits { .. } => 1,
        }
    }

    /// Elements of a and b in a register.
    pub(crate) fn packed(self) -> usize {
        (32 / self.bits()).max(1)
    }

    /// Whether the sums are numbers of 16 bits.
    pub(crate) fn sums_halves(self) -> bool {
        matches!(self, Factors::Half | Factors::Bytes { halves: true, .. })
    }
}

/// `mma.sync`: rows×k times k×8, plus rows×8.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    pub factors: Factors,
    /// 8 or 16.
    pub rows: usize,
    /// k: columns of the first operand and rows of the second.
    pub depth: usize,
    pub d: [u16; 8],
    /// Of these registers as many are used as the depth asks for.
    pub a: [u16; 8],
    pub b: [u16; 4],
    pub c: [u16; 8],
}

impl Product {
    /// Registers of the operands d and c, a, b in each lane.
    pub(crate) fn registers(factors: Factors, rows: usize, depth: usize) -> [usize; 3] {
        let along = depth / (4 * factors.packed());
        let sums = if factors.sums_halves() { 1 } else { 2 };
        [sums * rows / 8, along * rows / 8, along]
    }
}

/// Executes it in all lanes.
#[inline(always)]
pub(crate) fn multiply<I: Isa>(registers: &mut Registers, product: &Product) {
    match product.factors {
        Factors::Single(element) => single::multiply::<I>(registers, product, element),
        Factors::Half => single::multiply_halves::<I>(registers, product),
        Factors::Quarters(of) => quarters::multiply::<I>(registers, product, of),
        Factors::Bytes { a, b, .. } => single::multiply_bytes::<I>(registers, product, [a, b]),
        Factors::Double => double::multiply(registers, product),
        Factors::Integer { a, b, saturate } => {
            integer::multiply(registers, product, a, b, saturate);
        }
        Factors::Bits { both } => integer::count(registers, product, both),
    }
}
