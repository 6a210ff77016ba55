//! `mma.sync`: the operands' fragments gathered into matrices, multiplied, and scattered again.
//!
//! Where an element lies is in the ISA's figures of `mma.m16n8k16` and its relatives, which are all alike: lane
//! 4·group + thread holds, in a register, the elements of row (for b: column) `group` from `thread` times the elements of
//! a register on; the next register of a those 8 rows below, the register after that those further along k.

mod double;
mod integer;
mod product;
mod quarters;
mod single;
mod sparse;

use super::isa::Isa;
use crate::registers::Registers;
pub use product::{Byte, Element, Factors, Integer, Product, Quarters, Sparsity};

/// Executes it in all lanes.
#[inline(always)]
pub fn multiply<I: Isa>(registers: &mut Registers, product: &Product) {
    let is_integer = matches!(product.factors, Factors::Integer { .. });
    if product.sparsity.is_some() && !is_integer {
        return sparse::multiply::<I>(registers, product);
    }
    match product.factors {
        Factors::Single(element) => single::multiply::<I>(registers, product, element),
        Factors::Half => single::multiply_halves::<I>(registers, product),
        Factors::Quarters(of) => quarters::multiply::<I>(registers, product, of),
        Factors::Bytes { a, b, native: true, .. } => {
            single::multiply_native_bytes::<I>(registers, product, [a, b]);
        }
        Factors::Bytes { a, b, .. } => single::multiply_bytes::<I>(registers, product, [a, b]),
        Factors::Double => double::multiply(registers, product),
        Factors::Integer { a, b, saturate } => {
            integer::multiply(registers, product, a, b, saturate);
        }
        Factors::Bits { both } => integer::count(registers, product, both),
    }
}
