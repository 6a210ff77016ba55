//! Integer arithmetic ("Integer Arithmetic Instructions", "Extended-Precision Integer Arithmetic
//! Instructions").
//!
//! The functions are generic over the instruction's type: `mul_hi::<i32>` is `mul.hi.s32`. All
//! arithmetic wraps. Instructions of `.b` types use the unsigned type of their width.

/// What products of twice the width need of a type: every [`Integer`] and the 128-bit types.
pub trait Word: Copy {
    /// Sum, wrapping.
    fn plus(self, other: Self) -> Self;
    /// Low half of the product.
    fn times(self, other: Self) -> Self;
    /// Shift right by less than the width; signed types fill with the sign.
    fn shift_right(self, amount: u32) -> Self;
    /// The value, exactly for up to 64 bits.
    fn to_i128(self) -> i128;
    /// The low 64 bits, zero-extended.
    fn to_bits(self) -> u64;
}

/// A PTX integer type: `.u8` … `.u64`, `.s8` … `.s64`. Those of 8 bits occur in `cvt`, `ld` and
/// `st` only.
pub trait Integer: Word + Ord {
    /// Width in bits.
    const BITS: u32;
    /// Whether the type is one of `.s8` … `.s64`.
    const SIGNED: bool;
    /// The least value.
    const MIN: Self;
    /// The greatest value.
    const MAX: Self;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The type of twice the width, as in `mul.wide`.
    type Wide: Word;

    /// Difference, wrapping.
    fn minus(self, other: Self) -> Self;
    /// High half of the product.
    fn times_high(self, other: Self) -> Self;
    /// Quotient towards zero and remainder; the divisor is not 0; `MIN / −1` wraps.
    fn divide(self, by: Self) -> (Self, Self);
    /// The complement of all bits.
    fn invert(self) -> Self;
    /// The same value in twice the width.
    fn widen(self) -> Self::Wide;
    /// The low bits of a value.
    fn truncate(value: i128) -> Self;
    /// The low bits of a register.
    fn from_bits(bits: u64) -> Self;
    /// Shift left by less than the width.
    fn shift_left(self, amount: u32) -> Self;
    /// Nearest `f32`, ties to even.
    fn to_f32(self) -> f32;
    /// Nearest `f64`, ties to even.
    fn to_f64(self) -> f64;
    /// The value rounded towards zero and clamped to the type's range; NaN gives 0.
    fn from_f64(value: f64) -> Self;
    /// As [`Integer::from_f64`].
    fn from_f32(value: f32) -> Self;
}

macro_rules! word {
    ($($type:ident $unsigned:ident)*) => {$(
        impl Word for $type {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn shift_right(self, amount: u32) -> Self {
                self.wrapping_shr(amount)
            }
            #[inline(always)]
            fn to_i128(self) -> i128 {
                self as i128
            }
            #[inline(always)]
            fn to_bits(self) -> u64 {
                self as $unsigned as u64
            }
        }
    )*};
}

word! {
    u8 u8 u16 u16 u32 u32 u64 u64 u128 u128
    i8 u8 i16 u16 i32 u32 i64 u64 i128 u128
}

macro_rules! integer {
    ($($type:ident $wide:ident $signed:literal;)*) => {$(
        impl Integer for $type {
            const BITS: u32 = $type::BITS;
            const SIGNED: bool = $signed;
            const MIN: Self = $type::MIN;
            const MAX: Self = $type::MAX;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            type Wide = $wide;

            #[inline(always)]
            fn minus(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn times_high(self, other: Self) -> Self {
                ((self as $wide).wrapping_mul(other as $wide) >> $type::BITS) as $type
            }
            #[inline(always)]
            fn divide(self, by: Self) -> (Self, Self) { (self.wrapping_div(by), self.wrapping_rem(by)) }
            #[inline(always)]
            fn invert(self) -> Self { !self }
            #[inline(always)]
            fn widen(self) -> $wide { self as $wide }
            #[inline(always)]
            fn truncate(value: i128) -> Self { value as $type }
            #[inline(always)]
            fn from_bits(bits: u64) -> Self { bits as $type }
            #[inline(always)]
            fn shift_left(self, amount: u32) -> Self { self.wrapping_shl(amount) }
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn from_f64(value: f64) -> Self { value as $type }
            #[inline(always)]
            fn from_f32(value: f32) -> Self { value as $type }
        }
    )*};
}

integer! {
    u8 u16 false; u16 u32 false; u32 u64 false; u64 u128 false;
    i8 i16 true; i16 i32 true; i32 i64 true; i64 i128 true;
}

/// `add`.
#[inline(always)]
pub fn add<T: Integer>(a: T, b: T) -> T {
    a.plus(b)
}

/// `sub`.
#[inline(always)]
pub fn sub<T: Integer>(a: T, b: T) -> T {
    a.minus(b)
}

/// `mul.lo`.
#[inline(always)]
pub fn mul_lo<T: Integer>(a: T, b: T) -> T {
    a.times(b)
}

/// `mul.hi`.
#[inline(always)]
pub fn mul_hi<T: Integer>(a: T, b: T) -> T {
    a.times_high(b)
}

/// `mul.wide`: 16 and 32-bit types give twice their width.
#[inline(always)]
pub fn mul_wide<T: Integer>(a: T, b: T) -> T::Wide {
    a.widen().times(b.widen())
}

/// `mad.lo`.
#[inline(always)]
pub fn mad_lo<T: Integer>(a: T, b: T, c: T) -> T {
    a.times(b).plus(c)
}

/// `mad.hi`.
#[inline(always)]
pub fn mad_hi<T: Integer>(a: T, b: T, c: T) -> T {
    a.times_high(b).plus(c)
}

/// `mad.wide`.
#[inline(always)]
pub fn mad_wide<T: Integer>(a: T, b: T, c: T::Wide) -> T::Wide {
    mul_wide(a, b).plus(c)
}

/// `add.sat.s32`: clamped to the type's range.
#[inline(always)]
pub fn add_sat(a: i32, b: i32) -> i32 {
    a.saturating_add(b)
}

/// `sub.sat.s32`: clamped to the type's range.
#[inline(always)]
pub fn sub_sat(a: i32, b: i32) -> i32 {
    a.saturating_sub(b)
}

/// `mad.hi.sat.s32`: the sum is clamped to the type's range.
#[inline(always)]
pub fn mad_hi_sat(a: i32, b: i32, c: i32) -> i32 {
    a.times_high(b).saturating_add(c)
}

/// The 48-bit product of the low 24 bits of each operand, sign-extended where `T` is signed.
#[inline(always)]
fn product24<T: Integer>(a: T, b: T) -> T::Wide {
    let low24 = |x: T| x.shift_left(8).shift_right(8).widen();
    low24(a).times(low24(b))
}

/// `mul24.lo.u32`, `.s32`: bits 31…0 of the 48-bit product.
#[inline(always)]
pub fn mul24_lo<T: Integer>(a: T, b: T) -> T {
    T::from_bits(product24(a, b).to_bits())
}

/// `mul24.hi.u32`, `.s32`: bits 47…16 of the 48-bit product.
#[inline(always)]
pub fn mul24_hi<T: Integer>(a: T, b: T) -> T {
    T::from_bits(product24(a, b).shift_right(16).to_bits())
}

/// `mad24.lo`.
#[inline(always)]
pub fn mad24_lo<T: Integer>(a: T, b: T, c: T) -> T {
    mul24_lo(a, b).plus(c)
}

/// `mad24.hi`.
#[inline(always)]
pub fn mad24_hi<T: Integer>(a: T, b: T, c: T) -> T {
    mul24_hi(a, b).plus(c)
}

/// `mad24.hi.sat.s32`.
#[inline(always)]
pub fn mad24_hi_sat(a: i32, b: i32, c: i32) -> i32 {
    mul24_hi(a, b).saturating_add(c)
}

/// `div`: towards zero. Division by 0 is "machine-specific" in the ISA; GPUs give all ones, and so
/// does this. `MIN / −1` is `MIN`.
#[inline(always)]
pub fn div<T: Integer>(a: T, b: T) -> T {
    if b == T::ZERO { T::ZERO.invert() } else { a.divide(b).0 }
}

/// `rem`: the sign is that of `a`. By 0 it gives all ones, as [`div`].
#[inline(always)]
pub fn rem<T: Integer>(a: T, b: T) -> T {
    if b == T::ZERO { T::ZERO.invert() } else { a.divide(b).1 }
}

/// `abs`: `MIN` stays `MIN`.
#[inline(always)]
pub fn abs<T: Integer>(a: T) -> T {
    if a < T::ZERO { T::ZERO.minus(a) } else { a }
}

/// `neg`.
#[inline(always)]
pub fn neg<T: Integer>(a: T) -> T {
    T::ZERO.minus(a)
}

/// `min`.
#[inline(always)]
pub fn min<T: Integer>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// `max`.
#[inline(always)]
pub fn max<T: Integer>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

/// `sad`: c + |a − b|.
#[inline(always)]
pub fn sad<T: Integer>(a: T, b: T, c: T) -> T {
    let distance = if a < b { b.minus(a) } else { a.minus(b) };
    c.plus(distance)
}

/// `add.cc`, `addc`, `addc.cc`: the sum and the carry out, 0 or 1. `T` is unsigned: the carry of
/// signed and unsigned addition is the same.
#[inline(always)]
pub fn add_carry<T: Integer>(a: T, b: T, carry: T) -> (T, T) {
    let partial = a.plus(b);
    let sum = partial.plus(carry);
    (sum, if partial < a || sum < partial { T::ONE } else { T::ZERO })
}

/// `sub.cc`, `subc`, `subc.cc`: the difference and the borrow out, 0 or 1. `T` is unsigned.
#[inline(always)]
pub fn sub_borrow<T: Integer>(a: T, b: T, borrow: T) -> (T, T) {
    let partial = a.minus(b);
    let difference = partial.minus(borrow);
    (difference, if a < b || partial < borrow { T::ONE } else { T::ZERO })
}

/// `dp4a`: c plus the dot product of the four bytes of `a` and `b`, each signed or not.
#[inline(always)]
pub fn dp4a(a: u32, a_signed: bool, b: u32, b_signed: bool, c: u32) -> u32 {
    (0..4)
        .fold(c, |sum, i| sum.wrapping_add(byte(a, i, a_signed).wrapping_mul(byte(b, i, b_signed))))
}

/// `dp2a`: c plus the dot product of the two halves of `a` with two bytes of `b`: the lower two
/// (`.lo`) or the upper two (`.hi`).
#[inline(always)]
pub fn dp2a(a: u32, a_signed: bool, b: u32, b_signed: bool, c: u32, high: bool) -> u32 {
    let first = if high { 2 } else { 0 };
    (0..2).fold(c, |sum, i| {
        let half = (a >> (16 * i)) as u16;
        let half = if a_signed { half as i16 as u32 } else { u32::from(half) };
        sum.wrapping_add(half.wrapping_mul(byte(b, first + i, b_signed)))
    })
}

#[inline(always)]
fn byte(word: u32, index: u32, signed: bool) -> u32 {
    let byte = (word >> (8 * index)) as u8;
    if signed { byte as i8 as u32 } else { u32::from(byte) }
}
