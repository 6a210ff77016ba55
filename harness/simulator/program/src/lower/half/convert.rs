//! `cvt` from and to floats of at most 16 bits.

use super::super::builder::{Builder, Result};
use super::super::opcode::{rounding, scalar};
use super::super::registers::file_of;
use crate::alu::{Clamp, Conversion, Fast, General, Number, Scalar};
use crate::class::Class;
use crate::instruction::{Constant, Operation};
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Type};
use semantics::Rounding;
use semantics::half::Towards;

/// A type, the numbers in a register of it, and the bits of each.
fn number(word: &str) -> Option<(Number, usize, u32)> {
    Some(match word {
        "f16" => (Number::F16, 1, 16),
        "f16x2" => (Number::F16, 2, 16),
        "bf16" => (Number::Bf16, 1, 16),
        "bf16x2" => (Number::Bf16, 2, 16),
        "tf32" => (Number::Tf32, 1, 32),
        "e4m3x2" => (Number::E4m3, 2, 8),
        "e5m2x2" => (Number::E5m2, 2, 8),
        "e3m2x2" => (Number::E3m2, 2, 8),
        "e2m3x2" => (Number::E2m3, 2, 8),
        "e2m1x2" => (Number::E2m1, 2, 4),
        "ue8m0x2" => (Number::Ue8m0, 2, 8),
        _ => {
            let element = Type::parse(word)?;
            (Number::Scalar(scalar(element)?), 1, element.bits)
        }
    })
}

/// Whether a conversion from one type to the other exists.
fn exists(to: (Number, usize), from: (Number, usize)) -> bool {
    use Number::*;
    let single = Scalar(crate::alu::Scalar::F32);
    match (to, from) {
        ((F16 | Bf16, 1), (F16 | Bf16, 1) | (Scalar(_), 1)) => true,
        ((Scalar(_), 1), (F16 | Bf16, 1)) => true,
        ((F16 | Bf16 | E4m3 | E5m2 | E3m2 | E2m3 | E2m1 | Ue8m0, 2), (of, 1)) => of == single,
        ((E4m3 | E5m2 | E3m2 | E2m3 | E2m1, 2), (F16 | Bf16, 2)) => true,
        ((F16, 2), (E4m3 | E5m2 | E3m2 | E2m3 | E2m1, 2)) => true,
        ((Ue8m0, 2), (Bf16, 2)) | ((Bf16, 2), (Ue8m0, 2)) => true,
        ((Tf32, 1), (of, 1)) => of == single,
        _ => false,
    }
}

/// Modifiers of a conversion between two types; `None` if they are not valid.
fn conversion(modifiers: &[&str], to: Number, from: Number) -> Option<Conversion> {
    let mut found = Conversion {
        from,
        to,
        rounding: None,
        integral: false,
        ftz: false,
        clamp: Clamp::None,
        finite: false,
    };
    let is_integer = |number| match number {
        Number::Scalar(scalar) => !matches!(scalar, Scalar::F32 | Scalar::F64),
        _ => false,
    };
    for modifier in modifiers {
        match *modifier {
            "rna" if to == Number::Tf32 => found.rounding = Some(Towards::NearestAway),
            "ftz" => found.ftz = true,
            "sat" if found.clamp == Clamp::None => found.clamp = Clamp::Unit,
            "relu" if found.clamp == Clamp::None => found.clamp = Clamp::Positive,
            "satfinite" => found.finite = true,
            word => {
                let towards = rounding(word).filter(|_| found.rounding.is_none())?;
                found.rounding = Some(Towards::By(towards));
                found.integral = word.ends_with('i');
            }
        }
    }
    // Rounding to an integer, or to an integral value of the same type, is `.rni` and so on; other rounding is `.rn`.
    let to_integral = is_integer(to) || to == from;
    let is_byte = |number| {
        use Number::*;
        matches!(number, E4m3 | E5m2 | E3m2 | E2m3 | E2m1 | Ue8m0)
    };
    let widens = matches!(to, Number::Scalar(Scalar::F32 | Scalar::F64)) || is_byte(from);
    let right = match found.rounding {
        // Powers of two have no nearest one.
        Some(towards) if to == Number::Ue8m0 => {
            matches!(towards, Towards::By(Rounding::Zero | Rounding::Up)) && !found.integral
        }
        Some(_) if widens => is_byte(from),
        Some(_) => found.integral == to_integral,
        None => widens || to == from,
    };
    let narrow = |number| !matches!(number, Number::Scalar(_));
    let right = right && (to != Number::Ue8m0 || found.clamp == Clamp::None);
    let right = right && (found.clamp != Clamp::Positive && !found.finite || narrow(to));
    let integral = found.integral && !is_integer(to);
    right.then_some(Conversion { integral, ..found })
}

impl Builder<'_> {
    /// `cvt.modifiers.to.from d, a{, b}`; `None` if neither type is such a float.
    pub(super) fn convert_half(
        &mut self,
        i: &Instruction,
        modifiers: &[&str],
        to: &str,
        from: &str,
    ) -> Result<Option<Class>> {
        let (Some((to, to_count, to_bits)), Some((from, from_count, from_bits))) =
            (number(to), number(from))
        else {
            return Ok(None);
        };
        if matches!((to, from), (Number::Scalar(_), Number::Scalar(_))) {
            return Ok(None);
        }
        let conversion =
            conversion(modifiers, to, from).filter(|_| exists((to, to_count), (from, from_count)));
        let Some(conversion) = conversion else { return self.unsupported(&i.opcode) };
        let operation = Operation::General(General::HalfConvert(conversion));
        let bits = |bits| Type { kind: Kind::Bits, bits };
        let register = |count: usize, width: u32| bits(count as u32 * width);
        let number_of = |number, width| match number {
            Number::Scalar(_) => Type { kind: Kind::Float, bits: width },
            _ => bits(width),
        };
        if to_count == 1 {
            self.arity(i, 2)?;
            let a = self.source(&i.operands[1], number_of(from, from_bits))?;
            let d = self.destination(&i.operands[0], bits(to_bits))?;
            self.emit(operation, d, [a, 0, 0, 0])?;
            return Ok(Some(Class::Conversion));
        }
        // The first source is the upper half.
        let [high, low] = if from_count == 1 {
            self.arity(i, 3)?;
            let [a, b, ..] = self.sources(&i.operands[1..], &[number_of(from, from_bits); 2])?;
            [a, b]
        } else {
            self.arity(i, 2)?;
            let a = self.source(&i.operands[1], register(2, from_bits))?;
            let amount = self.constant(File::Words, Constant::Bits(from_bits.into()))?;
            let mask = self.constant(File::Words, Constant::Bits((1 << from_bits) - 1))?;
            let high = self.scratch(Fast::ShrU32, [a, amount, 0])?;
            let high = self.scratch(Fast::AndU32, [high, mask, 0])?;
            [high, self.scratch(Fast::AndU32, [a, mask, 0])?]
        };
        let mut halves = [0; 2];
        for (half, a) in halves.iter_mut().zip([high, low]) {
            *half = self.scratch_register(file_of(bits(to_bits)))?;
            self.emit(operation, *half, [a, 0, 0, 0])?;
        }
        let d = self.destination(&i.operands[0], register(2, to_bits))?;
        let amount = self.constant(File::Words, Constant::Bits(to_bits.into()))?;
        let high = self.scratch(Fast::ShlU32, [halves[0], amount, 0])?;
        self.emit(Operation::Fast(Fast::OrU32), d, [high, halves[1], 0, 0])?;
        Ok(Some(Class::Conversion))
    }
}
