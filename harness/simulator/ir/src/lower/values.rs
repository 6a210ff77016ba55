//! Values: of locals and of constants, as operands.

use std::rc::Rc;

use super::function::Lowerer;
use super::part::Part;
use super::{names, spaces};
use crate::error::{Problem, problem};
use crate::machine::{Base, Operand, Register, Space};
use crate::syntax::{Constant, Value};
use crate::types::{Class, Scalar, Type};

impl Lowerer<'_> {
    /// All scalars of a value; pointers as their type says, so that those without an address space are generic.
    pub fn parts(&mut self, kind: &Type, value: &Value) -> Result<Vec<Operand>, Problem> {
        if let Type::Scalar(Scalar::Pointer(number)) = kind {
            let space = Space::of_number(*number)
                .ok_or_else(|| Problem::new(format!("the address space {number} is not known")))?;
            return Ok(vec![self.pointer_in(value, kind, space)?]);
        }
        match value {
            Value::Local(local) => {
                let parts = self.local(*local)?;
                let operands = parts.iter().map(|part| match part {
                    Part::Value(operand) => operand.clone(),
                    Part::Address(base, plus) => self.sum(base.clone(), *plus),
                });
                Ok(operands.collect())
            }
            Value::Constant(constant) => {
                let mut operands = Vec::new();
                self.constant(kind, constant, &mut operands)?;
                Ok(operands)
            }
        }
    }

    /// The parts of a local.
    fn local(&self, local: usize) -> Result<Rc<[Part]>, Problem> {
        match self.values.get(local).cloned().flatten() {
            Some(parts) => Ok(parts),
            None => problem("a value is used where it is not defined"),
        }
    }

    /// The scalar that a value is.
    pub fn scalar(&mut self, kind: &Type, value: &Value) -> Result<Operand, Problem> {
        kind.scalar()?;
        self.parts(kind, value)?.pop().ok_or_else(|| Problem::new("a value has no parts"))
    }

    /// A value that is a number known now.
    pub fn known(value: &Value) -> Option<u64> {
        match value {
            Value::Constant(Constant::Bits(bits)) => Some(*bits),
            Value::Constant(Constant::Zero) => Some(0),
            _ => None,
        }
    }

    fn constant(
        &mut self,
        kind: &Type,
        constant: &Constant,
        operands: &mut Vec<Operand>,
    ) -> Result<(), Problem> {
        let scalars = kind.parts()?;
        match (constant, scalars.as_slice()) {
            (Constant::Zero, scalars) => operands.extend(scalars.iter().map(|it| bits_of(*it, 0))),
            (Constant::Bits(bits), [scalar]) => operands.push(bits_of(*scalar, *bits)),
            (Constant::Bytes(bytes), scalars) if bytes.len() == scalars.len() => {
                operands.extend(
                    bytes.iter().zip(scalars).map(|(byte, it)| bits_of(*it, (*byte).into())),
                );
            }
            (Constant::Parts(parts), _) => {
                for (kind, part) in parts {
                    self.constant(kind, part, operands)?;
                }
            }
            (Constant::Splat(element), scalars) => {
                for _ in scalars {
                    self.constant(&element.0, &element.1, operands)?;
                }
            }
            (
                Constant::Address(_) | Constant::Cast(_) | Constant::After(..),
                [Scalar::Pointer(_) | Scalar::Integer(64)],
            ) => {
                let value = Value::Constant(constant.clone());
                operands.push(self.pointer_in(&value, &Type::pointer(), Space::Generic)?);
            }
            (Constant::Number(from), [target @ Scalar::Integer(_)]) => {
                let pointer = self.scalar(&from.0, &Value::Constant(from.1.clone()))?;
                let whole = Scalar::Integer(64);
                operands.push(self.resized(whole, pointer, *target, false));
            }
            (Constant::Sum(parts, is_difference), [Scalar::Integer(bits @ (32 | 64))]) => {
                let mut both = Vec::new();
                self.constant(kind, &parts.0, &mut both)?;
                self.constant(kind, &parts.1, &mut both)?;
                let opcode = format!("{}.s{bits}", if *is_difference { "sub" } else { "add" });
                let class = if *bits == 32 { Class::B32 } else { Class::B64 };
                let both =
                    both.into_iter().map(|it| Operand::Register(self.in_register(it, class)));
                let both = both.collect();
                operands.push(Operand::Register(self.pure(opcode, class, both)));
            }
            _ => return problem("this constant is not supported"),
        }
        match operands.len() > 4096 {
            true => problem("a constant has too many parts"),
            false => Ok(()),
        }
    }

    /// A pointer as an operand in a space.
    pub fn pointer_in(
        &mut self,
        value: &Value,
        kind: &Type,
        space: Space,
    ) -> Result<Operand, Problem> {
        match self.pointer_part(value, kind, space)? {
            Part::Address(base, plus) => Ok(self.sum(base, plus)),
            Part::Value(operand) => Ok(operand),
        }
    }

    /// A pointer as an address in a space.
    pub fn pointer_part(
        &mut self,
        value: &Value,
        kind: &Type,
        space: Space,
    ) -> Result<Part, Problem> {
        let (base, plus, own) = self.pointer(value, kind)?;
        if own == space {
            return Ok(Part::Address(base, plus));
        }
        // A null pointer is none in any space; a number is an address wherever it is used.
        if base == Base::Nothing {
            return Ok(Part::Address(base, plus));
        }
        let opcode = match (own, space) {
            (Space::Generic, Space::Param) | (Space::Param, _) => {
                return problem("the address of a parameter cannot be used here");
            }
            (own, Space::Generic) => format!("cvta{}.u64", own.modifier()),
            (Space::Generic, space) => format!("cvta.to{}.u64", space.modifier()),
            _ => {
                return problem(format!(
                    "a pointer into {own:?} memory is used as one into {space:?} memory"
                ));
            }
        };
        let operand = match base {
            Base::Register(register) => Operand::Register(register),
            base => self.sum(base, 0),
        };
        let converted = self.pure(opcode, Class::B64, vec![operand]);
        Ok(Part::Address(Base::Register(converted), plus))
    }

    /// What a pointer begins with, the bytes after that, and its space.
    pub fn pointer(&mut self, value: &Value, kind: &Type) -> Result<(Base, i64, Space), Problem> {
        match value {
            Value::Local(local) => {
                let space = self.origins[*local].space;
                match &*self.local(*local)? {
                    [Part::Address(base, plus)] => Ok((base.clone(), *plus, space)),
                    [Part::Value(operand)] => {
                        let register = self.in_register(operand.clone(), Class::B64);
                        Ok((Base::Register(register), 0, space))
                    }
                    _ => problem("a vector of pointers is not supported"),
                }
            }
            Value::Constant(constant) => {
                kind.scalar()?;
                let space = spaces::of_constant(self.context, constant);
                let (base, plus) = address(constant)?;
                Ok((base, plus, space))
            }
        }
    }

    /// The sum of a base and bytes, as an operand.
    pub fn sum(&mut self, base: Base, plus: i64) -> Operand {
        let register = match base {
            Base::Nothing => return Operand::Integer(plus),
            Base::Register(register) => register,
            Base::Symbol(name) => self.pure("mov.u64", Class::B64, vec![Operand::Name(name)]),
        };
        match plus {
            0 => Operand::Register(register),
            _ => {
                let operands = vec![Operand::Register(register), Operand::Integer(plus)];
                Operand::Register(self.pure("add.s64", Class::B64, operands))
            }
        }
    }

    /// An operand in a register.
    pub fn in_register(&mut self, operand: Operand, class: Class) -> Register {
        match operand {
            Operand::Register(register) => register,
            operand => self.pure(crate::machine::move_of(class), class, vec![operand]),
        }
    }
}

/// The bits of a scalar as an operand: those of integers as their registers have them.
pub(super) fn bits_of(scalar: Scalar, bits: u64) -> Operand {
    match scalar {
        Scalar::Float => Operand::Single(bits as u32),
        Scalar::Double => Operand::Double(bits),
        Scalar::Half | Scalar::BFloat => Operand::Integer((bits & 0xffff) as i64),
        Scalar::Pointer(_) => Operand::Integer(bits as i64),
        Scalar::Integer(16) => Operand::Integer((bits as i16).into()),
        Scalar::Integer(32) => Operand::Integer((bits as i32).into()),
        Scalar::Integer(width) => Operand::Integer((bits & mask(width)) as i64),
    }
}

/// So many ones.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// A symbol, or none, and the bytes after it.
fn address(constant: &Constant) -> Result<(Base, i64), Problem> {
    match constant {
        Constant::Zero => Ok((Base::Nothing, 0)),
        Constant::Bits(bits) => Ok((Base::Nothing, *bits as i64)),
        Constant::Address(name) => Ok((Base::Symbol(names::of_symbol(name)), 0)),
        Constant::Cast(inner) | Constant::Number(inner) => address(&inner.1),
        Constant::After(base, plus) => {
            let (base, before) = address(base)?;
            Ok((base, before.wrapping_add(*plus)))
        }
        _ => problem("this constant is no address"),
    }
}
