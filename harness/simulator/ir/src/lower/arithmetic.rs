//! Integers. A register that is wider than its integer has zeros in its other bits.

use super::function::Lowerer;
use super::part::Part;
use super::values::mask;
use crate::error::{Problem, problem};
use crate::machine::{Operand, Register};
use crate::syntax::{Action, Flags, Value};
use crate::types::{Class, Scalar, Type};

impl Lowerer<'_> {
    /// An instruction with two operands, on each pair of their scalars.
    pub fn binary(
        &mut self,
        name: &str,
        flags: Flags,
        kind: &Type,
        left: &Value,
        right: &Value,
    ) -> Result<Vec<Part>, Problem> {
        if let Some(wide) = self.wide_product(name, kind, left, right)? {
            return Ok(vec![Part::Value(Operand::Register(wide))]);
        }
        if let ("xor", &Type::Scalar(Scalar::Integer(1)), Some(1)) =
            (name, kind, Self::known(right))
            && let Some(inverse) = self.inverse(left)?
        {
            return Ok(inverse);
        }
        let scalars = kind.parts()?;
        let (left, right) = (self.parts(kind, left)?, self.parts(kind, right)?);
        let mut results = Vec::new();
        for ((scalar, left), right) in scalars.into_iter().zip(left).zip(right) {
            let result = match scalar {
                Scalar::Integer(bits) => self.integer(name, bits, left, right)?,
                scalar => self.float(name, flags, scalar, left, right)?,
            };
            results.push(Part::Value(Operand::Register(result)));
        }
        Ok(results)
    }

    /// One operation on integers of so many bits.
    pub fn integer(
        &mut self,
        name: &str,
        bits: u32,
        left: Operand,
        right: Operand,
    ) -> Result<Register, Problem> {
        let class = Scalar::Integer(bits).class();
        if class == Class::Predicate {
            return self.logic(name, left, right);
        }
        let width = class.bits();
        let is_signed = matches!(name, "sdiv" | "srem" | "ashr");
        let (left, right) = match is_signed && bits < width {
            true if name == "ashr" => (self.sign_extended(left, bits, class), right),
            true => (self.sign_extended(left, bits, class), self.sign_extended(right, bits, class)),
            false => (left, right),
        };
        let is_shift = matches!(name, "shl" | "lshr" | "ashr");
        let right = if is_shift { self.amount(right, class) } else { right };
        let opcode = match name {
            "sub" if left == Operand::Integer(0) => {
                let negative = self.pure(format!("neg.s{width}"), class, vec![right]);
                return Ok(self.masked(negative, bits));
            }
            "xor" if right == Operand::Integer(-1) => {
                let left = self.in_register(left, class);
                return Ok(self.pure(
                    format!("not.b{width}"),
                    class,
                    vec![Operand::Register(left)],
                ));
            }
            "add" | "sub" => format!("{name}.s{width}"),
            "mul" => format!("mul.lo.s{width}"),
            "udiv" => format!("div.u{width}"),
            "sdiv" => format!("div.s{width}"),
            "urem" => format!("rem.u{width}"),
            "srem" => format!("rem.s{width}"),
            "and" | "or" | "xor" => format!("{name}.b{width}"),
            "shl" => format!("shl.b{width}"),
            "lshr" => format!("shr.u{width}"),
            "ashr" => format!("shr.s{width}"),
            _ => return problem(format!("`{name}` of integers is not supported")),
        };
        let left = Operand::Register(self.in_register(left, class));
        let result = self.pure(opcode, class, vec![left, right]);
        let may_grow = !matches!(name, "and" | "or" | "xor" | "udiv" | "urem" | "lshr");
        Ok(if may_grow { self.masked(result, bits) } else { result })
    }

    /// An operation on single bits.
    fn logic(&mut self, name: &str, left: Operand, right: Operand) -> Result<Register, Problem> {
        let opcode = match name {
            "add" | "sub" | "xor" if right == Operand::Integer(1) => {
                let left = self.in_register(left, Class::Predicate);
                return Ok(self.pure("not.pred", Class::Predicate, vec![Operand::Register(left)]));
            }
            "add" | "sub" | "xor" => "xor.pred",
            "and" | "mul" => "and.pred",
            "or" => "or.pred",
            // By 1, or undefined.
            "udiv" | "sdiv" | "shl" | "lshr" | "ashr" => {
                return Ok(self.in_register(left, Class::Predicate));
            }
            _ => return problem(format!("`{name}` of single bits is not supported")),
        };
        let both =
            [left, right].map(|it| Operand::Register(self.in_register(it, Class::Predicate)));
        Ok(self.pure(opcode, Class::Predicate, both.to_vec()))
    }

    /// The number of bits of a shift, which has 32 bits itself.
    fn amount(&mut self, amount: Operand, class: Class) -> Operand {
        match (amount, class) {
            (Operand::Register(register), Class::B16 | Class::B64) => {
                let opcode = format!("cvt.u32.u{}", class.bits());
                Operand::Register(self.pure(opcode, Class::B32, vec![Operand::Register(register)]))
            }
            (amount, _) => amount,
        }
    }

    /// The low bits of a register.
    pub fn masked(&mut self, register: Register, bits: u32) -> Register {
        let class = self.code.classes[register as usize];
        if class.bits() == bits {
            return register;
        }
        let operands = vec![Operand::Register(register), Operand::Integer(mask(bits) as i64)];
        self.pure(format!("and.b{}", class.bits()), class, operands)
    }

    /// An integer with its sign in all other bits of its register.
    pub fn sign_extended(&mut self, operand: Operand, bits: u32, class: Class) -> Operand {
        let width = class.bits();
        match operand {
            Operand::Integer(value) if bits < 64 => {
                let unused = 64 - bits;
                Operand::Integer(value << unused >> unused)
            }
            operand if bits == width => operand,
            operand if bits == 8 => {
                Operand::Register(self.pure(format!("cvt.s{width}.s8"), class, vec![operand]))
            }
            operand => {
                let unused = Operand::Integer((width - bits).into());
                let high = self.pure(format!("shl.b{width}"), class, vec![operand, unused.clone()]);
                let operands = vec![Operand::Register(high), unused];
                Operand::Register(self.pure(format!("shr.s{width}"), class, operands))
            }
        }
    }

    /// A product in 64 bits of what has 32.
    fn wide_product(
        &mut self,
        name: &str,
        kind: &Type,
        left: &Value,
        right: &Value,
    ) -> Result<Option<Register>, Problem> {
        if *kind != Type::bits(64) || !matches!(name, "mul" | "shl") {
            return Ok(None);
        }
        let Some((inner, is_signed)) = self.extended(left) else { return Ok(None) };
        let factor = match (name, Self::known(right)) {
            ("shl", Some(bits @ 0..=30)) => Operand::Integer(1 << bits),
            ("mul", Some(factor)) if is_signed && i32::try_from(factor as i64).is_ok() => {
                Operand::Integer(factor as i64)
            }
            ("mul", Some(factor)) if !is_signed && u32::try_from(factor).is_ok() => {
                Operand::Integer(factor as i64)
            }
            ("mul", None) => match self.extended(right) {
                Some((other, is_same)) if is_same == is_signed => {
                    self.scalar(&Type::bits(32), &other)?
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let inner = self.scalar(&Type::bits(32), &inner)?;
        let inner = Operand::Register(self.in_register(inner, Class::B32));
        let opcode = if is_signed { "mul.wide.s32" } else { "mul.wide.u32" };
        Ok(Some(self.pure(opcode, Class::B64, vec![inner, factor])))
    }

    /// The 32 bits that a value of 64 was made of, and whether by their sign.
    pub fn extended(&self, value: &Value) -> Option<(Value, bool)> {
        let Value::Local(local) = value else { return None };
        match &self.sources.get(*local)?.as_ref()?.action {
            Action::Convert { name: name @ ("sext" | "zext"), from, value, to, .. }
                if *from == Type::bits(32) && *to == Type::bits(64) =>
            {
                Some((value.clone(), *name == "sext"))
            }
            _ => None,
        }
    }
}
