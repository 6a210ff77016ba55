//! Addresses of elements. What is known of an index goes into the offset of the access, so that neighbours share the rest.

use super::function::Lowerer;
use super::part::Part;
use crate::error::{Problem, problem};
use crate::machine::{Base, Operand, Register};
use crate::syntax::{Action, Flags, Value};
use crate::types::{Class, Type};

/// How an index of 32 bits becomes one of 64.
#[derive(Clone, Copy, PartialEq)]
enum Extension {
    None,
    Signed,
    Unsigned,
}

impl Lowerer<'_> {
    pub fn element(
        &mut self,
        base: &Type,
        pointer_kind: &Type,
        pointer: &Value,
        indices: &[(Type, Value)],
    ) -> Result<Part, Problem> {
        let (mut start, mut plus, _) = self.pointer(pointer, pointer_kind)?;
        let mut kind = base.clone();
        for (at, (index_kind, index)) in indices.iter().enumerate() {
            let (element, is_field) = match (&kind, at) {
                (kind, 0) => (kind.clone(), false),
                (Type::Array(_, element), _) => ((**element).clone(), false),
                (Type::Vector(_, scalar), _) => (Type::Scalar(*scalar), false),
                (Type::Struct(_), _) => (Type::Other, true),
                _ => return problem("an index into something that has no elements"),
            };
            if is_field {
                let index =
                    Self::known(index).ok_or_else(|| Problem::new("a field has a number"))?;
                let (field, offset, _) = kind.part(index)?;
                plus = plus.wrapping_add(offset as i64);
                kind = field;
                continue;
            }
            let size = element.size()? as i64;
            kind = element;
            if let Some(index) = Self::known(index) {
                let unused = 64 - index_kind.scalar()?.bits();
                let index = (index as i64) << unused >> unused;
                plus = plus.wrapping_add(index.wrapping_mul(size));
                continue;
            }
            let (term, known) = self.term(index_kind, index, size)?;
            plus = plus.wrapping_add(known);
            start = Base::Register(match start {
                Base::Nothing => term,
                start => {
                    let start = self.sum(start, 0);
                    self.pure("add.s64", Class::B64, vec![start, Operand::Register(term)])
                }
            });
        }
        // An offset in an instruction has 32 bits.
        if i32::try_from(plus).is_err() && start != Base::Nothing {
            let whole = self.sum(start, plus);
            return Ok(Part::of_pointer(&whole));
        }
        Ok(Part::Address(start, plus))
    }

    /// The bytes of an index that varies, and those of the number that is added to it.
    fn term(&mut self, kind: &Type, index: &Value, size: i64) -> Result<(Register, i64), Problem> {
        let (mut value, mut scale, mut plus) = (index.clone(), size, 0_i64);
        let mut extension = match kind.scalar()?.bits() {
            64 => Extension::None,
            32 => Extension::Signed,
            _ => return problem("an index of this width is not supported"),
        };
        while let Value::Local(local) = &value {
            let Some(source) = self.sources.get(*local).copied().flatten() else { break };
            match &source.action {
                Action::Binary { name, flags, left, right, .. } => {
                    let Some(known) = Self::known(right) else { break };
                    let known = if extension == Extension::None {
                        known as i64
                    } else {
                        (known as i32).into()
                    };
                    match (*name, extension) {
                        ("add", _) if may_split(*flags, extension) => {
                            let known = match extension {
                                Extension::Unsigned => i64::from(known as u32),
                                _ => known,
                            };
                            plus = plus.wrapping_add(known.wrapping_mul(scale));
                        }
                        ("or", _) if flags.is_disjoint && known >= 0 => {
                            plus = plus.wrapping_add(known.wrapping_mul(scale));
                        }
                        ("mul", Extension::None) => scale = scale.wrapping_mul(known),
                        ("shl", Extension::None) if (0..32).contains(&known) => {
                            scale = scale.wrapping_shl(known as u32)
                        }
                        _ => break,
                    }
                    value = left.clone();
                }
                Action::Convert { name, flags, from, value: inner, .. }
                    if extension == Extension::None && *from == Type::bits(32) =>
                {
                    extension = match *name {
                        "sext" => Extension::Signed,
                        // Both are the same where nothing is negative; the sum below decides which helps.
                        "zext" if flags.no_unsigned_wrap && !self.is_unsigned_sum(inner) => {
                            Extension::Signed
                        }
                        "zext" => Extension::Unsigned,
                        _ => break,
                    };
                    value = inner.clone();
                }
                _ => break,
            }
        }
        let operand = match extension {
            Extension::None => self.scalar(&Type::bits(64), &value)?,
            _ => self.scalar(&Type::bits(32), &value)?,
        };
        let class = if extension == Extension::None { Class::B64 } else { Class::B32 };
        let operand = Operand::Register(self.in_register(operand, class));
        Ok((self.scaled(operand, extension, scale), plus))
    }

    /// Whether a value is a sum of which it is not known that it has no signed overflow.
    fn is_unsigned_sum(&self, value: &Value) -> bool {
        let Value::Local(local) = value else { return true };
        match self.sources.get(*local).copied().flatten().map(|it| &it.action) {
            Some(Action::Binary { name: "add", flags, .. }) => {
                flags.no_unsigned_wrap || !flags.no_signed_wrap
            }
            _ => true,
        }
    }

    fn scaled(&mut self, operand: Operand, extension: Extension, scale: i64) -> Register {
        let is_small = match extension {
            Extension::Signed => i32::try_from(scale).is_ok(),
            _ => u32::try_from(scale).is_ok(),
        };
        let (opcode, operands) = match (extension, scale) {
            (Extension::Signed, 1) => ("cvt.s64.s32", vec![operand]),
            (Extension::Unsigned, 1) => ("cvt.u64.u32", vec![operand]),
            (Extension::Signed, _) if is_small => {
                ("mul.wide.s32", vec![operand, Operand::Integer(scale)])
            }
            (Extension::Unsigned, _) if is_small => {
                ("mul.wide.u32", vec![operand, Operand::Integer(scale)])
            }
            (Extension::None, 1) => return self.in_register(operand, Class::B64),
            (Extension::None, scale) if scale > 0 && scale & (scale - 1) == 0 => {
                ("shl.b64", vec![operand, Operand::Integer(scale.trailing_zeros().into())])
            }
            (extension, scale) => {
                let opcode =
                    if extension == Extension::Signed { "cvt.s64.s32" } else { "cvt.u64.u32" };
                let wide = match extension {
                    Extension::None => operand,
                    _ => Operand::Register(self.pure(opcode, Class::B64, vec![operand])),
                };
                ("mul.lo.s64", vec![wide, Operand::Integer(scale)])
            }
        };
        self.pure(opcode, Class::B64, operands)
    }
}

/// Whether a number may be taken out of a sum before the sum is extended.
fn may_split(flags: Flags, extension: Extension) -> bool {
    match extension {
        Extension::None => true,
        Extension::Signed => flags.no_signed_wrap,
        Extension::Unsigned => flags.no_unsigned_wrap,
    }
}
