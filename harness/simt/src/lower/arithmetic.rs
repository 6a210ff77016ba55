//! Arithmetic that is not in the fast table: opcode and modifiers to [`General`].

use super::builder::{Builder, Result, file_of};
use super::program::*;
use crate::alu::{Arithmetic32, Bitwise, Fast, Float, FloatModifiers, General, Integral, Scalar};
use crate::events::Class;
use crate::ptx::ast::{Instruction, Kind, Operand, Type};
use crate::semantics::Rounding;
use crate::semantics::bits::PermuteMode;
use crate::semantics::compare::{Comparison, Property};

const PREDICATE: Type = Type { kind: Kind::Predicate, bits: 0 };
const WORD: Type = Type { kind: Kind::Bits, bits: 32 };

fn scalar(element: Type) -> Option<Scalar> {
    Some(match (element.kind, element.bits) {
        (Kind::Float, 32) => Scalar::F32,
        (Kind::Float, 64) => Scalar::F64,
        (Kind::Signed, 8) => Scalar::I8,
        (Kind::Signed, 16) => Scalar::I16,
        (Kind::Signed, 32) => Scalar::I32,
        (Kind::Signed, 64) => Scalar::I64,
        (Kind::Bits | Kind::Unsigned, 8) => Scalar::U8,
        (Kind::Bits | Kind::Unsigned, 16) => Scalar::U16,
        (Kind::Bits | Kind::Unsigned, 32) => Scalar::U32,
        (Kind::Bits | Kind::Unsigned, 64) => Scalar::U64,
        _ => return None,
    })
}

fn comparison(word: &str) -> Option<Comparison> {
    use Comparison::*;
    Some(match word {
        "eq" => Equal,
        "ne" => NotEqual,
        "lt" | "lo" => Less,
        "le" | "ls" => LessEqual,
        "gt" | "hi" => Greater,
        "ge" | "hs" => GreaterEqual,
        "equ" => EqualUnordered,
        "neu" => NotEqualUnordered,
        "ltu" => LessUnordered,
        "leu" => LessEqualUnordered,
        "gtu" => GreaterUnordered,
        "geu" => GreaterEqualUnordered,
        "num" => Number,
        "nan" => NotNumber,
        _ => return None,
    })
}

fn rounding(word: &str) -> Option<Rounding> {
    Some(match word {
        "rn" | "rni" => Rounding::Nearest,
        "rz" | "rzi" => Rounding::Zero,
        "rm" | "rmi" => Rounding::Down,
        "rp" | "rpi" => Rounding::Up,
        _ => return None,
    })
}

/// An opcode taken apart.
struct Opcode<'a> {
    base: &'a str,
    /// Types, in order; `cvt` and `set` have two.
    types: Vec<Type>,
    rounding: Option<Rounding>,
    ftz: bool,
    sat: bool,
    /// All other modifiers.
    rest: Vec<&'a str>,
}

impl<'a> Opcode<'a> {
    fn parse(opcode: &'a str) -> Opcode<'a> {
        let mut parts = opcode.split('.');
        let base = parts.next().unwrap_or_default();
        let mut found =
            Opcode { base, types: vec![], rounding: None, ftz: false, sat: false, rest: vec![] };
        for part in parts {
            match part {
                "ftz" => found.ftz = true,
                "sat" => found.sat = true,
                _ => match (rounding(part), Type::parse(part)) {
                    (Some(r), _) => found.rounding = Some(r),
                    (_, Some(t)) => found.types.push(t),
                    _ => found.rest.push(part),
                },
            }
        }
        found
    }

    fn modifiers(&self) -> FloatModifiers {
        let rounding = self.rounding.unwrap_or(Rounding::Nearest);
        FloatModifiers { rounding, ftz: self.ftz, sat: self.sat }
    }

    fn is_plain(&self) -> bool {
        self.rounding.is_none() && !self.ftz && !self.sat
    }
}

/// Operation, sources' types, destination's type, class.
type Selected = (General, Vec<Type>, Type, Class);

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

    /// By way of temporaries: a destination may be the source.
    fn unpack(&mut self, targets: &[Operand], parts: &[(Fast, u16)], element: Type) -> Result<()> {
        let mut values = Vec::new();
        for &(fast, from) in parts {
            values.push(self.compute(fast, from, 0)?);
        }
        let copy = if element.bits == 16 { Fast::Move16 } else { Fast::Move32 };
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
        // The second destination takes the complement of the comparison, combined alike.
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

    fn combined(&mut self, predicate: u16, with: Option<(Logic, &Operand)>) -> Result<u16> {
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

    /// `set` to an integer gives all ones for true, to a float 1.0.
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
        // A destination may be wider than the type: the value is extended by its sign.
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
        // The condition code register is kept as a register of the operation's own width.
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

fn integral(opcode: &Opcode, element: Type) -> Option<Selected> {
    use {Bitwise::*, Integral::*};
    let scalar = scalar(element).filter(|_| element.bits >= 16)?;
    if !opcode.is_plain() {
        return None;
    }
    let unsigned = Type { kind: Kind::Unsigned, ..element };
    let integral = |operation, count: usize, class| {
        (General::Integral(operation, scalar), vec![element; count], element, class)
    };
    let bits = |operation, inputs: &[Type], output| {
        (General::Bitwise(operation, scalar), inputs.to_vec(), output, Class::Integer)
    };
    let typed = element.kind != Kind::Bits;
    Some(match (opcode.base, opcode.rest.as_slice()) {
        ("add", []) if typed => integral(Add, 2, Class::Integer),
        ("sub", []) if typed => integral(Sub, 2, Class::Integer),
        ("mul", ["lo"]) if typed => integral(MulLo, 2, Class::IntegerMul),
        ("mul", ["hi"]) if typed => integral(MulHi, 2, Class::IntegerMul),
        ("mad", ["lo"]) if typed => integral(MadLo, 3, Class::IntegerMul),
        ("mad", ["hi"]) if typed => integral(MadHi, 3, Class::IntegerMul),
        ("mul", ["wide"]) if typed && element.bits == 16 => wide(element, false),
        ("mad", ["wide"]) if typed && element.bits == 16 => wide(element, true),
        ("div", []) if typed => integral(Div, 2, Class::IntegerDiv),
        ("rem", []) if typed => integral(Rem, 2, Class::IntegerDiv),
        ("abs", []) if element.kind == Kind::Signed => integral(Abs, 1, Class::Integer),
        ("neg", []) if element.kind == Kind::Signed => integral(Neg, 1, Class::Integer),
        ("min", []) if typed => integral(Min, 2, Class::Integer),
        ("max", []) if typed => integral(Max, 2, Class::Integer),
        ("sad", []) if typed => integral(Sad, 3, Class::Integer),
        ("and", []) => bits(And, &[unsigned; 2], unsigned),
        ("or", []) => bits(Or, &[unsigned; 2], unsigned),
        ("xor", []) => bits(Xor, &[unsigned; 2], unsigned),
        ("not", []) => bits(Not, &[unsigned], unsigned),
        ("cnot", []) => bits(Cnot, &[unsigned], unsigned),
        ("shl", []) => bits(Shl, &[unsigned, WORD], unsigned),
        ("shr", []) => bits(Shr, &[element, WORD], element),
        ("popc", []) => bits(Popc, &[unsigned], WORD),
        ("clz", []) => bits(Clz, &[unsigned], WORD),
        ("bfind", []) => bits(Bfind(false), &[element], WORD),
        ("bfind", ["shiftamt"]) => bits(Bfind(true), &[element], WORD),
        ("brev", []) => bits(Brev, &[unsigned], unsigned),
        ("bfe", []) if element.bits >= 32 => bits(Bfe, &[element, WORD, WORD], element),
        ("bfi", []) if element.bits >= 32 => bits(Bfi, &[unsigned, unsigned, WORD, WORD], unsigned),
        _ => return None,
    })
}

fn wide(element: Type, add: bool) -> Selected {
    let signed = element.kind == Kind::Signed;
    let output = Type { bits: 32, ..element };
    let (operation, inputs) = if add {
        (Arithmetic32::MadWide16(signed), vec![element, element, output])
    } else {
        (Arithmetic32::MulWide16(signed), vec![element; 2])
    };
    (General::Arithmetic32(operation), inputs, output, Class::IntegerMul)
}

fn arithmetic32(i: &Instruction, opcode: &Opcode, element: Type) -> Option<Selected> {
    use Arithmetic32::*;
    if element.bits != 32 || opcode.rounding.is_some() || opcode.ftz {
        return None;
    }
    let signed = element.kind == Kind::Signed;
    let (operation, count, class) = match (opcode.base, opcode.rest.as_slice(), opcode.sat) {
        ("add", [], true) if signed => (AddSat, 2, Class::Integer),
        ("sub", [], true) if signed => (SubSat, 2, Class::Integer),
        ("mad", ["hi"], true) if signed => (MadHiSat, 3, Class::IntegerMul),
        ("mul24", ["lo"], false) => (Mul24Lo(signed), 2, Class::IntegerMul),
        ("mul24", ["hi"], false) => (Mul24Hi(signed), 2, Class::IntegerMul),
        ("mad24", ["lo"], false) => (Mad24Lo(signed), 3, Class::IntegerMul),
        ("mad24", ["hi"], false) => (Mad24Hi(signed), 3, Class::IntegerMul),
        ("mad24", ["hi"], true) if signed => (Mad24HiSat, 3, Class::IntegerMul),
        ("lop3", [], false) => match i.operands.last() {
            Some(Operand::Integer(table)) => (Lop3(u8::try_from(*table).ok()?), 3, Class::Integer),
            _ => return None,
        },
        ("prmt", mode, false) => (Prmt(permute(mode)?), 3, Class::Integer),
        ("shf", ["l", mode], false) => (ShfLeft(wraps(mode)?), 3, Class::Integer),
        ("shf", ["r", mode], false) => (ShfRight(wraps(mode)?), 3, Class::Integer),
        _ => return None,
    };
    Some((General::Arithmetic32(operation), vec![element; count], element, class))
}

fn wraps(mode: &str) -> Option<bool> {
    match mode {
        "wrap" => Some(true),
        "clamp" => Some(false),
        _ => None,
    }
}

fn dot(opcode: &Opcode, a: Type, b: Type) -> Option<Selected> {
    let signed = |t: Type| t.kind == Kind::Signed;
    let operation = match (opcode.base, opcode.rest.as_slice()) {
        ("dp4a", []) => Arithmetic32::Dp4a(signed(a), signed(b)),
        ("dp2a", ["lo"]) => Arithmetic32::Dp2a(signed(a), signed(b), false),
        ("dp2a", ["hi"]) => Arithmetic32::Dp2a(signed(a), signed(b), true),
        _ => return None,
    };
    (a.bits == 32 && b.bits == 32)
        .then(|| (General::Arithmetic32(operation), vec![WORD; 3], WORD, Class::Integer))
}

fn select(opcode: &Opcode, element: Type, chooser: Type) -> Option<Selected> {
    let by = scalar(chooser).filter(|s| matches!(s, Scalar::F32 | Scalar::I32))?;
    let data = scalar(element).filter(|_| element.bits >= 32 && opcode.rest.is_empty())?;
    let general = General::Select(data, by, opcode.ftz);
    Some((general, vec![element, element, chooser], element, Class::Predicate))
}

fn permute(modifiers: &[&str]) -> Option<PermuteMode> {
    Some(match modifiers {
        [] => PermuteMode::Index,
        ["f4e"] => PermuteMode::Forward4,
        ["b4e"] => PermuteMode::Backward4,
        ["rc8"] => PermuteMode::Replicate8,
        ["ecl"] => PermuteMode::EdgeClampLeft,
        ["ecr"] => PermuteMode::EdgeClampRight,
        ["rc16"] => PermuteMode::Replicate16,
        _ => return None,
    })
}

fn float(opcode: &Opcode, element: Type) -> Option<Selected> {
    use Float::*;
    if element.bits < 32 {
        return None;
    }
    let is_double = element.bits == 64;
    // Where subnormal numbers are kept, hardware scales before and after the special function unit.
    let scaled = if opcode.ftz { Class::Mufu } else { Class::MufuSubnormal };
    let (operation, count, class) = match (opcode.base, opcode.rest.as_slice()) {
        ("add", []) => (Add, 2, Class::Fp32Add),
        ("sub", []) => (Sub, 2, Class::Fp32Add),
        ("mul", []) => (Mul, 2, Class::Fp32Mul),
        ("fma" | "mad", []) if opcode.rounding.is_some() => (Fma, 3, Class::Fp32Fma),
        ("div", []) if opcode.rounding.is_some() => (Div, 2, Class::DivRn),
        ("div", ["approx"]) if !is_double => (DivApprox, 2, Class::Mufu),
        ("div", ["full"]) if !is_double => (DivFull, 2, Class::Mufu),
        ("rcp", []) if opcode.rounding.is_some() => (Rcp, 1, Class::RcpRn),
        ("rcp", ["approx"]) if !is_double || opcode.ftz => (RcpApprox, 1, Class::Mufu),
        ("sqrt", []) if opcode.rounding.is_some() => (Sqrt, 1, Class::SqrtRn),
        ("sqrt", ["approx"]) if !is_double => (SqrtApprox, 1, scaled),
        ("rsqrt", ["approx"]) => (RsqrtApprox, 1, scaled),
        ("ex2", ["approx"]) if !is_double => (Ex2, 1, scaled),
        ("lg2", ["approx"]) if !is_double => (Lg2, 1, scaled),
        ("sin", ["approx"]) if !is_double => (Sin, 1, Class::Mufu),
        ("cos", ["approx"]) if !is_double => (Cos, 1, Class::Mufu),
        ("tanh", ["approx"]) if !is_double => (Tanh, 1, Class::Mufu),
        ("min", []) => (Min(false), 2, Class::Fp32Add),
        ("max", []) => (Max(false), 2, Class::Fp32Add),
        ("min", ["NaN"]) if !is_double => (Min(true), 2, Class::Fp32Add),
        ("max", ["NaN"]) if !is_double => (Max(true), 2, Class::Fp32Add),
        ("neg", []) => (Neg, 1, Class::Fp32Add),
        ("abs", []) => (Abs, 1, Class::Fp32Add),
        ("copysign", []) => (Copysign, 2, Class::Fp32Add),
        ("testp", [property]) => {
            let test = General::Test(scalar(element)?, self::property(property)?);
            return Some((test, vec![element], PREDICATE, Class::Predicate));
        }
        _ => return None,
    };
    let modifiers = opcode.modifiers();
    if is_double && (opcode.sat || opcode.ftz && !matches!(operation, RcpApprox | RsqrtApprox)) {
        return None;
    }
    let (general, class) = if is_double {
        (General::Float64(operation, modifiers), Class::Fp64)
    } else {
        (General::Float32(operation, modifiers), class)
    };
    Some((general, vec![element; count], element, class))
}

fn property(word: &str) -> Option<Property> {
    Some(match word {
        "finite" => Property::Finite,
        "infinite" => Property::Infinite,
        "number" => Property::Number,
        "notanumber" => Property::NotNumber,
        "normal" => Property::Normal,
        "subnormal" => Property::Subnormal,
        _ => return None,
    })
}
