//! Exact numbers of any length, and what a correctly rounded result is in terms of them.

use std::cmp::Ordering;

use semantics::Rounding;

/// ± magnitude · 2^exponent; the magnitude in 32-bit digits, least first.
#[derive(Clone, Debug)]
pub struct Exact {
    negative: bool,
    magnitude: Vec<u32>,
    exponent: i32,
}

impl Exact {
    pub fn integer(value: i128) -> Exact {
        let digits = value.unsigned_abs();
        let magnitude = (0..4).map(|i| (digits >> (32 * i)) as u32).collect();
        Exact { negative: value < 0, magnitude, exponent: 0 }
    }

    pub fn scaled(mut self, exponent: i32) -> Exact {
        self.exponent += exponent;
        self
    }

    pub fn is_zero(&self) -> bool {
        self.magnitude.iter().all(|&digit| digit == 0)
    }

    /// −1, 0 or 1 as an ordering against zero.
    pub fn sign(&self) -> Ordering {
        match (self.is_zero(), self.negative) {
            (true, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    pub fn times(&self, other: &Exact) -> Exact {
        let mut magnitude = vec![0u32; self.magnitude.len() + other.magnitude.len()];
        for (i, &x) in self.magnitude.iter().enumerate() {
            let mut carry = 0u64;
            for (j, &y) in other.magnitude.iter().enumerate() {
                carry += u64::from(magnitude[i + j]) + u64::from(x) * u64::from(y);
                magnitude[i + j] = carry as u32;
                carry >>= 32;
            }
            magnitude[i + other.magnitude.len()] = carry as u32;
        }
        let negative = self.negative != other.negative;
        Exact { negative, magnitude, exponent: self.exponent + other.exponent }
    }

    pub fn minus(&self, other: &Exact) -> Exact {
        let mut negated = other.clone();
        negated.negative = !negated.negative;
        self.plus(&negated)
    }

    pub fn plus(&self, other: &Exact) -> Exact {
        let exponent = self.exponent.min(other.exponent);
        let (a, b) = (self.digits_at(exponent), other.digits_at(exponent));
        if self.negative == other.negative {
            return Exact { negative: self.negative, magnitude: add(&a, &b), exponent };
        }
        match order(&a, &b) {
            Ordering::Less => Exact { negative: other.negative, magnitude: sub(&b, &a), exponent },
            _ => Exact { negative: self.negative, magnitude: sub(&a, &b), exponent },
        }
    }

    /// The digits when the exponent is lowered to `exponent`.
    fn digits_at(&self, exponent: i32) -> Vec<u32> {
        let up = (self.exponent - exponent) as usize;
        let mut digits = vec![0u32; up / 32];
        let mut carry = 0u64;
        for &digit in &self.magnitude {
            carry |= u64::from(digit) << (up % 32);
            digits.push(carry as u32);
            carry >>= 32;
        }
        digits.push(carry as u32);
        digits
    }
}

fn add(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut carry = 0u64;
    let at = |digits: &[u32], i: usize| u64::from(digits.get(i).copied().unwrap_or(0));
    (0..=a.len().max(b.len()))
        .map(|i| {
            carry += at(a, i) + at(b, i);
            let digit = carry as u32;
            carry >>= 32;
            digit
        })
        .collect()
}

/// a − b for a ≥ b.
fn sub(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut borrow = 0i64;
    let at = |digits: &[u32], i: usize| i64::from(digits.get(i).copied().unwrap_or(0));
    (0..a.len().max(b.len()))
        .map(|i| {
            let difference = at(a, i) - at(b, i) + borrow;
            borrow = difference >> 32;
            difference as u32
        })
        .collect()
}

fn order(a: &[u32], b: &[u32]) -> Ordering {
    let at = |digits: &[u32], i: usize| digits.get(i).copied().unwrap_or(0);
    (0..a.len().max(b.len()))
        .rev()
        .map(|i| at(a, i).cmp(&at(b, i)))
        .find(|o| o.is_ne())
        .unwrap_or(Ordering::Equal)
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
