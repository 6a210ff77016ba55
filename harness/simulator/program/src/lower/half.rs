//! `.f16`, `.f16x2`, `.bf16`, `.bf16x2`, and conversions from and to them and to formats of fewer bits and `.tf32`.

mod arithmetic;
mod compare;
mod convert;

use super::builder::{Builder, Result};
use crate::class::Class;
use ptx::ast::{Instruction, Kind, Type};
use semantics::half::Format;

const NARROW: Type = Type { kind: Kind::Bits, bits: 16 };

/// The format, and whether a register holds two numbers.
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
    /// `None` for other instructions.
    pub(super) fn half(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        match parts.as_slice() {
            ["cvt", modifiers @ .., to, from] => self.convert_half(i, modifiers, to, from),
            ["setp", modifiers @ .., of] if format(of).is_some() => {
                self.compare_halves(i, modifiers, None, of)
            }
            ["set", modifiers @ .., to, of] if format(of).is_some() => {
                self.compare_halves(i, modifiers, Some(to), of)
            }
            [base, modifiers @ .., of] => match format(of) {
                Some((format, pair)) => self.half_arithmetic(i, base, modifiers, (format, pair)),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }
}
