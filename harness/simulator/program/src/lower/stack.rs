//! Memory on a thread's stack: `alloca`, `stacksave`, `stackrestore` (PTX ISA, "Stack Manipulation Instructions").

use super::builder::{Builder, Result};
use crate::alu::Fast;
use crate::class::Class;
use crate::instruction::{OfStack, Operation};
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Operand, Type};

/// What an allocation begins at a multiple of, unless it asks for more.
const ALIGNMENT: u64 = 8;
/// The most that it may ask for.
const MOST_ALIGNMENT: u64 = 1 << 23;

impl Builder<'_> {
    /// Such an instruction; `None` for others.
    pub(super) fn stack(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let (base, bits) = match i.opcode.split_once('.') {
            Some((base @ ("alloca" | "stacksave" | "stackrestore"), "u32")) => (base, 32),
            Some((base @ ("alloca" | "stacksave" | "stackrestore"), "u64")) => (base, 64),
            _ => return Ok(None),
        };
        let element = Type { kind: Kind::Unsigned, bits };
        self.program.uses_stack = true;
        if base == "stackrestore" {
            self.arity(i, 1)?;
            let a = self.wide_address(&i.operands[0], element)?;
            self.emit(Operation::Stack(OfStack::Restore), 0, [a, 0, 0, 0])?;
            return Ok(Some(Class::Move));
        }
        let (operation, a) = if base == "stacksave" {
            self.arity(i, 1)?;
            (OfStack::Save, 0)
        } else {
            let alignment = match i.operands.get(2) {
                None => ALIGNMENT,
                Some(Operand::Integer(value))
                    if value.is_power_of_two() && *value <= MOST_ALIGNMENT =>
                {
                    (*value).max(ALIGNMENT)
                }
                _ => {
                    return self.error(format!(
                        "the alignment of `{}` is a power of two up to {MOST_ALIGNMENT}",
                        i.opcode
                    ));
                }
            };
            self.arity(i, i.operands.len().clamp(2, 3))?;
            let size = self.wide_address(&i.operands[1], element)?;
            (OfStack::Allocate(alignment.trailing_zeros() as u8), size)
        };
        let d = self.destination(&i.operands[0], element)?;
        if bits == 64 {
            self.emit(Operation::Stack(operation), d, [a, 0, 0, 0])?;
        } else {
            let wide = self.scratch_register(File::Doubles)?;
            self.emit(Operation::Stack(operation), wide, [a, 0, 0, 0])?;
            self.emit(Operation::Fast(Fast::U32FromU64), d, [wide, 0, 0, 0])?;
        }
        Ok(Some(Class::Move))
    }

    /// The operand in a register of 64 bits.
    fn wide_address(&mut self, operand: &Operand, element: Type) -> Result<u16> {
        let value = self.source(operand, element)?;
        if element.bits == 64 { Ok(value) } else { self.scratch(Fast::U64FromU32, [value, 0, 0]) }
    }
}
