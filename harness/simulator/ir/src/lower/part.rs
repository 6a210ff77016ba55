//! A scalar of a value while it is lowered.

use crate::machine::{Base, Operand, Register};

/// A scalar of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Value(Operand),
    /// Of a pointer: what it begins with, and the bytes after that.
    Address(Base, i64),
}

impl Part {
    /// A pointer that an operand holds.
    pub fn of_pointer(operand: &Operand) -> Part {
        match operand {
            Operand::Register(register) => Part::Address(Base::Register(*register), 0),
            Operand::Integer(value) => Part::Address(Base::Nothing, *value),
            Operand::Name(name) => Part::Address(Base::Symbol(name.clone()), 0),
            other => Part::Value(other.clone()),
        }
    }

    /// The register that it is.
    pub fn register(&self) -> Option<Register> {
        match self {
            Part::Value(Operand::Register(register))
            | Part::Address(Base::Register(register), 0) => Some(*register),
            _ => None,
        }
    }
}
