//! Bits, bit fields, bytes and shifts ("Logic and Shift Instructions", and of the integer
//! instructions `popc`, `clz`, `bfind`, `brev`, `bfe`, `bfi`; `prmt` of the data movement ones).
//!
//! `T` is the unsigned type of the instruction's width, except where a signed one has another meaning.

use super::integer::Integer;

/// `popc`.
#[inline(always)]
pub fn popc<T: Integer>(a: T) -> u32 {
    a.to_bits().count_ones()
}

/// `clz`: the width of the type for 0.
#[inline(always)]
pub fn clz<T: Integer>(a: T) -> u32 {
    a.to_bits().leading_zeros() - (64 - T::BITS)
}

/// `bfind`: the position of the most significant bit that is not a copy of the sign, or
/// 0xffff_ffff; with `.shiftamt` the shift that brings it to the top.
#[inline(always)]
pub fn bfind<T: Integer>(a: T, shift_amount: bool) -> u32 {
    let zeros = clz(if a < T::ZERO { a.invert() } else { a });
    let found = if shift_amount { zeros } else { T::BITS.wrapping_sub(1).wrapping_sub(zeros) };
    if zeros == T::BITS { u32::MAX } else { found }
}

/// `brev`.
#[inline(always)]
pub fn brev<T: Integer>(a: T) -> T {
    T::from_bits(a.to_bits().reverse_bits() >> (64 - T::BITS))
}

/// Bits `low` … `low + length - 1` of a 64-bit word; bits above 63 do not exist.
#[inline(always)]
fn field_mask(low: u32, length: u32) -> u64 {
    let ones = |count: u32| {
        if count > 63 { u64::MAX } else { (1 << count) - 1 }
    };
    ones(low + length) & !ones(low)
}

/// A position or length of `bfe` and `bfi`. The ISA restricts them to 0 … 255; beyond, an H200 takes
/// the low 8 bits for 32-bit types, whereas for 64-bit ones, which it shifts, all is as with 255.
#[inline(always)]
fn field_amount<T: Integer>(amount: u32) -> u32 {
    if T::BITS == 64 { amount.min(255) } else { amount & 0xff }
}

/// `bfe`: the field of `length` bits at `position`. Signed types extend it with its top bit, which
/// is the sign of `a` where the field reaches beyond `a`.
#[inline(always)]
pub fn bfe<T: Integer>(a: T, position: u32, length: u32) -> T {
    let (position, length) = (field_amount::<T>(position), field_amount::<T>(length));
    let top = (position + length).saturating_sub(1).min(T::BITS - 1);
    let sign = T::SIGNED && length != 0 && a.to_bits() >> top & 1 == 1;
    let shifted = if position >= T::BITS { 0 } else { a.to_bits() >> position };
    let present = T::BITS.saturating_sub(position).min(length);
    let mask = field_mask(0, present);
    T::from_bits(if sign { shifted | !mask } else { shifted & mask })
}

/// `bfi`: `b` with the low `length` bits of `a` put at `position`.
#[inline(always)]
pub fn bfi<T: Integer>(a: T, b: T, position: u32, length: u32) -> T {
    let (position, length) = (field_amount::<T>(position), field_amount::<T>(length));
    let mask = field_mask(position, length);
    let field = if position > 63 { 0 } else { a.to_bits() << position };
    T::from_bits((field & mask) | (b.to_bits() & !mask))
}

/// `not`.
#[inline(always)]
pub fn not<T: Integer>(a: T) -> T {
    a.invert()
}

/// `cnot`: 1 for 0, else 0.
#[inline(always)]
pub fn cnot<T: Integer>(a: T) -> T {
    if a == T::ZERO { T::ONE } else { T::ZERO }
}

/// `lop3`: bit `4a + 2b + c` of `table` for each bit position.
#[inline(always)]
pub fn lop3(a: u32, b: u32, c: u32, table: u8) -> u32 {
    (0..8).fold(0, |result, row| {
        let when = |wanted: bool, word: u32| if wanted { word } else { !word };
        let minterm = when(row & 4 != 0, a) & when(row & 2 != 0, b) & when(row & 1 != 0, c);
        if table >> row & 1 == 1 { result | minterm } else { result }
    })
}

/// `shl`: amounts of the width or more give 0.
#[inline(always)]
pub fn shl<T: Integer>(a: T, amount: u32) -> T {
    if amount < T::BITS { a.shift_left(amount) } else { T::ZERO }
}

/// `shr`: amounts of the width or more give 0, or copies of the sign where `T` is signed.
#[inline(always)]
pub fn shr<T: Integer>(a: T, amount: u32) -> T {
    if T::SIGNED {
        a.shift_right(if amount < T::BITS { amount } else { T::BITS - 1 })
    } else if amount < T::BITS {
        a.shift_right(amount)
    } else {
        T::ZERO
    }
}

/// The amount of `shf`: `.wrap` takes it modulo 32, `.clamp` at most 32.
#[inline(always)]
fn funnel_amount(amount: u32, wrap: bool) -> u32 {
    if wrap { amount & 31 } else { amount.min(32) }
}

/// `shf.l`: the high word of `b:a` shifted left.
#[inline(always)]
pub fn shf_l(a: u32, b: u32, amount: u32, wrap: bool) -> u32 {
    let both = u64::from(b) << 32 | u64::from(a);
    ((both << funnel_amount(amount, wrap)) >> 32) as u32
}

/// `shf.r`: the low word of `b:a` shifted right.
#[inline(always)]
pub fn shf_r(a: u32, b: u32, amount: u32, wrap: bool) -> u32 {
    let both = u64::from(b) << 32 | u64::from(a);
    (both >> funnel_amount(amount, wrap)) as u32
}

/// `bmsk`: as many ones as `length` says, from bit `start` on.
#[inline(always)]
pub fn bmsk(start: u32, length: u32, wrap: bool) -> u32 {
    let limit = |x: u32| if wrap { x & 31 } else { x.min(32) };
    field_mask(limit(start), limit(length)) as u32
}

/// `szext`: `a` extended from its low bits, as many as `length` says, by zeros or by their top bit.
#[inline(always)]
pub fn szext(a: u32, length: u32, signed: bool, wrap: bool) -> u32 {
    let length = if wrap { length & 31 } else { length.min(32) };
    let unused = 32 - length;
    match (length, signed) {
        (0, _) => 0,
        (_, true) => ((a << unused) as i32 >> unused) as u32,
        (_, false) => a << unused >> unused,
    }
}

/// `fns`: the position of a set bit of `mask`: the |offset|-th from `base` on, upwards or downwards, or `base` itself
/// for 0; 0xffff_ffff if there is none.
#[inline(always)]
pub fn fns(mask: u32, base: u32, offset: i32) -> u32 {
    let is_set = |position: &u32| mask >> position & 1 == 1;
    if base > 31 {
        return u32::MAX;
    }
    let before = offset.unsigned_abs().saturating_sub(1) as usize;
    let found = match offset {
        0 => Some(base).filter(is_set),
        1.. => (base..32).filter(is_set).nth(before),
        _ => (0..=base).rev().filter(is_set).nth(before),
    };
    found.unwrap_or(u32::MAX)
}

/// The mode of `prmt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermuteMode {
    /// No mode: each nibble of `c` selects a byte, its top bit asks for copies of that byte's sign.
    Index,
    /// `.f4e`: four bytes upwards from the selected one.
    Forward4,
    /// `.b4e`: four bytes downwards from the selected one.
    Backward4,
    /// `.rc8`: the selected byte four times.
    Replicate8,
    /// `.ecl`: bytes below the selected one replaced by it.
    EdgeClampLeft,
    /// `.ecr`: bytes above the selected one replaced by it.
    EdgeClampRight,
    /// `.rc16`: the selected half-word twice.
    Replicate16,
}

/// `prmt`: four bytes picked from the eight of `b:a`.
#[inline(always)]
pub fn prmt(a: u32, b: u32, c: u32, mode: PermuteMode) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let selected = c & 3;
    (0..4).fold(0, |result, i| {
        let (index, sign) = match mode {
            PermuteMode::Index => (c >> (4 * i) & 7, c >> (4 * i) & 8 != 0),
            PermuteMode::Forward4 => (selected + i, false),
            PermuteMode::Backward4 => (selected.wrapping_sub(i) & 7, false),
            PermuteMode::Replicate8 => (selected, false),
            PermuteMode::EdgeClampLeft => (selected.max(i), false),
            PermuteMode::EdgeClampRight => (selected.min(i), false),
            PermuteMode::Replicate16 => ((selected & 1) * 2 + (i & 1), false),
        };
        let byte = (bytes >> (8 * index)) as u8;
        let byte = if sign { (byte as i8 >> 7) as u8 } else { byte };
        result | u32::from(byte) << (8 * i)
    })
}
