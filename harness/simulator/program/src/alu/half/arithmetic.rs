//! Arithmetic on numbers of 16 bits, one or two in a register.

use super::clamp::Clamp;
use crate::alu::lanewise::Lanewise;
use crate::alu::operation::{Half, HalfModifiers};
use crate::registers::{Operands, Registers};
use semantics::half::{Format, flush, pack, relu, saturate, with_product_sign};

pub(in crate::alu) fn half(
    operation: Half,
    m: HalfModifiers,
    r: &mut Registers,
    i: &Operands,
    mask: u32,
) {
    let format = m.format;
    match operation {
        Half::Add => binary(|a, b| format.add(a, b), m, r, i, mask),
        Half::Sub => binary(|a, b| format.sub(a, b), m, r, i, mask),
        Half::Mul => binary(|a, b| format.mul(a, b), m, r, i, mask),
        Half::Extreme { greatest, nan, product_sign } => {
            let choose = if greatest { Format::max } else { Format::min };
            let choose = |a, b| {
                if !product_sign {
                    return choose(format, a, b, nan);
                }
                with_product_sign(choose(format, a & 0x7fff, b & 0x7fff, nan), a, b)
            };
            binary(choose, m, r, i, mask);
        }
        Half::Ex2 => unary(|a| format.ex2(a), m, r, i, mask),
        Half::Tanh => unary(|a| format.tanh(a), m, r, i, mask),
        Half::Neg => unary(|a| format.neg(a), m, r, i, mask),
        Half::Abs => unary(|a| format.abs(a), m, r, i, mask),
        Half::Fma => {
            let one = |a, b, c| m.finish(format.fma(m.operand(a), m.operand(b), m.operand(c)));
            if m.pair {
                (|a: u32, b: u32, c: u32| {
                    pack(one(high(a), high(b), high(c)), one(a as u16, b as u16, c as u16))
                })
                .each(r, i, mask);
            } else {
                one.each(r, i, mask);
            }
        }
    }
}

impl HalfModifiers {
    fn operand(self, a: u16) -> u16 {
        if self.ftz && self.format == Format::F16 { flush(a) } else { a }
    }

    fn finish(self, a: u16) -> u16 {
        let a = self.operand(a);
        match self.clamp {
            Clamp::None => a,
            Clamp::Unit => saturate(a),
            Clamp::Positive => relu(a),
        }
    }
}

fn high(a: u32) -> u16 {
    (a >> 16) as u16
}

fn unary(f: impl Fn(u16) -> u16, m: HalfModifiers, r: &mut Registers, i: &Operands, mask: u32) {
    let one = |a| m.finish(f(m.operand(a)));
    if m.pair {
        (|a: u32| pack(one(high(a)), one(a as u16))).each(r, i, mask);
    } else {
        one.each(r, i, mask);
    }
}

fn binary(
    f: impl Fn(u16, u16) -> u16,
    m: HalfModifiers,
    r: &mut Registers,
    i: &Operands,
    mask: u32,
) {
    let one = |a, b| m.finish(f(m.operand(a), m.operand(b)));
    if m.pair {
        (|a: u32, b: u32| pack(one(high(a), high(b)), one(a as u16, b as u16))).each(r, i, mask);
    } else {
        one.each(r, i, mask);
    }
}
