//! Arithmetic and comparisons of `.f16`, `.f16x2`, `.bf16` and `.bf16x2`.

use super::builder::{Builder, Result};
use super::opcode::{PREDICATE, WORD, comparison};
use crate::alu::lanewise::Compared;
use crate::alu::{Fast, General, Half, HalfModifiers};
use crate::class::Class;
use crate::program::Operation;
use crate::ptx::ast::{Instruction, Kind, Type};
use crate::semantics::half::Format;

const NARROW: Type = Type { kind: Kind::Bits, bits: 16 };

/// Format, and whether there are two in a register.
fn format(word: &str) -> Option<(Format, bool)> {
    Some(match word {
        "f16" => (Format::F16, false),
        "f16x2" => (Format::F16, true),
        "bf16" => (Format::Bf16, false),
        "bf16x2" => (Format::Bf16, true),
        _ => return None,
    })
}

impl Builder<'_> {
    /// `None` if it is none.
    pub(super) fn half(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let (opcode, Some((format, pair))) = (match i.opcode.rsplit_once('.') {
            Some((opcode, word)) => (opcode, format(word)),
            None => return Ok(None),
        }) else {
            return Ok(None);
        };
        let parts: Vec<&str> = opcode.split('.').collect();
        if let (["setp", compare], false) = (parts.as_slice(), pair) {
            return self.compare_halves(i, compare, format).map(Some);
        }
        let mut m = HalfModifiers { format, pair, ftz: false, sat: false, relu: false };
        let (mut rounded, mut nan) = (false, false);
        for part in &parts[1..] {
            match *part {
                "rn" => rounded = true,
                "ftz" if format == Format::F16 => m.ftz = true,
                "sat" if format == Format::F16 => m.sat = true,
                "relu" => m.relu = true,
                "NaN" => nan = true,
                _ => return Ok(None),
            }
        }
        let (operation, count) = match parts[0] {
            "add" => (Half::Add, 2),
            "sub" => (Half::Sub, 2),
            "mul" => (Half::Mul, 2),
            "fma" if rounded => (Half::Fma, 3),
            "min" => (Half::Min(nan), 2),
            "max" => (Half::Max(nan), 2),
            "neg" => (Half::Neg, 1),
            "abs" => (Half::Abs, 1),
            _ => return Ok(None),
        };
        let extreme = matches!(operation, Half::Min(_) | Half::Max(_));
        let known = (!m.relu || operation == Half::Fma)
            && (!nan || extreme)
            && (!m.sat || matches!(operation, Half::Add | Half::Sub | Half::Mul | Half::Fma))
            && (!rounded || !extreme && count > 1);
        if !known {
            return Ok(None);
        }
        self.arity(i, 1 + count)?;
        let element = if pair { WORD } else { NARROW };
        let operands = self.sources(&i.operands[1..], &[element; 3][..count])?;
        let d = self.destination(&i.operands[0], element)?;
        self.emit(Operation::General(General::Half(operation, m)), d, operands)?;
        Ok(Some(match operation {
            Half::Mul => Class::Fp32Mul,
            Half::Fma => Class::Fp32Fma,
            _ => Class::Fp32Add,
        }))
    }

    /// `setp.cmp.f16 p, a, b`: as of the same numbers in 32 bits.
    fn compare_halves(&mut self, i: &Instruction, compare: &str, format: Format) -> Result<Class> {
        let Some(compare) = comparison(compare) else { return self.unsupported(&i.opcode) };
        self.arity(i, 3)?;
        let widen = match format {
            Format::F16 => Fast::F32FromF16,
            Format::Bf16 => Fast::F32FromBf16,
        };
        let [a, b, ..] = self.sources(&i.operands[1..], &[NARROW; 2])?;
        let (a, b) = (self.compute(widen, a, 0)?, self.compute(widen, b, 0)?);
        let d = self.destination(&i.operands[0], PREDICATE)?;
        self.emit(Operation::Compare(Compared::F32, compare), d, [a, b, 0, 0])?;
        Ok(Class::Predicate)
    }
}
