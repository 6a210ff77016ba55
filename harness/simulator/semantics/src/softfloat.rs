//! `f64` operations in integer arithmetic, for the roundings that the CPU does not offer in Rust.
//! [`super::directed`] is for most numbers; this is for the others, so made to be plain rather than fast.

use super::Rounding;

/// −1^negative · significand · 2^exponent, exactly, or a little more in magnitude if `sticky`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unpacked {
    negative: bool,
    exponent: i32,
    significand: u128,
    sticky: bool,
}

impl From<f64> for Unpacked {
    /// `a` is finite.
    fn from(a: f64) -> Unpacked {
        let bits = a.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        Unpacked {
            negative: a.is_sign_negative(),
            exponent: biased.max(1) - 1075,
            significand: u128::from(significand),
            sticky: false,
        }
    }
}

impl From<i128> for Unpacked {
    fn from(a: i128) -> Unpacked {
        Unpacked { negative: a < 0, exponent: 0, significand: a.unsigned_abs(), sticky: false }
    }
}

impl Unpacked {
    fn is_zero(self) -> bool {
        self.significand == 0 && !self.sticky
    }

    /// The exact product of two unpacked `f64`s: at most 106 bits.
    fn times(self, other: Unpacked) -> Unpacked {
        Unpacked {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent,
            significand: self.significand * other.significand,
            sticky: false,
        }
    }

    /// The sum of a product and an `f64`; `sticky` if bits had to be dropped.
    fn plus(self, other: Unpacked) -> Unpacked {
        if self.significand == 0 {
            return other;
        }
        if other.significand == 0 {
            return self;
        }
        // The operand with the higher top bit goes to bit 125, so that 2 bits of headroom remain
        // and, if the other loses bits, the result still has far more than 53 of them.
        let (big, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        let up = 125 - (127 - big.significand.leading_zeros() as i32);
        let exponent = big.exponent - up;
        let large = big.significand << up;
        let (aligned, lost) = shift(small.significand, small.exponent - exponent);
        let subtract = big.negative != small.negative;
        let (significand, negative) = if !subtract {
            (large + aligned, big.negative)
        } else if lost {
            // large − (aligned + something below 1) = (large − aligned − 1) + something below 1
            (large - aligned - 1, big.negative)
        } else if large >= aligned {
            (large - aligned, big.negative)
        } else {
            (aligned - large, small.negative)
        };
        Unpacked { negative, exponent, significand, sticky: lost }
    }

    /// The power of two of the top bit.
    fn top(self) -> i32 {
        self.exponent + 127 - self.significand.leading_zeros() as i32
    }

    /// The `f64` that `rounding` chooses. The value is not zero.
    pub(super) fn round(self, rounding: Rounding) -> f64 {
        // The last kept bit is 52 below the top, but never below the least subnormal.
        let unit = (self.top() - 52).max(-1074);
        let (kept, mut inexact) = shift(self.significand, self.exponent - unit);
        let half = shift(self.significand, self.exponent - unit + 1).0 & 1 == 1;
        let below_half = self.sticky || shift(self.significand, self.exponent - unit + 1).1;
        inexact |= self.sticky;
        let up = match rounding {
            Rounding::Nearest => half && (below_half || kept & 1 == 1),
            Rounding::Zero => false,
            Rounding::Down => self.negative && inexact,
            Rounding::Up => !self.negative && inexact,
        };
        let magnitude = compose(kept as u64 + u64::from(up), unit, rounding, self.negative);
        if self.negative { -magnitude } else { magnitude }
    }
}

/// significand · 2^unit as an `f64`; the significand is at most 2⁵³, and below 2⁵² only if `unit`
/// is that of the subnormals.
fn compose(significand: u64, unit: i32, rounding: Rounding, negative: bool) -> f64 {
    // With the implicit bit added in, a carry out of the fraction moves the exponent on.
    let bits = (((unit + 1074) as u64) << 52) + significand;
    if bits < f64::INFINITY.to_bits() {
        return f64::from_bits(bits);
    }
    match (rounding, negative) {
        (Rounding::Zero, _) | (Rounding::Down, false) | (Rounding::Up, true) => f64::MAX,
        _ => f64::INFINITY,
    }
}

/// significand · 2^by without its fraction, and whether there was one.
fn shift(significand: u128, by: i32) -> (u128, bool) {
    if by >= 0 {
        (significand << by, false)
    } else if by > -128 {
        (significand >> -by, significand << (128 + by) != 0)
    } else {
        (0, significand != 0)
    }
}

/// a · b + c of finite numbers.
pub(super) fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    let product = Unpacked::from(a).times(Unpacked::from(b));
    let sum = product.plus(Unpacked::from(c));
    if sum.is_zero() {
        let negative = match rounding {
            Rounding::Down => product.negative || c.is_sign_negative(),
            _ => product.negative && c.is_sign_negative(),
        };
        return if negative { -0.0 } else { 0.0 };
    }
    sum.round(rounding)
}

/// a / b; `special` is the answer where a rounding plays no part.
pub(super) fn div(a: f64, b: f64, special: f64, rounding: Rounding) -> f64 {
    if !a.is_finite() || !b.is_finite() || a == 0.0 || b == 0.0 {
        return special;
    }
    let (a, b) = (Unpacked::from(a), Unpacked::from(b));
    // A dividend with its top bit at 126 gives a quotient of at least 73 bits.
    let up = a.significand.leading_zeros() as i32 - 1;
    let dividend = a.significand << up;
    let quotient = Unpacked {
        negative: a.negative != b.negative,
        exponent: a.exponent - up - b.exponent,
        significand: dividend / b.significand,
        sticky: !dividend.is_multiple_of(b.significand),
    };
    quotient.round(rounding)
}

/// √a; `special` is the answer where a rounding plays no part.
pub(super) fn sqrt(a: f64, special: f64, rounding: Rounding) -> f64 {
    if !(a > 0.0 && a < f64::INFINITY) {
        return special;
    }
    let a = Unpacked::from(a);
    // An even exponent, and a radicand of 125 or 126 bits: its root has 63.
    let mut up = a.significand.leading_zeros() as i32 - 2;
    if (a.exponent - up) % 2 != 0 {
        up -= 1;
    }
    let radicand = a.significand << up;
    let root = radicand.isqrt();
    let root = Unpacked {
        negative: false,
        exponent: (a.exponent - up) / 2,
        significand: root,
        sticky: root * root != radicand,
    };
    root.round(rounding)
}
