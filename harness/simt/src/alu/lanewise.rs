//! Scalar functions applied to the 32 lanes of registers.

use crate::exec::registers::{FULL, LANES, Registers, Value, lanes};
use crate::lower::program::Instruction;
use crate::semantics::compare::{self as scalar, Comparison};

/// What a build of the executor may use.
pub(crate) trait Isa {
    /// Whether the code is compiled with fused multiply-add instructions.
    const FUSED: bool;
}

/// Any CPU of the target.
pub(crate) struct Portable;

impl Isa for Portable {
    // aarch64 always has them; elsewhere the scalar semantics emulate them.
    const FUSED: bool = cfg!(target_arch = "aarch64");
}

/// Inside a function compiled for FMA.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Fused;

#[cfg(target_arch = "x86_64")]
impl Isa for Fused {
    const FUSED: bool = true;
}

/// A scalar function of the operands `a`, `b`, `c`, `e` whose result goes to `d`.
pub(crate) trait Lanewise<Inputs, Output> {
    /// Applies it to all lanes and keeps the results of those in `mask`.
    fn apply(self, registers: &mut Registers, i: &Instruction, mask: u32);
    /// Applies it to the lanes of `mask` only: for functions that take long.
    fn apply_sparse(self, registers: &mut Registers, i: &Instruction, mask: u32);
}

macro_rules! one_by_one {
    ($function:expr, $registers:expr, $i:expr, $mask:expr, $($type:ident $operand:ident),+) => {
        for lane in lanes($mask) {
            let result = $function($($type::read_lane($registers, $i.$operand, lane)),+);
            Output::write_lane($registers, $i.d, lane, result);
        }
    };
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
            fn apply(self, registers: &mut Registers, i: &Instruction, mask: u32) {
                // A single lane is what a kernel of one thread has all the time.
                if mask & mask.wrapping_sub(1) == 0 {
                    return one_by_one!(self, registers, i, mask, $($type $operand),+);
                }
                $(let $operand = $type::read(registers, i.$operand);)+
                // Plain loops over local arrays: the form that is reliably turned into vector code.
                let mut results = [Output::ZERO; LANES];
                for lane in 0..LANES {
                    results[lane] = self($($operand[lane]),+);
                }
                Output::write(registers, i.d, mask, &results);
            }

            #[inline(always)]
            fn apply_sparse(self, registers: &mut Registers, i: &Instruction, mask: u32) {
                /// From here on, computing all lanes at once is quicker.
                const MANY: u32 = 8;
                if mask.count_ones() >= MANY {
                    self.apply(registers, i, mask);
                } else {
                    one_by_one!(self, registers, i, mask, $($type $operand),+);
                }
            }
        }
    };
}

lanewise!(A a);
lanewise!(A a, B b);
lanewise!(A a, B b, C c);
lanewise!(A a, B b, C c, E e);

/// Compares two registers: one bit for each lane. `prepare` flushes subnormals or does nothing.
#[inline(always)]
pub(crate) fn compare<T: Value + PartialOrd>(
    registers: &Registers,
    i: &Instruction,
    comparison: Comparison,
    prepare: impl Fn(T) -> T,
) -> u32 {
    let (a, b) = (T::read(registers, i.a), T::read(registers, i.b));
    macro_rules! with {
        ($($constant:ident)*) => {
            match comparison {
                $(Comparison::$constant => {
                    let mut mask = 0;
                    for lane in 0..LANES {
                        let (a, b) = (prepare(a[lane]), prepare(b[lane]));
                        mask |= u32::from(scalar::compare(a, b, Comparison::$constant)) << lane;
                    }
                    mask
                })*
            }
        };
    }
    with!(Equal NotEqual Less LessEqual Greater GreaterEqual EqualUnordered NotEqualUnordered
          LessUnordered LessEqualUnordered GreaterUnordered GreaterEqualUnordered Number NotNumber)
}

const _: () = assert!(FULL.count_ones() as usize == LANES);
