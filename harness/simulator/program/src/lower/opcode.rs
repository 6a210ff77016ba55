//! Splits opcodes into base, types and modifiers, and selects operations by them.

use crate::alu::{Arithmetic32, Bitwise, Float, FloatModifiers, General, Integral, Scalar};
use crate::class::Class;
use ptx::ast::{Instruction, Kind, Operand, Type};
use semantics::Rounding;
use semantics::bits::PermuteMode;
use semantics::compare::{Comparison, Property};

pub(super) const PREDICATE: Type = Type { kind: Kind::Predicate, bits: 0 };
pub(super) const WORD: Type = Type { kind: Kind::Bits, bits: 32 };

pub(super) fn scalar(element: Type) -> Option<Scalar> {
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

pub(super) fn comparison(word: &str) -> Option<Comparison> {
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

pub(super) fn rounding(word: &str) -> Option<Rounding> {
    Some(match word {
        "rn" | "rni" => Rounding::Nearest,
        "rz" | "rzi" => Rounding::Zero,
        "rm" | "rmi" => Rounding::Down,
        "rp" | "rpi" => Rounding::Up,
        _ => return None,
    })
}

/// A parsed opcode.
pub(super) struct Opcode<'a> {
    pub base: &'a str,
    /// Types, in order; `cvt` and `set` have two.
    pub types: Vec<Type>,
    pub rounding: Option<Rounding>,
    pub ftz: bool,
    pub sat: bool,
    /// All other modifiers.
    pub rest: Vec<&'a str>,
}

impl<'a> Opcode<'a> {
    pub(super) fn parse(opcode: &'a str) -> Opcode<'a> {
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

    pub(super) fn modifiers(&self) -> FloatModifiers {
        let rounding = self.rounding.unwrap_or(Rounding::Nearest);
        FloatModifiers { rounding, ftz: self.ftz, sat: self.sat }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.rounding.is_none() && !self.ftz && !self.sat
    }
}

/// Operation, types of the sources, type of the destination, class.
pub(super) type Selected = (General, Vec<Type>, Type, Class);

pub(super) fn integral(opcode: &Opcode, element: Type) -> Option<Selected> {
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

pub(super) fn arithmetic32(i: &Instruction, opcode: &Opcode, element: Type) -> Option<Selected> {
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
        ("szext", [mode], false) => (Szext(signed, wraps(mode)?), 2, Class::Integer),
        ("fns", [], false) => (Fns, 3, Class::Integer),
        ("bmsk", [mode], false) => (Bmsk(wraps(mode)?), 2, Class::Integer),
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

pub(super) fn dot(opcode: &Opcode, a: Type, b: Type) -> Option<Selected> {
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

pub(super) fn select(opcode: &Opcode, element: Type, chooser: Type) -> Option<Selected> {
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

pub(super) fn float(opcode: &Opcode, element: Type) -> Option<Selected> {
    use Float::*;
    if element.bits < 32 {
        return None;
    }
    let is_double = element.bits == 64;
    // To keep subnormal numbers, hardware scales before and after the special function unit.
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
        ("min", ["xorsign", "abs"]) if !is_double => (MinMagnitude(false), 2, Class::Fp32Add),
        ("max", ["xorsign", "abs"]) if !is_double => (MaxMagnitude(false), 2, Class::Fp32Add),
        ("min", ["NaN", "xorsign", "abs"]) if !is_double => (MinMagnitude(true), 2, Class::Fp32Add),
        ("max", ["NaN", "xorsign", "abs"]) if !is_double => (MaxMagnitude(true), 2, Class::Fp32Add),
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
