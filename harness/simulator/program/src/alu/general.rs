//! Arithmetic composed from operation, type and modifiers: everything that is not in the fast table.
//!
//! There are hundreds of combinations, and kernels spend little time in any of them. So they run lane by lane, in one
//! build for every CPU: vector loops for all would take most of the crate's compile time. What turns out to be hot
//! belongs in the fast table.

use super::convert::conversion;
use super::float::{float32, float64};
use super::half::half;
use super::lanewise::{Lanewise, compare};
use super::operation::{Arithmetic32, Bitwise, General, Integral};
use super::scalar::{Scalar, with_integer};
use crate::registers::{Operands, Registers, Value, lanes};
use semantics::bits;
use semantics::compare::{slct, testp_f32, testp_f64};
use semantics::float32::flush;
use semantics::integer::{self, Integer};

impl General {
    /// Executes it in the lanes of `mask`.
    pub fn execute(self, r: &mut Registers, i: &Operands, mask: u32) {
        match self {
            General::Integral(operation, scalar) => {
                with_integer!(scalar, T => integral::<T>(operation, r, i, mask));
            }
            General::Bitwise(operation, scalar) => {
                with_integer!(scalar, T => bitwise::<T>(operation, r, i, mask));
            }
            General::Arithmetic32(operation) => arithmetic32(operation, r, i, mask),
            General::Float32(operation, modifiers) => float32(operation, modifiers, r, i, mask),
            General::Float64(operation, modifiers) => float64(operation, modifiers, r, i, mask),
            General::Half(operation, modifiers) => half(operation, modifiers, r, i, mask),
            General::Video(video, 1) => (|a, b, c| video.scalar(a, b, c)).each(r, i, mask),
            General::Video(video, lanes) => {
                (|a, b, c| video.parallel(a, b, c, lanes == 4)).each(r, i, mask);
            }
            General::HalfConvert(conversion) => conversion.execute(r, i, mask),
            General::Compare(scalar, comparison, ftz) => {
                let result = match scalar {
                    Scalar::F32 if ftz => compare(r, i, mask, comparison, flush),
                    Scalar::F32 => compare::<f32>(r, i, mask, comparison, |x| x),
                    Scalar::F64 => compare::<f64>(r, i, mask, comparison, |x| x),
                    _ => with_integer!(scalar, T => compare::<T>(r, i, mask, comparison, |x| x)),
                };
                r.set_predicate(i.d, mask, result);
            }
            General::Test(Scalar::F64, property) => {
                (|a| testp_f64(a, property)).each(r, i, mask);
            }
            General::Test(_, property) => (|a| testp_f32(a, property)).each(r, i, mask),
            General::Select(scalar, chooser, ftz) => select(scalar, chooser, ftz, r, i, mask),
            General::Convert(from, to, rounding, modifiers) => {
                conversion(from, to, rounding, modifiers, r, i, mask);
            }
        }
    }
}

fn integral<T: Integer + Value>(operation: Integral, r: &mut Registers, i: &Operands, mask: u32) {
    match operation {
        Integral::Add => integer::add::<T>.each(r, i, mask),
        Integral::Sub => integer::sub::<T>.each(r, i, mask),
        Integral::MulLo => integer::mul_lo::<T>.each(r, i, mask),
        Integral::MulHi => integer::mul_hi::<T>.each(r, i, mask),
        Integral::MadLo => integer::mad_lo::<T>.each(r, i, mask),
        Integral::MadHi => integer::mad_hi::<T>.each(r, i, mask),
        Integral::Div => integer::div::<T>.each(r, i, mask),
        Integral::Rem => integer::rem::<T>.each(r, i, mask),
        Integral::Abs => integer::abs::<T>.each(r, i, mask),
        Integral::Neg => integer::neg::<T>.each(r, i, mask),
        Integral::Min => integer::min::<T>.each(r, i, mask),
        Integral::Max => integer::max::<T>.each(r, i, mask),
        Integral::Sad => integer::sad::<T>.each(r, i, mask),
        Integral::AddCarry => carrying(integer::add_carry::<T>, r, i, mask),
        Integral::SubBorrow => carrying(integer::sub_borrow::<T>, r, i, mask),
    }
}

/// An operation with a carry: in from the register `c`, out to it.
fn carrying<T: Integer + Value>(
    operation: impl Fn(T, T, T) -> (T, T),
    r: &mut Registers,
    i: &Operands,
    mask: u32,
) {
    for lane in lanes(mask) {
        let (a, b, carry) =
            (T::read_lane(r, i.a, lane), T::read_lane(r, i.b, lane), T::read_lane(r, i.c, lane));
        let (sum, carry) = operation(a, b, carry);
        T::write_lane(r, i.d, lane, sum);
        T::write_lane(r, i.c, lane, carry);
    }
}

fn bitwise<T: Integer + Value>(operation: Bitwise, r: &mut Registers, i: &Operands, mask: u32) {
    let binary = |r: &mut Registers, f: fn(u64, u64) -> u64| {
        (|a: T, b: T| T::from_bits(f(a.to_bits(), b.to_bits()))).each(r, i, mask);
    };
    match operation {
        Bitwise::And => binary(r, |a, b| a & b),
        Bitwise::Or => binary(r, |a, b| a | b),
        Bitwise::Xor => binary(r, |a, b| a ^ b),
        Bitwise::Not => bits::not::<T>.each(r, i, mask),
        Bitwise::Cnot => bits::cnot::<T>.each(r, i, mask),
        Bitwise::Shl => bits::shl::<T>.each(r, i, mask),
        Bitwise::Shr => bits::shr::<T>.each(r, i, mask),
        Bitwise::Popc => bits::popc::<T>.each(r, i, mask),
        Bitwise::Clz => bits::clz::<T>.each(r, i, mask),
        Bitwise::Bfind(shift) => (|a: T| bits::bfind(a, shift)).each(r, i, mask),
        Bitwise::Brev => bits::brev::<T>.each(r, i, mask),
        Bitwise::Bfe => bits::bfe::<T>.each(r, i, mask),
        Bitwise::Bfi => bits::bfi::<T>.each(r, i, mask),
    }
}

fn arithmetic32(operation: Arithmetic32, r: &mut Registers, i: &Operands, mask: u32) {
    use Arithmetic32::*;
    match operation {
        AddSat => integer::add_sat.each(r, i, mask),
        SubSat => integer::sub_sat.each(r, i, mask),
        MadHiSat => integer::mad_hi_sat.each(r, i, mask),
        Mul24Lo(true) => integer::mul24_lo::<i32>.each(r, i, mask),
        Mul24Lo(false) => integer::mul24_lo::<u32>.each(r, i, mask),
        Mul24Hi(true) => integer::mul24_hi::<i32>.each(r, i, mask),
        Mul24Hi(false) => integer::mul24_hi::<u32>.each(r, i, mask),
        Mad24Lo(true) => integer::mad24_lo::<i32>.each(r, i, mask),
        Mad24Lo(false) => integer::mad24_lo::<u32>.each(r, i, mask),
        Mad24Hi(true) => integer::mad24_hi::<i32>.each(r, i, mask),
        Mad24Hi(false) => integer::mad24_hi::<u32>.each(r, i, mask),
        Mad24HiSat => integer::mad24_hi_sat.each(r, i, mask),
        Dp4a(a_signed, b_signed) => {
            (|a, b, c| integer::dp4a(a, a_signed, b, b_signed, c)).each(r, i, mask);
        }
        Dp2a(a_signed, b_signed, high) => {
            (|a, b, c| integer::dp2a(a, a_signed, b, b_signed, c, high)).each(r, i, mask);
        }
        Lop3(table) => (|a, b, c| bits::lop3(a, b, c, table)).each(r, i, mask),
        Bmsk(wrap) => (|a, b| bits::bmsk(a, b, wrap)).each(r, i, mask),
        Szext(signed, wrap) => (|a, b| bits::szext(a, b, signed, wrap)).each(r, i, mask),
        Fns => bits::fns.each(r, i, mask),
        Prmt(mode) => (|a, b, c| bits::prmt(a, b, c, mode)).each(r, i, mask),
        ShfLeft(wrap) => (|a, b, c| bits::shf_l(a, b, c, wrap)).each(r, i, mask),
        ShfRight(wrap) => (|a, b, c| bits::shf_r(a, b, c, wrap)).each(r, i, mask),
        MulWide16(true) => integer::mul_wide::<i16>.each(r, i, mask),
        MulWide16(false) => integer::mul_wide::<u16>.each(r, i, mask),
        MadWide16(true) => integer::mad_wide::<i16>.each(r, i, mask),
        MadWide16(false) => integer::mad_wide::<u16>.each(r, i, mask),
    }
}

fn select(scalar: Scalar, chooser: Scalar, ftz: bool, r: &mut Registers, i: &Operands, mask: u32) {
    macro_rules! by {
        ($T:ty) => {
            match chooser {
                Scalar::F32 => (|a: $T, b: $T, c: f32| slct(a, b, if ftz { flush(c) } else { c }))
                    .each(r, i, mask),
                _ => slct::<$T, i32>.each(r, i, mask),
            }
        };
    }
    match scalar {
        Scalar::U64 | Scalar::I64 | Scalar::F64 => by!(u64),
        _ => by!(u32),
    }
}
