//! Binary floating-point formats of few bits, with every rounding: `.f16`, `.bf16`, `.tf32`, `.e4m3`, `.e5m2`,
//! `.e3m2`, `.e2m3`, `.e2m1`, `.ue8m0`.

use crate::Rounding;

/// How a number to be stored in few bits is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Towards {
    /// `.rn`, `.rz`, `.rm`, `.rp`
    By(Rounding),
    /// `.rna`: to nearest, ties away from zero.
    NearestAway,
}

impl Towards {
    /// The nearest of the four roundings.
    #[inline]
    pub fn rounding(self) -> Rounding {
        match self {
            Towards::By(rounding) => rounding,
            Towards::NearestAway => Rounding::Nearest,
        }
    }
}

/// A format: its bits, below those that it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Minifloat {
    exponent_bits: u32,
    mantissa_bits: u32,
    /// Bits on the right that do not count.
    unused: u32,
    /// The greatest finite number's bits, where the next ones are not infinity's.
    greatest: Option<u32>,
    nan: u32,
}

impl Minifloat {
    /// `.f16`
    pub const F16: Minifloat = Minifloat::ieee(5, 10, 0, 0x7fff);
    /// `.bf16`
    pub const BF16: Minifloat = Minifloat::ieee(8, 7, 0, 0x7fff);
    /// `.tf32`, in 32 bits
    pub const TF32: Minifloat = Minifloat::ieee(8, 10, 13, 0x7fff_e000);
    /// `.e5m2`
    pub const E5M2: Minifloat = Minifloat::ieee(5, 2, 0, 0x7f);
    /// `.e4m3`, which has no infinity
    pub const E4M3: Minifloat =
        Minifloat { greatest: Some(0x7e), ..Minifloat::ieee(4, 3, 0, 0x7f) };
    /// `.e3m2`, which has neither infinity nor NaN, as those below
    pub const E3M2: Minifloat = Minifloat::finite(3, 2);
    /// `.e2m3`
    pub const E2M3: Minifloat = Minifloat::finite(2, 3);
    /// `.e2m1`
    pub const E2M1: Minifloat = Minifloat::finite(2, 1);

    const fn ieee(exponent_bits: u32, mantissa_bits: u32, unused: u32, nan: u32) -> Minifloat {
        Minifloat { exponent_bits, mantissa_bits, unused, greatest: None, nan }
    }

    /// A format in which all bits are of finite numbers: a NaN becomes the greatest of them ("`NaN` results are converted to
    /// positive MAX_NORM").
    const fn finite(exponent_bits: u32, mantissa_bits: u32) -> Minifloat {
        let most = (1 << (exponent_bits + mantissa_bits)) - 1;
        Minifloat { greatest: Some(most), ..Minifloat::ieee(exponent_bits, mantissa_bits, 0, most) }
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    fn infinity(self) -> u32 {
        ((1 << self.exponent_bits) - 1) << self.mantissa_bits
    }

    /// The greatest finite number.
    fn greatest(self) -> u32 {
        self.greatest.unwrap_or(self.infinity() - 1)
    }

    /// The bits of a number; `finite`: what is too great becomes the greatest one.
    pub fn encode(self, value: f64, towards: Towards, finite: bool) -> u32 {
        if value.is_nan() {
            return self.nan;
        }
        let negative = value.is_sign_negative();
        let magnitude = self.magnitude(value.abs(), towards, negative);
        let too_great = magnitude > self.greatest();
        let magnitude = match (too_great, finite || self.greatest.is_some()) {
            (true, true) => self.greatest(),
            (true, false) => self.infinity(),
            _ => magnitude,
        };
        let sign = u32::from(negative) << (self.exponent_bits + self.mantissa_bits);
        (magnitude | sign) << self.unused
    }

    /// The bits without sign of a number that is not negative; from the greatest finite one's on they only count up.
    fn magnitude(self, value: f64, towards: Towards, negative: bool) -> u32 {
        const FRACTION: u32 = 52;
        if value == f64::INFINITY {
            return self.greatest() + 1;
        }
        let bits = value.to_bits();
        let biased = (bits >> FRACTION) as i32;
        let significand = bits & ((1 << FRACTION) - 1) | if biased > 0 { 1 << FRACTION } else { 0 };
        let least = 1 - self.bias();
        let exponent = (biased.max(1) - 1023).max(least);
        // The last bit that is kept, in units of the significand's last bit.
        let drop = (exponent - (biased.max(1) - 1023)) as u32 + FRACTION - self.mantissa_bits;
        let drop = drop.min(63);
        let (kept, rest) = (significand >> drop, significand & ((1 << drop) - 1));
        let half = 1 << (drop - 1);
        let away = match towards {
            Towards::NearestAway => rest >= half,
            Towards::By(Rounding::Nearest) => rest > half || rest == half && kept & 1 == 1,
            Towards::By(Rounding::Zero) => false,
            Towards::By(Rounding::Down) => negative && rest != 0,
            Towards::By(Rounding::Up) => !negative && rest != 0,
        };
        // With the implicit bit added in, a carry out of the mantissa moves the exponent on.
        let rounded = ((exponent - least) as u64) << self.mantissa_bits;
        let rounded = rounded + kept + u64::from(away);
        // What rounding towards zero leaves below infinity stays there.
        let stays = match towards {
            Towards::By(Rounding::Zero) => true,
            Towards::By(Rounding::Down) => !negative,
            Towards::By(Rounding::Up) => negative,
            _ => false,
        };
        let most = if stays { self.greatest() } else { u32::MAX >> 1 };
        u32::try_from(rounded).unwrap_or(most).min(most)
    }

    /// The value of a number; of NaN, a NaN.
    pub fn decode(self, bits: u32) -> f64 {
        let bits = bits >> self.unused;
        let magnitude = bits & ((1 << (self.exponent_bits + self.mantissa_bits)) - 1);
        let is_negative = bits >> (self.exponent_bits + self.mantissa_bits) & 1 == 1;
        let exponent = (magnitude >> self.mantissa_bits) as i32;
        let mantissa = f64::from(magnitude & ((1 << self.mantissa_bits) - 1));
        let unit = |exponent: i32| {
            f64::from_bits(((1023 + exponent - self.mantissa_bits as i32) as u64) << 52)
        };
        let value = if magnitude > self.greatest() {
            let is_infinite = self.greatest.is_none() && magnitude == self.infinity();
            if is_infinite { f64::INFINITY } else { f64::NAN }
        } else if exponent == 0 {
            mantissa * unit(1 - self.bias())
        } else {
            (mantissa + f64::from(1u32 << self.mantissa_bits)) * unit(exponent - self.bias())
        };
        if is_negative { -value } else { value }
    }
}

/// `.ue8m0`: powers of two from 2⁻¹²⁷ to 2¹²⁷ without a sign, as their exponent and 127; 255 is NaN.
pub mod scale {
    const NAN: u32 = 255;
    const BIAS: i32 = 127;

    /// The power of two of a number's magnitude: the next greater one (`.rp`) or the next smaller one (`.rz`). What is beyond
    /// the greatest or the least becomes that, with `finite`; otherwise numbers that are too great become NaN.
    pub fn encode(value: f64, up: bool, finite: bool) -> u32 {
        if value.is_nan() {
            return NAN;
        }
        let bits = value.to_bits() & !(1 << 63);
        let exponent = (bits >> 52) as i32 - 1023;
        let is_inexact = bits & ((1 << 52) - 1) != 0;
        let exponent = exponent + i32::from(up && is_inexact);
        match (exponent + BIAS).max(0) as u32 {
            NAN.. if finite => NAN - 1,
            code => code.min(NAN),
        }
    }

    /// The value of a power of two.
    pub fn decode(bits: u32) -> f64 {
        if bits == NAN { f64::NAN } else { f64::from_bits((u64::from(bits) + 896) << 52) }
    }
}
