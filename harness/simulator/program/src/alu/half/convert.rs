//! Conversions from and to numbers of few bits.

use super::clamp::Clamp;
use crate::alu::scalar::{Scalar, with_integer};
use crate::registers::{Operands, Registers, lanes};
use semantics::half::{Minifloat, Towards, scale};
use semantics::integer::{Integer, Word};
use semantics::{Rounding, convert, float32};

/// A type of which numbers are converted.
#[expect(missing_docs, reason = "named as PTX names the types")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Scalar(Scalar),
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
    E3m2,
    E2m3,
    E2m1,
    Ue8m0,
}

/// A conversion of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    /// The source's type.
    pub from: Number,
    /// The result's type.
    pub to: Number,
    /// Without it, the conversion is exact.
    pub rounding: Option<Towards>,
    /// To an integer in the same format.
    pub integral: bool,
    /// `.ftz`: subnormal numbers count as 0.
    pub ftz: bool,
    /// What is done to results out of range.
    pub clamp: Clamp,
    /// `.satfinite`
    pub finite: bool,
}

/// What is converted.
enum Value {
    Float(f64),
    Integer(i128),
}

impl Number {
    fn format(self) -> Option<Minifloat> {
        Some(match self {
            Number::Scalar(_) | Number::Ue8m0 => return None,
            Number::F16 => Minifloat::F16,
            Number::Bf16 => Minifloat::BF16,
            Number::Tf32 => Minifloat::TF32,
            Number::E4m3 => Minifloat::E4M3,
            Number::E5m2 => Minifloat::E5M2,
            Number::E3m2 => Minifloat::E3M2,
            Number::E2m3 => Minifloat::E2M3,
            Number::E2m1 => Minifloat::E2M1,
        })
    }

    /// Whether it takes a register of 64 bits.
    fn is_wide(self) -> bool {
        matches!(self, Number::Scalar(Scalar::U64 | Scalar::I64 | Scalar::F64))
    }

    /// A register's bits as a value.
    fn value(self, bits: u64) -> Value {
        match self {
            Number::Scalar(Scalar::F32) => Value::Float(f64::from(f32::from_bits(bits as u32))),
            Number::Scalar(Scalar::F64) => Value::Float(f64::from_bits(bits)),
            Number::Scalar(scalar) => {
                with_integer!(scalar, T => Value::Integer(T::from_bits(bits).to_i128()))
            }
            Number::Ue8m0 => Value::Float(scale::decode(bits as u32 & 0xff)),
            number => Value::Float(number.format().map_or(0.0, |format| {
                let mask = if number == Number::Tf32 { u64::from(u32::MAX) } else { 0xffff };
                format.decode((bits & mask) as u32)
            })),
        }
    }
}

impl Value {
    /// As an `f64`, rounded to odd if at all: rounded once more to far fewer bits, it is as if rounded once.
    fn float(self) -> f64 {
        match self {
            Value::Float(value) => value,
            Value::Integer(value) => {
                // No type has more than 64 bits; of more than 53 the low ones become one sticky bit.
                let magnitude = value.unsigned_abs();
                let drop = (128 - magnitude.leading_zeros()).saturating_sub(53);
                let kept = magnitude >> drop;
                let sticky = u128::from(kept << drop != magnitude);
                let exact = (kept | sticky) as f64 * f64::from_bits((1023 + u64::from(drop)) << 52);
                if value < 0 { -exact } else { exact }
            }
        }
    }
}

impl Conversion {
    /// Executes it in the lanes of `mask`.
    pub fn execute(self, r: &mut Registers, i: &Operands, mask: u32) {
        for lane in lanes(mask) {
            let bits =
                if self.from.is_wide() { r.double(i.a)[lane] } else { r.word(i.a)[lane].into() };
            let result = self.convert(bits);
            if self.to.is_wide() {
                r.double_mut(i.d)[lane] = result;
            } else {
                r.word_mut(i.d)[lane] = result as u32;
            }
        }
    }

    fn convert(self, bits: u64) -> u64 {
        let value = self.from.value(bits).float();
        let value = if self.ftz { flush(self.from, value) } else { value };
        match self.to {
            Number::Scalar(Scalar::F32) => {
                // Exact: whatever it comes from has fewer bits.
                let value = float32::canonical(value as f32);
                u64::from(self.saturate(value).to_bits())
            }
            // A NaN keeps its bits, and becomes a quiet one.
            Number::Scalar(Scalar::F64) if value.is_nan() => self.widen_nan(bits),
            Number::Scalar(Scalar::F64) => value.to_bits(),
            Number::Scalar(scalar) => {
                let towards = self.rounding.map_or(Rounding::Zero, Towards::rounding);
                // Halves are exact in `f32`.
                with_integer!(scalar, T => {
                    let result = convert::f32_to_int::<T>(value as f32, towards);
                    result.to_i128() as u64
                })
            }
            Number::Ue8m0 => {
                let up = self.rounding == Some(Towards::By(Rounding::Up));
                u64::from(scale::encode(value, up, self.finite))
            }
            to => {
                let value = if self.integral { self.to_integral(value) } else { value };
                let value = match self.clamp {
                    Clamp::Unit => f64::from(float32::saturate(value as f32)),
                    // Also −0.
                    Clamp::Positive if value.is_sign_negative() && !value.is_nan() => 0.0,
                    _ => value,
                };
                let towards = match self.rounding {
                    Some(towards) if !self.integral => towards,
                    _ => Towards::By(Rounding::Nearest),
                };
                let bits = to.format().map_or(0, |it| it.encode(value, towards, self.finite));
                match to {
                    // Of `f64`, the NaN is another on an H100.
                    Number::F16 if value.is_nan() && self.from.is_wide() => 0x7e00,
                    Number::Bf16 if value.is_nan() && self.from.is_wide() => 0x7fc0,
                    _ => u64::from(bits),
                }
            }
        }
    }

    fn widen_nan(self, bits: u64) -> u64 {
        const QUIET: u64 = 0x7ff8 << 48;
        let mantissa_bits = if self.from == Number::F16 { 10 } else { 7 };
        let mantissa = bits & ((1 << mantissa_bits) - 1);
        (bits >> 15 & 1) << 63 | QUIET | mantissa << (52 - mantissa_bits)
    }

    fn saturate(self, value: f32) -> f32 {
        if self.clamp == Clamp::Unit { float32::saturate(value) } else { value }
    }

    fn to_integral(self, value: f64) -> f64 {
        let towards = self.rounding.map_or(Rounding::Nearest, Towards::rounding);
        f64::from(convert::round_f32(value as f32, towards))
    }
}

/// `.ftz` of an operand.
fn flush(from: Number, value: f64) -> f64 {
    // Subnormal numbers of 16 bits with exponents of their own are normal ones of `f32`.
    let is_single = matches!(from, Number::Scalar(Scalar::F32) | Number::Bf16);
    let is_subnormal = is_single && value.abs() < f64::from(f32::MIN_POSITIVE);
    if is_subnormal { 0f64.copysign(value) } else { value }
}
