//! Prints instructions as PTX. Parsing the text gives the same instruction.

use std::fmt::{Display, Formatter, Result};

use super::ast::{Instruction, Operand};

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match &self.guard {
            Some((predicate, true)) => write!(f, "@!{predicate} ")?,
            Some((predicate, false)) => write!(f, "@{predicate} ")?,
            None => {}
        }
        f.write_str(&self.opcode)?;
        for (at, operand) in self.operands.iter().enumerate() {
            write!(f, "{}{operand}", if at == 0 { " " } else { ", " })?;
        }
        f.write_str(";")
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Operand::Name(name) => f.write_str(name),
            Operand::Not(predicate) => write!(f, "!{predicate}"),
            Operand::Negative(name) => write!(f, "-{name}"),
            // Below zero it was written with a minus.
            Operand::Integer(value) => write!(f, "{}", value.cast_signed()),
            Operand::Single(bits) => write!(f, "0f{bits:08X}"),
            Operand::Double(bits) => write!(f, "0d{bits:016X}"),
            Operand::Vector(parts) => write!(f, "{{{}}}", list(parts)),
            Operand::Address { base: Some(base), plus: 0 } => write!(f, "[{base}]"),
            Operand::Address { base: Some(base), plus } => write!(f, "[{base}{plus:+}]"),
            Operand::Address { base: None, plus } => write!(f, "[{plus}]"),
            Operand::Object(name, parts) => write!(f, "[{name}, {}]", list(parts)),
            Operand::Pair(first, second) => write!(f, "{first}|{second}"),
            Operand::List(parts) => write!(f, "({})", list(parts)),
        }
    }
}

fn list(parts: &[Operand]) -> String {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    parts.join(", ")
}
