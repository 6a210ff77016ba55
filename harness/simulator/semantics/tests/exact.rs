//! Exact numbers of any length, and what a correctly rounded result is in terms of them.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use semantics::Rounding;

/// magnitude · 2^exponent.
#[derive(Clone, Debug)]
pub struct Exact {
    magnitude: BigInt,
    exponent: i32,
}

impl Exact {
    pub fn integer(value: i128) -> Exact {
        Exact { magnitude: value.into(), exponent: 0 }
    }

    pub fn scaled(self, exponent: i32) -> Exact {
        Exact { exponent: self.exponent + exponent, ..self }
    }

    pub fn is_zero(&self) -> bool {
        self.sign().is_eq()
    }

    /// −1, 0 or 1 as an ordering against zero.
    pub fn sign(&self) -> Ordering {
        self.magnitude.sign().cmp(&Sign::NoSign)
    }

    pub fn times(&self, other: &Exact) -> Exact {
        let magnitude = &self.magnitude * &other.magnitude;
        Exact { magnitude, exponent: self.exponent + other.exponent }
    }

    pub fn plus(&self, other: &Exact) -> Exact {
        let exponent = self.exponent.min(other.exponent);
        Exact { magnitude: self.at(exponent) + other.at(exponent), exponent }
    }

    pub fn minus(&self, other: &Exact) -> Exact {
        let exponent = self.exponent.min(other.exponent);
        Exact { magnitude: self.at(exponent) - other.at(exponent), exponent }
    }

    /// The magnitude when the exponent is lowered to `exponent`.
    fn at(&self, exponent: i32) -> BigInt {
        &self.magnitude << (self.exponent - exponent)
    }
}

/// A binary format as a row of neighbouring values.
pub trait Format: Copy + std::fmt::Debug + PartialEq {
    /// The exact value; infinities as the power of two at which the format ends.
    fn exact(self) -> Exact;
    /// The next value below and above; of the ends the infinities.
    fn neighbours(self) -> (Self, Self);
    fn is_infinite(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_even(self) -> bool;
    fn is_nan(self) -> bool;
}

macro_rules! format {
    ($type:ident $fraction:literal $bias:literal) => {
        impl Format for $type {
            fn exact(self) -> Exact {
                let bits = self.abs().to_bits();
                let biased = (bits >> $fraction) as i32;
                let implicit = if biased == 0 { 0 } else { 1 << $fraction };
                let significand = i128::from(bits & ((1 << $fraction) - 1) | implicit);
                let signed = if self.is_sign_negative() { -significand } else { significand };
                Exact::integer(signed).scaled(biased.max(1) - $bias - $fraction)
            }
            fn neighbours(self) -> ($type, $type) {
                (self.next_down(), self.next_up())
            }
            fn is_infinite(self) -> bool {
                $type::is_infinite(self)
            }
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
            fn is_even(self) -> bool {
                self.to_bits() & 1 == 0
            }
            fn is_nan(self) -> bool {
                $type::is_nan(self)
            }
        }
    };
}
format!(f32 23 127);
format!(f64 52 1023);

/// Whether `result` is the rounding of a real number that is given by how it compares with exact
/// ones, and is not zero.
pub fn is_rounded<F: Format>(
    result: F,
    rounding: Rounding,
    real: impl Fn(&Exact) -> Ordering,
) -> bool {
    let zero = Exact::integer(0);
    if result.is_nan() || result.is_negative() != real(&zero).is_lt() {
        return false;
    }
    let (below, above) = result.neighbours();
    let rounding = match rounding {
        Rounding::Zero if result.is_negative() => Rounding::Up,
        Rounding::Zero => Rounding::Down,
        other => other,
    };
    let here = real(&result.exact());
    let middle = |a: F, b: F| a.exact().plus(&b.exact()).scaled(-1);
    let positive_end = result.is_infinite() && !result.is_negative();
    let negative_end = result.is_infinite() && result.is_negative();
    match rounding {
        Rounding::Down if positive_end => false,
        Rounding::Down if negative_end => real(&above.exact()).is_lt(),
        Rounding::Down => here.is_ge() && (above.is_infinite() || real(&above.exact()).is_lt()),
        Rounding::Up if negative_end => false,
        Rounding::Up if positive_end => real(&below.exact()).is_gt(),
        Rounding::Up => here.is_le() && (below.is_infinite() || real(&below.exact()).is_gt()),
        _ => {
            let tie_is_ours = result.is_even();
            let from_below = negative_end || {
                let order = real(&middle(below, result));
                order.is_gt() || order.is_eq() && tie_is_ours
            };
            let from_above = positive_end || {
                let order = real(&middle(result, above));
                order.is_lt() || order.is_eq() && tie_is_ours
            };
            from_below && from_above
        }
    }
}

pub const ROUNDINGS: [Rounding; 4] =
    [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up];
