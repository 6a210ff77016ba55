//! Arithmetic on two `f32`s in a register of 64 bits: `add`, `sub`, `mul`, `fma` of `.f32x2` (PTX ISA, "Floating Point
//! Instructions").

use super::builder::{Builder, Result};
use super::opcode::{Opcode, float};
use crate::alu::Fast;
use crate::class::Class;
use crate::instruction::Operation;
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Type};

const SINGLE: Type = Type { kind: Kind::Float, bits: 32 };
const PAIR: Type = Type { kind: Kind::Bits, bits: 64 };

impl Builder<'_> {
    /// Such arithmetic, number by number; `None` for other instructions.
    pub(super) fn single_pairs(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let Some(single) = i.opcode.strip_suffix(".f32x2") else { return Ok(None) };
        let opcode = Opcode::parse(single);
        let exists = matches!(opcode.base, "add" | "sub" | "mul" | "fma") && !opcode.sat;
        let Some((general, inputs, _, class)) = float(&opcode, SINGLE).filter(|_| exists) else {
            return self.unsupported(&i.opcode);
        };
        self.arity(i, 1 + inputs.len())?;
        let operands = self.sources(&i.operands[1..], &[PAIR; 3][..inputs.len()])?;
        let mut halves = [0; 2];
        for (half, part) in halves.iter_mut().zip([Fast::U32FromU64, Fast::High32]) {
            let mut numbers = [0; 4];
            for (number, &operand) in numbers.iter_mut().zip(&operands[..inputs.len()]) {
                *number = self.scratch(part, [operand, 0, 0])?;
            }
            *half = self.scratch_register(File::Words)?;
            self.emit(Operation::General(general), *half, numbers)?;
        }
        let d = self.destination(&i.operands[0], PAIR)?;
        self.emit(Operation::Fast(Fast::Pack32), d, [halves[0], halves[1], 0, 0])?;
        Ok(Some(class))
    }
}
