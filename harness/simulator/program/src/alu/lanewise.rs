//! Scalar functions applied to the 32 lanes of registers.

use std::cmp::Ordering::{Equal, Greater, Less};

use crate::registers::{FULL, LANES, Operands, Registers, Value, lanes};
use semantics::compare::Comparison;

/// A scalar function of the operands `a`, `b`, `c`, `e` whose result goes to `d`.
pub trait Lanewise<Inputs, Output> {
    /// Applies it to all lanes, in vector code, and keeps the results of those in `mask`.
    fn all(self, registers: &mut Registers, i: &Operands, mask: u32);
    /// The same, unless there is only one lane.
    fn apply(self, registers: &mut Registers, i: &Operands, mask: u32);
    /// Applies it to the lanes of `mask` only unless they are many: for functions that take long.
    fn apply_sparse(self, registers: &mut Registers, i: &Operands, mask: u32);
    /// Applies it to one lane of `mask` after the other: the smallest code.
    fn each(self, registers: &mut Registers, i: &Operands, mask: u32);
}

macro_rules! lanewise {
    ($($type:ident $operand:ident),+) => {
        impl<F, Output, $($type),+> Lanewise<($($type,)+), Output> for F
        where
            F: Fn($($type),+) -> Output,
            Output: Value,
            $($type: Value,)+
        {
            #[inline(always)]
            fn all(self, registers: &mut Registers, i: &Operands, mask: u32) {
                $(let $operand = $type::read(registers, i.$operand);)+
                // Plain loops over local arrays: the form that is reliably turned into vector code.
                let mut results = [Output::ZERO; LANES];
                for lane in 0..LANES {
                    results[lane] = self($($operand[lane]),+);
                }
                Output::write(registers, i.d, mask, &results);
            }

            #[inline(always)]
            fn apply(self, registers: &mut Registers, i: &Operands, mask: u32) {
                // A single lane is what a kernel of one thread has all the time.
                if mask & mask.wrapping_sub(1) == 0 {
                    return self.each(registers, i, mask);
                }
                self.all(registers, i, mask);
            }

            #[inline(always)]
            fn apply_sparse(self, registers: &mut Registers, i: &Operands, mask: u32) {
                /// From here on, computing all lanes at once is quicker.
                const MANY: u32 = 8;
                if mask.count_ones() < MANY {
                    return self.each(registers, i, mask);
                }
                self.all(registers, i, mask);
            }

            #[inline(always)]
            fn each(self, registers: &mut Registers, i: &Operands, mask: u32) {
                for lane in lanes(mask) {
                    let result = self($($type::read_lane(registers, i.$operand, lane)),+);
                    Output::write_lane(registers, i.d, lane, result);
                }
            }
        }
    };
}

lanewise!(A a);
lanewise!(A a, B b);
lanewise!(A a, B b, C c);
lanewise!(A a, B b, C c, E e);

/// A type of which the executor has a fast comparison.
#[expect(missing_docs, reason = "named as PTX names the types")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Compared {
    U32,
    I32,
    F32,
    U64,
    I64,
    F64,
}

/// Compares two registers: one bit for each lane of `mask`, any for the others. `prepare` flushes subnormals or does
/// nothing.
#[inline(always)]
pub fn compare<T: Value + PartialOrd>(
    registers: &Registers,
    i: &Operands,
    mask: u32,
    comparison: Comparison,
    prepare: impl Fn(T) -> T,
) -> u32 {
    // All comparisons share one loop: the relations that decide are picked by bits, not by code. Where no relation
    // may hold between the operands (NaN), the opposite comparison is the one without that case.
    let negated = comparison.holds_for(None);
    let picks = |relation| u8::from(comparison.holds_for(Some(relation)) != negated);
    let (less, equal, greater) = (picks(Less), picks(Equal), picks(Greater));
    let holds = |a: T, b: T| {
        let (a, b) = (prepare(a), prepare(b));
        u8::from(a < b) & less | u8::from(a == b) & equal | u8::from(a > b) & greater
    };
    if mask & mask.wrapping_sub(1) == 0 {
        let lane = mask.trailing_zeros() as usize;
        let value = holds(T::read_lane(registers, i.a, lane), T::read_lane(registers, i.b, lane));
        return if (value != 0) != negated { mask } else { 0 };
    }
    let (a, b) = (T::read(registers, i.a), T::read(registers, i.b));
    let mut result = 0;
    for lane in 0..LANES {
        result |= u32::from(holds(a[lane], b[lane])) << lane;
    }
    if negated { !result } else { result }
}

const _: () = assert!(FULL.count_ones() as usize == LANES);
