//! Scalar functions applied to the 32 lanes of registers.

use crate::exec::registers::{FULL, LANES, Registers, Value, lanes, to_mask};
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
                $(let $operand = $type::read(registers, i.$operand);)+
                let results: [Output; LANES] = std::array::from_fn(|lane| self($($operand[lane]),+));
                Output::write(registers, i.d, mask, results);
            }

            #[inline(always)]
            fn apply_sparse(self, registers: &mut Registers, i: &Instruction, mask: u32) {
                /// From here on, computing all lanes at once is quicker.
                const MANY: u32 = 8;
                if mask.count_ones() >= MANY {
                    return self.apply(registers, i, mask);
                }
                $(let $operand = $type::read(registers, i.$operand);)+
                let mut results = None;
                for lane in lanes(mask) {
                    let result = self($($operand[lane]),+);
                    results.get_or_insert([result; LANES])[lane] = result;
                }
                if let Some(results) = results {
                    Output::write(registers, i.d, mask, results);
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
    let a = T::read(registers, i.a).map(&prepare);
    let b = T::read(registers, i.b).map(&prepare);
    macro_rules! with {
        ($($constant:ident)*) => {
            match comparison {
                $(Comparison::$constant => to_mask(std::array::from_fn(|lane| {
                    scalar::compare(a[lane], b[lane], Comparison::$constant)
                })),)*
            }
        };
    }
    with!(Equal NotEqual Less LessEqual Greater GreaterEqual EqualUnordered NotEqualUnordered
          LessUnordered LessEqualUnordered GreaterUnordered GreaterEqualUnordered Number NotNumber)
}

const _: () = assert!(FULL.count_ones() as usize == LANES);
