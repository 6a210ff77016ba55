//! Operands: the registers that an instruction reads and writes.

use super::builder::{Builder, Result};
use super::names::{Meaning, special};
use super::registers::file_of;
use crate::alu::Fast;
use crate::instruction::*;
use crate::registers::{File, Register};
use ptx::Space;
use ptx::ast::{Kind, Operand, Type};
use ptx::space::LOCAL_START;

impl Builder<'_> {
    pub(super) fn sources(&mut self, operands: &[Operand], types: &[Type]) -> Result<[u16; 4]> {
        let mut indices = [0; 4];
        for ((index, operand), &element) in indices.iter_mut().zip(operands).zip(types) {
            *index = self.source(operand, element)?;
        }
        Ok(indices)
    }

    /// The register that holds an operand, read as `element`.
    pub(super) fn source(&mut self, operand: &Operand, element: Type) -> Result<u16> {
        let file = file_of(element);
        let bits = match operand {
            Operand::Name(name) => return self.named_source(name, element),
            Operand::Address { base: Some(name), plus } => {
                let meaning = self.meaning(name)?;
                return self.variable_address((name, meaning), *plus, file);
            }
            // An integer immediate is a bit pattern; `1` for a float is not valid PTX.
            Operand::Integer(v) if element.kind == Kind::Predicate => {
                if *v == 0 {
                    0
                } else {
                    u64::MAX
                }
            }
            Operand::Integer(v) if element.kind != Kind::Float => *v,
            Operand::Single(v) if element.bits == 64 => f64::from(f32::from_bits(*v)).to_bits(),
            Operand::Single(v) => u64::from(*v),
            Operand::Double(v) if element.bits == 64 => *v,
            Operand::Double(v) => u64::from((f64::from_bits(*v) as f32).to_bits()),
            _ => return self.error("this kind of operand is not allowed here"),
        };
        let bits = if file == File::Words { u64::from(bits as u32) } else { bits };
        self.constant(file, Constant::Bits(bits))
    }

    fn named_source(&mut self, name: &str, element: Type) -> Result<u16> {
        let file = file_of(element);
        if let Some((special, bits)) = special(name) {
            return match (file, bits) {
                (File::Words, 32 | 64) | (File::Doubles, 64) | (File::Predicates, 1) => {
                    self.constant(file, Constant::Special(special))
                }
                (_, 1) => self.error(format!("`{name}` is a predicate")),
                _ => self.error(format!("`{name}` has 32 bits")),
            };
        }
        if let Some(place) = name.strip_prefix("%reserved_smem_offset_") {
            let bits = self.reserved_shared(name, place)?;
            return self.constant(file, Constant::Bits(bits));
        }
        match self.meaning(name)? {
            Meaning::Register(register) => {
                self.current.sources.push(register);
                match (register.file, file) {
                    (from, to) if from == to => Ok(register.index),
                    // `cvt` and `st` may read the low bits of a wider register.
                    (File::Doubles, File::Words) => {
                        self.compute(Fast::U32FromU64, register.index, 0)
                    }
                    _ => self.error(format!("`{name}` has the wrong type for this instruction")),
                }
            }
            meaning => self.variable_address((name, meaning), 0, file),
        }
    }

    /// An address in the shared memory reserved for the system, which the kernel gets if it reads it.
    fn reserved_shared(&mut self, name: &str, place: &str) -> Result<u64> {
        let first = match self.program.reserved_offset {
            Some(first) => first,
            None => {
                let first = self.reserve_shared("reserved shared memory", 16, RESERVED_SHARED)?;
                self.program.reserved_offset = Some(first);
                first
            }
        };
        Ok(match place {
            "begin" | "0" => first,
            "end" => first + RESERVED_SHARED,
            "cap" => RESERVED_SHARED,
            "1" => first + RESERVED_SHARED / 2,
            _ => return self.error(format!("`{name}` is not declared")),
        })
    }

    /// The address of a variable in its space.
    pub(super) fn address_of(&self, name: &str, meaning: Meaning, plus: i64) -> Result<Constant> {
        match meaning {
            Meaning::Offset(Space::Shared, offset) => Ok(Constant::Shared(offset, plus)),
            Meaning::Offset(space, offset) => {
                let start = if space == Space::Local { LOCAL_START } else { 0 };
                Ok(Constant::Bits((start + offset).wrapping_add_signed(plus)))
            }
            Meaning::Global(_, index) => Ok(Constant::Address(index, plus)),
            Meaning::DynamicShared => Ok(Constant::DynamicShared(plus)),
            Meaning::Function(index) => {
                let address = function_address(index as usize);
                Ok(Constant::Bits(address.wrapping_add_signed(plus)))
            }
            Meaning::Register(_)
            | Meaning::Frame(_)
            | Meaning::Label(_)
            | Meaning::BranchTargets(_)
            | Meaning::Wide(_)
            | Meaning::Signature(_) => self.error(format!("`{name}` is not a variable")),
        }
    }

    /// A predicate register by name.
    pub(super) fn predicate(&mut self, name: &str) -> Result<u16> {
        self.source(&Operand::Name(name.to_string()), Type { kind: Kind::Predicate, bits: 0 })
    }

    /// A predicate operand, and whether it is negated.
    pub(super) fn predicate_operand(&mut self, operand: &Operand) -> Result<(u16, bool)> {
        match operand {
            Operand::Not(name) => Ok((self.predicate(name)?, true)),
            _ => Ok((self.source(operand, Type { kind: Kind::Predicate, bits: 0 })?, false)),
        }
    }

    /// The register that an instruction writes.
    pub(super) fn destination(&mut self, operand: &Operand, element: Type) -> Result<u16> {
        let register = self.target(operand)?;
        match register {
            Some(r) if r.file == file_of(element) => Ok(r.index),
            Some(_) => self.error("the destination has the wrong type for this instruction"),
            None => Ok(self.temporary(file_of(element))?.index),
        }
    }

    /// The register that is written, of whatever type; `None` for `_`.
    pub(super) fn target(&mut self, operand: &Operand) -> Result<Option<Register>> {
        match operand {
            Operand::Name(name) if name == "_" => Ok(None),
            Operand::Name(name) => match self.meaning(name)? {
                Meaning::Register(register) => {
                    self.current.destinations.push(register);
                    Ok(Some(register))
                }
                _ => self.error(format!("`{name}` is not a register")),
            },
            _ => self.error("the destination must be a register"),
        }
    }

    /// Records a register that is written other than through [`Builder::destination`].
    pub(super) fn writes(&mut self, register: Register) {
        self.current.destinations.push(register);
    }

    /// Records a register that is read other than through [`Builder::source`].
    pub(super) fn reads(&mut self, register: Register) {
        self.current.sources.push(register);
    }
}
