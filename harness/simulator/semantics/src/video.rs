//! Integers of 8 and 16 bits in parts of a register ("Scalar Video Instructions", "SIMD Video Instructions", and
//! `add`, `min`, `max` of `.s16x2` and `.u16x2`).

use super::compare::Comparison;

/// A part of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// `.b0` … `.b3`
    Byte(u8),
    /// `.h0`, `.h1`
    Half(u8),
}

impl Part {
    /// Its first bit and its width.
    fn bits(self) -> (u32, u32) {
        match self {
            Part::Whole => (0, 32),
            Part::Byte(k) => (8 * u32::from(k), 8),
            Part::Half(k) => (16 * u32::from(k), 16),
        }
    }

    /// Its value.
    fn get(self, word: u32, signed: bool) -> i64 {
        let (first, width) = self.bits();
        let top = word << (32 - first - width);
        if signed { i64::from(top as i32 >> (32 - width)) } else { i64::from(top >> (32 - width)) }
    }

    /// `word` with the low bits of a value in this part.
    fn put(self, word: u32, value: i64) -> u32 {
        let (first, width) = self.bits();
        let mask = (u32::MAX >> (32 - width)) << first;
        word & !mask | (value as u32) << first & mask
    }

    /// The nearest value that the part can hold.
    fn clamp(self, value: i64, signed: bool) -> i64 {
        let (_, width) = self.bits();
        let (least, most) = if signed {
            (-1 << (width - 1), (1 << (width - 1)) - 1)
        } else {
            (0, (1 << width) - 1)
        };
        value.clamp(least, most)
    }
}

/// What is done to two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `vadd`
    Add,
    /// `vsub`
    Sub,
    /// `vabsdiff`
    Distance,
    /// `vmin`
    Min,
    /// `vmax`
    Max,
    /// `vavrg`: half of the sum, where it is not negative rounded up.
    Average,
    /// `vshl`: by at most 32, or modulo 32.
    ShiftLeft {
        /// `.wrap`
        wrap: bool,
    },
    /// `vshr`: alike.
    ShiftRight {
        /// `.wrap`
        wrap: bool,
    },
    /// `vset`: 1 if it holds, else 0.
    Compare(Comparison),
    /// `vmad`: the product and the third operand, whole and shifted to the right.
    MultiplyAdd {
        /// `.shr7`, `.shr15`, or 0
        shift: u8,
        /// What else happens to the sum.
        sum: Sum,
    },
}

/// What `vmad` adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// The product and the third operand.
    Plain,
    /// `.po`: and one.
    PlusOne,
    /// The third operand less the product.
    NegativeProduct,
    /// The product less the third operand.
    NegativeThird,
}

/// What is done to the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Nothing.
    Nothing,
    /// The third operand is added.
    Add,
    /// It is the least of the result and the third operand.
    Min,
    /// The greatest.
    Max,
    /// It goes to a part of the third operand.
    Merge(Part),
    /// `.relu`: negative ones become 0.
    Relu,
}

/// An instruction on parts of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Video {
    /// What is done.
    pub operation: Operation,
    /// The part of the first operand, and whether it is signed.
    pub a: (Part, bool),
    /// The same of the second.
    pub b: (Part, bool),
    /// Whether the result is signed.
    pub signed: bool,
    /// `.sat`
    pub saturate: bool,
    /// What is done then.
    pub then: Then,
}

impl Video {
    /// The result of one operation on parts of two words.
    pub fn scalar(&self, a: u32, b: u32, c: u32) -> u32 {
        let mut value = self.value(self.a.0.get(a, self.a.1), self.b.0.get(b, self.b.1));
        if let Operation::MultiplyAdd { shift, sum } = self.operation {
            value = self.add_shifted(value, c, shift, sum);
        }
        let part = if let Then::Merge(part) = self.then { part } else { Part::Whole };
        let value = if self.saturate { part.clamp(value, self.signed) } else { value };
        let word = value as u32;
        match self.then {
            Then::Nothing => word,
            Then::Add => word.wrapping_add(c),
            Then::Min if self.signed => (word as i32).min(c as i32) as u32,
            Then::Min => word.min(c),
            Then::Max if self.signed => (word as i32).max(c as i32) as u32,
            Then::Max => word.max(c),
            Then::Merge(part) => part.put(c, value),
            Then::Relu => (word as i32).max(0) as u32,
        }
    }

    /// The results of the same operation on all halves or all bytes, next to each other or in sum.
    pub fn parallel(&self, a: u32, b: u32, c: u32, bytes: bool) -> u32 {
        let parts = (0..if bytes { 4 } else { 2 })
            .map(|k| if bytes { Part::Byte(k) } else { Part::Half(k) });
        let start = if self.then == Then::Add { c } else { 0 };
        parts.fold(start, |word, part| {
            let value = self.value(part.get(a, self.a.1), part.get(b, self.b.1));
            let value = if self.saturate { part.clamp(value, self.signed) } else { value };
            match self.then {
                Then::Add => {
                    let lane = part.put(0, value);
                    word.wrapping_add(part.get(lane, self.signed) as u32)
                }
                Then::Relu => part.put(word, value.max(0)),
                _ => part.put(word, value),
            }
        })
    }

    /// The product, which may have 64 bits, and the third operand, by more bits than the result has. What is negative is
    /// complemented and one added; the complement of the third operand has 32 bits.
    fn add_shifted(&self, product: i64, c: u32, shift: u8, sum: Sum) -> i64 {
        let product = match self.a.1 || self.b.1 {
            true => i128::from(product),
            false => i128::from(product as u64),
        };
        let widen = |c: u32| if self.signed { i128::from(c as i32) } else { i128::from(c) };
        let sum = match sum {
            Sum::Plain => product + widen(c),
            Sum::PlusOne => product + widen(c) + 1,
            Sum::NegativeProduct => widen(c) - product,
            Sum::NegativeThird => product + widen(!c) + 1,
        };
        let sum = sum >> shift;
        // What does not fit is cut off, or clamped, which leaves no difference above 64 bits.
        if self.saturate { sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64 } else { sum as i64 }
    }

    fn value(&self, a: i64, b: i64) -> i64 {
        let amount = |b: i64, wrap| if wrap { b & 31 } else { b.clamp(0, 32) };
        match self.operation {
            Operation::Add => a + b,
            Operation::Sub => a - b,
            Operation::Distance => (a - b).abs(),
            Operation::Min => a.min(b),
            Operation::Max => a.max(b),
            Operation::Average => (a + b + i64::from(a + b >= 0)) >> 1,
            Operation::Compare(comparison) => comparison.holds_for(Some(a.cmp(&b))).into(),
            Operation::MultiplyAdd { .. } => a.wrapping_mul(b),
            Operation::ShiftLeft { wrap } => a << amount(b, wrap),
            Operation::ShiftRight { wrap } => a >> amount(b, wrap),
        }
    }
}
