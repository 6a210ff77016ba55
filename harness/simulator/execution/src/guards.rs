//! Predicates: which lanes an instruction's guard lets through, and logic on them.

use program::registers::{Operands, Registers};
use program::{Instruction, Logic};

/// The lanes that an instruction's guard lets through.
#[inline(always)]
pub(super) fn guarded(registers: &Registers, i: &Instruction, mask: u32) -> u32 {
    match i.guard.get() {
        None => mask,
        Some((index, negated)) => {
            let predicate = registers.predicate(index);
            mask & if negated { !predicate } else { predicate }
        }
    }
}

#[inline(always)]
pub(super) fn predicate(registers: &mut Registers, i: &Operands, logic: Logic, mask: u32) {
    let a = registers.predicate(i.a);
    let value = match logic {
        Logic::And => a & registers.predicate(i.b),
        Logic::Or => a | registers.predicate(i.b),
        Logic::Xor => a ^ registers.predicate(i.b),
        Logic::Not => !a,
        Logic::Move => a,
    };
    registers.set_predicate(i.d, mask, value);
}
