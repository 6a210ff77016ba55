//! Arithmetic that is not in the fast table.

use super::builder::{Builder, Result};
use super::opcode::{
    Opcode, PREDICATE, WORD, arithmetic32, comparison, dot, float, integral, scalar, select,
};
use super::registers::file_of;
use crate::alu::lanewise::Compared;
use crate::alu::{Fast, FloatModifiers, General, Integral, Scalar};
use crate::class::Class;
use crate::instruction::*;
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Operand, Type};
use semantics::Rounding;

impl Builder<'_> {
    /// Arithmetic, comparisons, conversions and moves.
    pub(super) fn arithmetic(&mut self, i: &Instruction) -> Result<Class> {
        let opcode = Opcode::parse(&i.opcode);
        match opcode.base {
            "mov" => return self.pack(i),
            "setp" | "set" => return self.set(i, &opcode),
            "cvt" => return self.convert(i, &opcode),
            _ => {}
        }
        if opcode.types == [PREDICATE] {
            return self.logic(i, &opcode);
        }
        if opcode.rest.contains(&"cc") || matches!(opcode.base, "addc" | "subc" | "madc") {
            return self.carry(i, &opcode);
        }
        let selected = match opcode.types.as_slice() {
            [t] if t.kind == Kind::Float => float(&opcode, *t),
            [t] => integral(&opcode, *t).or_else(|| arithmetic32(i, &opcode, *t)),
            [t, c] if opcode.base == "slct" => select(&opcode, *t, *c),
            [_, t] if opcode.base == "testp" => float(&opcode, *t),
            [a, b] if matches!(opcode.base, "dp4a" | "dp2a") => dot(&opcode, *a, *b),
            _ => None,
        };
        let Some((general, inputs, output, class)) = selected else {
            return self.unsupported(&i.opcode);
        };
        let extra = usize::from(opcode.base == "lop3");
        self.arity(i, 1 + inputs.len() + extra)?;
        let operands = self.sources(&i.operands[1..], &inputs)?;
        let d = self.destination(&i.operands[0], output)?;
        self.emit(Operation::General(general), d, operands)?;
        Ok(class)
    }

    /// `mov` between a vector of registers and one wider register.
    fn pack(&mut self, i: &Instruction) -> Result<Class> {
        const HALF: Type = Type { kind: Kind::Bits, bits: 16 };
        const DOUBLE: Type = Type { kind: Kind::Bits, bits: 64 };
        self.arity(i, 2)?;
        if i.opcode == "mov.pred" {
            let a = self.source(&i.operands[1], PREDICATE)?;
            let d = self.destination(&i.operands[0], PREDICATE)?;
            self.emit(Operation::Predicate(Logic::Move), d, [a, 0, 0, 0])?;
            return Ok(Class::Predicate);
        }
        match (i.opcode.as_str(), &i.operands[0], &i.operands[1]) {
            ("mov.b128", d, a) => {
                let from = match a {
                    Operand::Vector(all) if all.len() == 2 => {
                        let [low, high, ..] = self.sources(all, &[DOUBLE; 2])?;
                        [low, high]
                    }
                    one => self.wide_source(one)?,
                };
                if let Operand::Vector(all) = d
                    && all.len() == 2
                {
                    let parts = from.map(|half| (Fast::Move64, half));
                    self.unpack(all, &parts, DOUBLE)?;
                } else {
                    for (d, half) in self.wide_destination(d)?.into_iter().zip(from) {
                        self.emit(Operation::Fast(Fast::Move64), d, [half, 0, 0, 0])?;
                    }
                }
            }
            ("mov.b64", d, Operand::Vector(all)) if all.len() == 2 => {
                let [a, b, ..] = self.sources(all, &[WORD; 2])?;
                let d = self.destination(d, DOUBLE)?;
                self.emit(Operation::Fast(Fast::Pack32), d, [a, b, 0, 0])?;
            }
            ("mov.b64", d, Operand::Vector(all)) if all.len() == 4 => {
                let [a, b, c, e] = self.sources(all, &[HALF; 4])?;
                let low = self.compute(Fast::Pack16, a, b)?;
                let high = self.compute(Fast::Pack16, c, e)?;
                let d = self.destination(d, DOUBLE)?;
                self.emit(Operation::Fast(Fast::Pack32), d, [low, high, 0, 0])?;
            }
            ("mov.b32", d, Operand::Vector(all)) if all.len() == 2 => {
                let [a, b, ..] = self.sources(all, &[HALF; 2])?;
                let d = self.destination(d, WORD)?;
                self.emit(Operation::Fast(Fast::Pack16), d, [a, b, 0, 0])?;
            }
            ("mov.b64", Operand::Vector(all), a) if all.len() == 2 => {
                let a = self.source(a, DOUBLE)?;
                self.unpack(all, &[(Fast::U32FromU64, a), (Fast::High32, a)], WORD)?;
            }
            ("mov.b32", Operand::Vector(all), a) if all.len() == 2 => {
                let a = self.source(a, WORD)?;
                self.unpack(all, &[(Fast::Low16, a), (Fast::High16, a)], HALF)?;
            }
            ("mov.b64", Operand::Vector(all), a) if all.len() == 4 => {
                let a = self.source(a, DOUBLE)?;
                let low = self.compute(Fast::U32FromU64, a, 0)?;
                let high = self.compute(Fast::High32, a, 0)?;
                let parts = [
                    (Fast::Low16, low),
                    (Fast::High16, low),
                    (Fast::Low16, high),
                    (Fast::High16, high),
                ];
                self.unpack(all, &parts, HALF)?;
            }
            _ => return self.unsupported(&i.opcode),
        }
        Ok(Class::Move)
    }

    /// Through temporaries, because a destination may be the source.
    fn unpack(&mut self, targets: &[Operand], parts: &[(Fast, u16)], element: Type) -> Result<()> {
        let mut values = Vec::new();
        for &(fast, from) in parts {
            values.push(self.compute(fast, from, 0)?);
        }
        let copy = match element.bits {
            16 => Fast::Move16,
            32 => Fast::Move32,
            _ => Fast::Move64,
        };
        for (target, value) in targets.iter().zip(values) {
            let d = self.destination(target, element)?;
            self.emit(Operation::Fast(copy), d, [value, 0, 0, 0])?;
        }
        Ok(())
    }

    /// `and.pred` and the like.
    fn logic(&mut self, i: &Instruction, opcode: &Opcode) -> Result<Class> {
        let (logic, count) = match opcode.base {
            "and" => (Logic::And, 2),
            "or" => (Logic::Or, 2),
            "xor" => (Logic::Xor, 2),
            "not" => (Logic::Not, 1),
            _ => return self.unsupported(&i.opcode),
        };
        self.arity(i, 1 + count)?;
        let operands = self.sources(&i.operands[1..], &[PREDICATE; 2][..count])?;
        let d = self.destination(&i.operands[0], PREDICATE)?;
        self.emit(Operation::Predicate(logic), d, operands)?;
        Ok(Class::Predicate)
    }

    /// `setp.cmp{.bool}.type p{|q}, a, b{, c}` and `set.cmp{.bool}.dtype.stype d, a, b{, c}`.
    fn set(&mut self, i: &Instruction, opcode: &Opcode) -> Result<Class> {
        let is_setp = opcode.base == "setp";
        let element = opcode.types.last().copied();
        let (Some(element), true) = (element, opcode.types.len() == if is_setp { 1 } else { 2 })
        else {
            return self.unsupported(&i.opcode);
        };
        let (compare, boolean) = match opcode.rest.as_slice() {
            [c] => (comparison(c), None),
            [c, "and"] => (comparison(c), Some(Logic::And)),
            [c, "or"] => (comparison(c), Some(Logic::Or)),
            [c, "xor"] => (comparison(c), Some(Logic::Xor)),
            _ => (None, None),
        };
        let (Some(compare), Some(scalar)) = (compare, scalar(element)) else {
            return self.unsupported(&i.opcode);
        };
        if opcode.rounding.is_some() || opcode.sat || (opcode.ftz && scalar != Scalar::F32) {
            return self.unsupported(&i.opcode);
        }
        self.arity(i, 3 + usize::from(boolean.is_some()))?;
        let operation = match scalar {
            Scalar::U32 => Operation::Compare(Compared::U32, compare),
            Scalar::I32 => Operation::Compare(Compared::I32, compare),
            Scalar::F32 if !opcode.ftz => Operation::Compare(Compared::F32, compare),
            Scalar::U64 => Operation::Compare(Compared::U64, compare),
            Scalar::I64 => Operation::Compare(Compared::I64, compare),
            Scalar::F64 => Operation::Compare(Compared::F64, compare),
            _ => Operation::General(General::Compare(scalar, compare, opcode.ftz)),
        };
        let operands = self.sources(&i.operands[1..3], &[element; 2])?;
        if let (true, None, Operand::Name(_)) = (is_setp, boolean, &i.operands[0]) {
            let d = self.destination(&i.operands[0], PREDICATE)?;
            self.emit(operation, d, operands)?;
            return Ok(Class::Predicate);
        }
        let compared = self.temporary(File::Predicates)?.index;
        self.emit(operation, compared, operands)?;
        let combine = boolean.map(|logic| (logic, &i.operands[3]));
        if !is_setp {
            let p = self.combined(compared, combine)?;
            return self.set_value(i, opcode.types[0], p);
        }
        // The second destination gets the complement of the comparison, combined in the same way.
        let complement = self.temporary(File::Predicates)?.index;
        self.emit(Operation::Predicate(Logic::Not), complement, [compared, 0, 0, 0])?;
        let p = self.combined(compared, combine)?;
        let q = self.combined(complement, combine)?;
        let (first, second) = match &i.operands[0] {
            Operand::Pair(p, q) => (Operand::Name(p.clone()), Operand::Name(q.clone())),
            other => (other.clone(), Operand::Name("_".to_string())),
        };
        for (target, value) in [(first, p), (second, q)] {
            let d = self.destination(&target, PREDICATE)?;
            self.emit(Operation::Predicate(Logic::Move), d, [value, 0, 0, 0])?;
        }
        Ok(Class::Predicate)
    }

    pub(super) fn combined(
        &mut self,
        predicate: u16,
        with: Option<(Logic, &Operand)>,
    ) -> Result<u16> {
        let Some((logic, operand)) = with else { return Ok(predicate) };
        let (mut c, negated) = self.predicate_operand(operand)?;
        if negated {
            let complement = self.temporary(File::Predicates)?.index;
            self.emit(Operation::Predicate(Logic::Not), complement, [c, 0, 0, 0])?;
            c = complement;
        }
        let d = self.temporary(File::Predicates)?.index;
        self.emit(Operation::Predicate(logic), d, [predicate, c, 0, 0])?;
        Ok(d)
    }

    /// `set` gives all ones for true as an integer, 1.0 as a float.
    fn set_value(&mut self, i: &Instruction, to: Type, predicate: u16) -> Result<Class> {
        let one = match (to.kind, to.bits) {
            (Kind::Float, 32) => u64::from(1f32.to_bits()),
            (Kind::Signed | Kind::Unsigned, 32) => u64::from(u32::MAX),
            _ => return self.unsupported(&i.opcode),
        };
        let one = self.constant(File::Words, Constant::Bits(one))?;
        let zero = self.constant(File::Words, Constant::Bits(0))?;
        let d = self.destination(&i.operands[0], to)?;
        self.emit(Operation::Fast(Fast::Select32), d, [one, zero, predicate, 0])?;
        Ok(Class::Predicate)
    }

    fn convert(&mut self, i: &Instruction, opcode: &Opcode) -> Result<Class> {
        self.arity(i, 2)?;
        let [to, from] = opcode.types[..] else { return self.unsupported(&i.opcode) };
        let (Some(to_scalar), Some(from_scalar), true) =
            (scalar(to), scalar(from), opcode.rest.is_empty())
        else {
            return self.unsupported(&i.opcode);
        };
        let modifiers = opcode.modifiers();
        let general = General::Convert(from_scalar, to_scalar, opcode.rounding, modifiers);
        let a = self.source(&i.operands[1], from)?;
        // If the destination is wider than the type, the value is sign-extended.
        let target = self.target(&i.operands[0])?;
        match target {
            Some(r) if r.file == File::Doubles && file_of(to) == File::Words => {
                let narrow = self.temporary(File::Words)?.index;
                self.emit(Operation::General(general), narrow, [a, 0, 0, 0])?;
                let extend = General::Convert(
                    to_scalar,
                    if to.kind == Kind::Signed { Scalar::I64 } else { Scalar::U64 },
                    None,
                    FloatModifiers { rounding: Rounding::Nearest, ftz: false, sat: false },
                );
                self.emit(Operation::General(extend), r.index, [narrow, 0, 0, 0])?;
            }
            Some(r) if r.file == file_of(to) => {
                self.emit(Operation::General(general), r.index, [a, 0, 0, 0])?;
            }
            Some(_) => {
                return self.error("the destination has the wrong type for this instruction");
            }
            None => {}
        }
        Ok(Class::Conversion)
    }

    /// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`.
    fn carry(&mut self, i: &Instruction, opcode: &Opcode) -> Result<Class> {
        let (base, carry_in) = match opcode.base {
            "addc" => ("add", true),
            "subc" => ("sub", true),
            "madc" => ("mad", true),
            base => (base, false),
        };
        let [element] = opcode.types[..] else { return self.unsupported(&i.opcode) };
        let carry_out = opcode.rest.contains(&"cc");
        let half: Vec<_> = opcode.rest.iter().copied().filter(|r| *r != "cc").collect();
        let (operation, multiply) = match (base, half.as_slice()) {
            ("add", []) => (Integral::AddCarry, None),
            ("sub", []) => (Integral::SubBorrow, None),
            ("mad", ["lo"]) => (Integral::AddCarry, Some(Integral::MulLo)),
            ("mad", ["hi"]) => (Integral::AddCarry, Some(Integral::MulHi)),
            _ => return self.unsupported(&i.opcode),
        };
        let signed = scalar(element);
        let unsigned = match (element.kind, element.bits) {
            (Kind::Signed | Kind::Unsigned, 32) => Scalar::U32,
            (Kind::Signed | Kind::Unsigned, 64) => Scalar::U64,
            _ => return self.unsupported(&i.opcode),
        };
        let (Some(signed), true) = (signed, opcode.is_plain()) else {
            return self.unsupported(&i.opcode);
        };
        let count = if multiply.is_some() { 3 } else { 2 };
        self.arity(i, 1 + count)?;
        let mut operands = self.sources(&i.operands[1..], &[element; 3][..count])?;
        let file = file_of(element);
        if let Some(multiply) = multiply {
            let product = self.temporary(file)?.index;
            self.emit(Operation::General(General::Integral(multiply, signed)), product, operands)?;
            operands = [product, operands[2], 0, 0];
        }
        // The condition code is a register of the operation's width.
        let flag = self.carry_flag(file)?;
        let c = self.temporary(file)?.index;
        let copy = if file == File::Doubles { Fast::Move64 } else { Fast::Move32 };
        let from = if carry_in { flag } else { self.constant(file, Constant::Bits(0))? };
        self.emit(Operation::Fast(copy), c, [from, 0, 0, 0])?;
        let d = self.destination(&i.operands[0], element)?;
        let general = General::Integral(operation, unsigned);
        self.emit(Operation::General(general), d, [operands[0], operands[1], c, 0])?;
        if carry_out {
            self.emit(Operation::Fast(copy), flag, [c, 0, 0, 0])?;
        }
        Ok(if multiply.is_some() { Class::IntegerMul } else { Class::Integer })
    }
}
