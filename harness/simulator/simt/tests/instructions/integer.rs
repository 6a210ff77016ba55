//! Integer arithmetic.

use super::table::{Case, exact};

/// The low bits of an operand as the value that its type gives them.
fn value(bits: u64, signed: bool, width: u32) -> i128 {
    let up = 128 - width;
    if signed {
        ((u128::from(bits) << up) as i128) >> up
    } else {
        (u128::from(bits) << up >> up) as i128
    }
}

/// A case of one type from a function of the operands' values; the high bits of its result drop.
fn of_type(
    opcode: &str,
    signature: &'static str,
    function: impl Fn(i128, i128, i128) -> i128 + 'static,
) -> Case {
    let first = &signature[..3];
    let (signed, width) = (first.starts_with('s'), first[1..].parse().unwrap());
    let statement = format!("{opcode}.{first}");
    exact(&statement, signature, move |x| {
        let at = |i: usize| x.get(i).map_or(0, |&bits| value(bits, signed, width));
        function(at(0), at(1), at(2)) as u64
    })
}

/// The high half of a product of which only 128 bits are at hand: that of `.u64` needs them all.
fn high(a: i128, b: i128, width: u32) -> i128 {
    ((a as u128).wrapping_mul(b as u128) as i128) >> width
}

fn quotient(a: i128, b: i128) -> i128 {
    if b == 0 { -1 } else { a / b }
}

fn remainder(a: i128, b: i128) -> i128 {
    if b == 0 { -1 } else { a % b }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (one, two, three, width) in [
        ("s16 -> s16", "s16 s16 -> s16", "s16 s16 s16 -> s16", 16),
        ("u16 -> u16", "u16 u16 -> u16", "u16 u16 u16 -> u16", 16),
        ("s32 -> s32", "s32 s32 -> s32", "s32 s32 s32 -> s32", 32),
        ("u32 -> u32", "u32 u32 -> u32", "u32 u32 u32 -> u32", 32),
        ("s64 -> s64", "s64 s64 -> s64", "s64 s64 s64 -> s64", 64),
        ("u64 -> u64", "u64 u64 -> u64", "u64 u64 u64 -> u64", 64),
    ] {
        cases.push(of_type("add", two, |a, b, _| a + b));
        cases.push(of_type("sub", two, |a, b, _| a - b));
        cases.push(of_type("mul.lo", two, |a, b, _| a.wrapping_mul(b)));
        cases.push(of_type("mul.hi", two, move |a, b, _| high(a, b, width)));
        cases.push(of_type("mad.lo", three, |a, b, c| a.wrapping_mul(b).wrapping_add(c)));
        cases.push(of_type("mad.hi", three, move |a, b, c| high(a, b, width) + c));
        cases.push(of_type("sad", three, |a, b, c| c + (a - b).abs()));
        cases.push(of_type("div", two, |a, b, _| quotient(a, b)));
        cases.push(of_type("rem", two, |a, b, _| remainder(a, b)));
        cases.push(of_type("min", two, |a, b, _| a.min(b)));
        cases.push(of_type("max", two, |a, b, _| a.max(b)));
        if one.starts_with('s') {
            cases.push(of_type("abs", one, |a, _, _| a.abs()));
            cases.push(of_type("neg", one, |a, _, _| -a));
        }
    }
    for signature in ["s16 s16 -> s32", "u16 u16 -> u32", "s32 s32 -> s64", "u32 u32 -> u64"] {
        cases.push(of_type("mul.wide", signature, |a, b, _| a * b));
    }
    // The third operand has the type of the result; its sign does not matter to the low bits.
    for signature in
        ["s16 s16 s32 -> s32", "u16 u16 u32 -> u32", "s32 s32 s64 -> s64", "u32 u32 u64 -> u64"]
    {
        let first = &signature[..3];
        let (signed, width) = (first.starts_with('s'), first[1..].parse().unwrap());
        cases.push(exact(&format!("mad.wide.{first}"), signature, move |x| {
            let product = value(x[0], signed, width) * value(x[1], signed, width);
            (product as u64).wrapping_add(x[2])
        }));
    }
    let clamp = |x: i128| x.clamp(i32::MIN.into(), i32::MAX.into());
    let s32 = "s32 s32 -> s32";
    cases.push(of_type("add.sat", s32, move |a, b, _| clamp(a + b)));
    cases.push(of_type("sub.sat", s32, move |a, b, _| clamp(a - b)));
    cases.push(of_type("mad.hi.sat", "s32 s32 s32 -> s32", move |a, b, c| {
        clamp(((a * b) >> 32) + c)
    }));
    cases.extend(products_of_24_bits());
    cases.extend(extended_precision());
    cases.extend(dot_products());
    cases
}

fn products_of_24_bits() -> Vec<Case> {
    let mut cases = Vec::new();
    for (two, three, signed) in [
        ("s32 s32 -> s32", "s32 s32 s32 -> s32", true),
        ("u32 u32 -> u32", "u32 u32 u32 -> u32", false),
    ] {
        let product =
            move |a: i128, b: i128| value(a as u64, signed, 24) * value(b as u64, signed, 24);
        cases.push(of_type("mul24.lo", two, move |a, b, _| product(a, b)));
        cases.push(of_type("mul24.hi", two, move |a, b, _| product(a, b) >> 16));
        cases.push(of_type("mad24.lo", three, move |a, b, c| product(a, b) + c));
        cases.push(of_type("mad24.hi", three, move |a, b, c| (product(a, b) >> 16) + c));
    }
    cases
}

/// The carry flag is seen only by the next instruction of its kind, so each case is two.
fn extended_precision() -> Vec<Case> {
    let u64_of = |x: &[u64]| (u128::from(x[0]), u128::from(x[1]), u128::from(x[2]));
    vec![
        exact("add.cc.u32 %d, %a, %b; addc.u32 %d, %c, 0;", "u32 u32 u32 -> u32", |x| {
            x[2] + ((x[0] + x[1]) >> 32)
        }),
        exact("sub.cc.u32 %d, %a, %b; subc.u32 %d, %c, 0;", "u32 u32 u32 -> u32", |x| {
            x[2].wrapping_sub(u64::from(x[0] < x[1]))
        }),
        exact(
            "mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;",
            "u32 u32 u32 -> u32",
            |x| {
                let product = x[0] * x[1];
                (product >> 32) + (((product & 0xffff_ffff) + x[2]) >> 32)
            },
        ),
        exact("add.cc.u64 %d, %a, %b; addc.u64 %d, %c, 0;", "u64 u64 u64 -> u64", move |x| {
            let (a, b, c) = u64_of(x);
            (c + ((a + b) >> 64)) as u64
        }),
        exact(
            "add.cc.u32 %d, %a, %b; addc.cc.u32 %d, %a, %c; addc.u32 %d, 0, 0;",
            "u32 u32 u32 -> u32",
            |x| (x[0] + x[2] + ((x[0] + x[1]) >> 32)) >> 32,
        ),
    ]
}

fn dot_products() -> Vec<Case> {
    let part = |x: u64, from: u32, bits: u32, signed| value(x >> from, signed, bits);
    let mut cases = Vec::new();
    for (types, first, second) in [
        ("u32.u32", false, false),
        ("u32.s32", false, true),
        ("s32.u32", true, false),
        ("s32.s32", true, true),
    ] {
        cases.push(exact(&format!("dp4a.{types}"), "b32 b32 b32 -> b32", move |x| {
            let product = |i: u32| part(x[0], 8 * i, 8, first) * part(x[1], 8 * i, 8, second);
            (x[2] as i128 + (0..4).map(product).sum::<i128>()) as u64
        }));
        for (mode, lowest) in [("lo", 0), ("hi", 16)] {
            cases.push(exact(&format!("dp2a.{mode}.{types}"), "b32 b32 b32 -> b32", move |x| {
                let second = |i: u32| part(x[1], lowest + 8 * i, 8, second);
                let product = |i: u32| part(x[0], 16 * i, 16, first) * second(i);
                (x[2] as i128 + product(0) + product(1)) as u64
            }));
        }
    }
    cases
}

#[test]
fn integer_instructions() {
    cases().iter().for_each(Case::check);
}
