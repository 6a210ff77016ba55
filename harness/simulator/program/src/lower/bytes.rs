//! `mov` between registers of 8 bits and one that holds two or four of them.

use super::builder::{Builder, Result};
use crate::alu::Fast;
use crate::class::Class;
use crate::instruction::{Constant, Operation};
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Operand, Type};

const BYTE: Type = Type { kind: Kind::Bits, bits: 8 };

impl Builder<'_> {
    /// Such a `mov`; `None` for other instructions.
    pub(super) fn bytes(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let (count, bits) = match i.opcode.as_str() {
            "mov.b16" => (2, 16),
            "mov.b32" => (4, 32),
            _ => return Ok(None),
        };
        let whole = Type { kind: Kind::Bits, bits };
        let amounts = (0..count as u64).map(|k| 8 * k);
        match i.operands.as_slice() {
            [d, Operand::Vector(all)] if all.len() == count => {
                let mut word = self.source(&all[0], BYTE)?;
                for (operand, amount) in all.iter().zip(amounts).skip(1) {
                    let byte = self.source(operand, BYTE)?;
                    let amount = self.constant(File::Words, Constant::Bits(amount))?;
                    let byte = self.scratch(Fast::ShlU32, [byte, amount, 0])?;
                    word = self.scratch(Fast::OrU32, [word, byte, 0])?;
                }
                let d = self.destination(d, whole)?;
                self.emit(Operation::Fast(Fast::Move32), d, [word, 0, 0, 0])?;
            }
            [Operand::Vector(all), a] if all.len() == count => {
                let a = self.source(a, whole)?;
                let mask = self.constant(File::Words, Constant::Bits(0xff))?;
                for (operand, amount) in all.iter().zip(amounts) {
                    let amount = self.constant(File::Words, Constant::Bits(amount))?;
                    let byte = self.scratch(Fast::ShrU32, [a, amount, 0])?;
                    let d = self.destination(operand, BYTE)?;
                    self.emit(Operation::Fast(Fast::AndU32), d, [byte, mask, 0, 0])?;
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(Class::Move))
    }
}
