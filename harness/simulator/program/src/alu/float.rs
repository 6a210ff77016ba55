//! Floating-point arithmetic with any modifiers.

use super::lanewise::Lanewise;
use super::operation::{Float, FloatModifiers};
use crate::registers::{Operands, Registers};
use semantics::float32::SCALE;
use semantics::{Rounding, approximate, float32, float64, fma};

pub(super) fn float32(
    operation: Float,
    m: FloatModifiers,
    r: &mut Registers,
    i: &Operands,
    mask: u32,
) {
    let rounding = m.rounding;
    let flush = |x| if m.ftz { float32::flush(x) } else { x };
    let finish = |x| if m.sat { float32::saturate(flush(x)) } else { flush(x) };
    let unary = |r: &mut Registers, f: fn(f32) -> f32| {
        (|a| finish(f(flush(a)))).each(r, i, mask);
    };
    macro_rules! binary {
        ($f:expr) => {
            (|a, b| finish($f(flush(a), flush(b)))).each(r, i, mask)
        };
    }
    // Those whose result may be rounded up to the least normal number.
    let scaled = |result, scaled| {
        let result = if m.ftz { float32::flush_scaled(result, scaled) } else { result };
        if m.sat { float32::saturate(result) } else { result }
    };
    macro_rules! scaling {
        ($f:expr) => {
            (|a, b| {
                let (a, b) = (flush(a), flush(b));
                scaled($f(a, b), $f(SCALE * a, b))
            })
            .each(r, i, mask)
        };
    }
    let fused = |r: &mut Registers, f: fn(f32, f32, f32, Rounding) -> f32| {
        (|a, b, c| {
            let (a, b, c) = (flush(a), flush(b), flush(c));
            scaled(f(a, b, c, rounding), f(SCALE * a, b, SCALE * c, rounding))
        })
        .each(r, i, mask);
    };
    match operation {
        Float::Add => binary!(|a, b| float32::add(a, b, rounding)),
        Float::Sub => binary!(|a, b| float32::sub(a, b, rounding)),
        Float::Mul => scaling!(|a, b| float32::mul(a, b, rounding)),
        Float::Fma if rounding == Rounding::Nearest => {
            fused(r, |a, b, c, _| fma::fma_f32::<false>(a, b, c));
        }
        Float::Fma => fused(r, float32::fma),
        Float::Div => scaling!(|a, b| float32::div(a, b, rounding)),
        Float::DivApprox => scaling!(approximate::div),
        Float::DivFull => scaling!(approximate::div_full),
        Float::Rcp => (|a| {
            let a = flush(a);
            scaled(float32::rcp(a, rounding), float32::div(SCALE, a, rounding))
        })
        .each(r, i, mask),
        Float::Sqrt => (|a| finish(float32::sqrt(flush(a), rounding))).each(r, i, mask),
        Float::RcpApprox => unary(r, approximate::rcp),
        Float::SqrtApprox => unary(r, approximate::sqrt),
        Float::RsqrtApprox => unary(r, approximate::rsqrt),
        Float::Ex2 => unary(r, approximate::ex2),
        Float::Lg2 => unary(r, approximate::lg2),
        Float::Sin => unary(r, approximate::sin),
        Float::Cos => unary(r, approximate::cos),
        Float::Tanh => unary(r, approximate::tanh),
        Float::Min(keep_nan) => binary!(|a, b| float32::min(a, b, keep_nan)),
        Float::Max(keep_nan) => binary!(|a, b| float32::max(a, b, keep_nan)),
        Float::MinMagnitude(keep_nan) => {
            binary!(|a: f32, b: f32| {
                float32::with_product_sign(float32::min(a.abs(), b.abs(), keep_nan), a, b)
            })
        }
        Float::MaxMagnitude(keep_nan) => {
            binary!(|a: f32, b: f32| {
                float32::with_product_sign(float32::max(a.abs(), b.abs(), keep_nan), a, b)
            })
        }
        Float::Neg => unary(r, float32::neg),
        Float::Abs => unary(r, float32::abs),
        Float::Copysign => float32::copysign.each(r, i, mask),
    }
}

pub(super) fn float64(
    operation: Float,
    m: FloatModifiers,
    r: &mut Registers,
    i: &Operands,
    mask: u32,
) {
    let rounding = m.rounding;
    macro_rules! binary {
        ($f:expr) => {
            (|a, b| $f(a, b, rounding)).each(r, i, mask)
        };
    }
    match operation {
        Float::Add => binary!(float64::add),
        Float::Sub => binary!(float64::sub),
        Float::Mul => binary!(float64::mul),
        Float::Fma => (|a, b, c| float64::fma(a, b, c, rounding)).each(r, i, mask),
        Float::Div => binary!(float64::div),
        Float::Rcp => (|a| float64::rcp(a, rounding)).each(r, i, mask),
        Float::Sqrt => (|a| float64::sqrt(a, rounding)).each(r, i, mask),
        Float::RcpApprox => approximate::rcp_f64.each(r, i, mask),
        Float::RsqrtApprox if m.ftz => approximate::rsqrt_ftz_f64.each(r, i, mask),
        Float::RsqrtApprox => approximate::rsqrt_f64.each(r, i, mask),
        Float::Min(_) => float64::min.each(r, i, mask),
        Float::Max(_) => float64::max.each(r, i, mask),
        Float::Neg => float64::neg.each(r, i, mask),
        Float::Abs => float64::abs.each(r, i, mask),
        Float::Copysign => float64::copysign.each(r, i, mask),
        Float::DivApprox
        | Float::DivFull
        | Float::SqrtApprox
        | Float::Ex2
        | Float::Lg2
        | Float::Sin
        | Float::Cos
        | Float::Tanh
        | Float::MinMagnitude(_)
        | Float::MaxMagnitude(_) => unreachable!("lowering refuses {operation:?} of f64"),
    }
}
