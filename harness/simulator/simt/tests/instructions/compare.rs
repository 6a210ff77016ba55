//! `setp`, `set`, `selp`, `slct`, `testp`.

use std::cmp::Ordering;

use super::float::flush;
use super::table::{Case, exact};

/// Whether a comparison accepts an ordering; `None` is unordered. From the names' meaning.
fn holds(name: &str, order: Option<Ordering>) -> bool {
    let (ordered, unordered) = match name {
        "num" => ("lt eq gt", false),
        "nan" => ("", true),
        "lo" | "ls" | "hi" | "hs" => {
            let same = ["lt", "lt eq", "gt", "gt eq"];
            (same[["lo", "ls", "hi", "hs"].iter().position(|&x| x == name).unwrap()], false)
        }
        name => {
            let ordered = match &name[..2] {
                "eq" => "eq",
                "ne" => "lt gt",
                "lt" => "lt",
                "le" => "lt eq",
                "gt" => "gt",
                _ => "gt eq",
            };
            (ordered, name.len() == 3)
        }
    };
    match order {
        None => unordered,
        Some(Ordering::Less) => ordered.contains("lt"),
        Some(Ordering::Equal) => ordered.contains("eq"),
        Some(Ordering::Greater) => ordered.contains("gt"),
    }
}

/// The ordering of two operands' bits as values of a type.
fn order(of: &str, x: &[u64]) -> Option<Ordering> {
    let single = |i: usize| f32::from_bits(x[i] as u32);
    let double = |i: usize| f64::from_bits(x[i]);
    match of {
        "f32" => single(0).partial_cmp(&single(1)),
        "f64" => double(0).partial_cmp(&double(1)),
        "s16" => Some((x[0] as i16).cmp(&(x[1] as i16))),
        "s32" => Some((x[0] as i32).cmp(&(x[1] as i32))),
        "s64" => Some((x[0] as i64).cmp(&(x[1] as i64))),
        _ => Some(x[0].cmp(&x[1])),
    }
}

const SIGNED: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge"];
const UNSIGNED: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"];
const FLOAT: &[&str] =
    &["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (of, signature, set, names) in [
        ("s16", "s16 s16 -> pred", "s16 s16 -> u32", SIGNED),
        ("u16", "u16 u16 -> pred", "u16 u16 -> u32", UNSIGNED),
        ("b16", "b16 b16 -> pred", "b16 b16 -> u32", &SIGNED[..2]),
        ("s32", "s32 s32 -> pred", "s32 s32 -> u32", SIGNED),
        ("u32", "u32 u32 -> pred", "u32 u32 -> u32", UNSIGNED),
        ("b32", "b32 b32 -> pred", "b32 b32 -> u32", &SIGNED[..2]),
        ("s64", "s64 s64 -> pred", "s64 s64 -> u32", SIGNED),
        ("u64", "u64 u64 -> pred", "u64 u64 -> u32", UNSIGNED),
        ("b64", "b64 b64 -> pred", "b64 b64 -> u32", &SIGNED[..2]),
        ("f32", "f32 f32 -> pred", "f32 f32 -> u32", FLOAT),
        ("f64", "f64 f64 -> pred", "f64 f64 -> u32", FLOAT),
    ] {
        for &name in names {
            cases.push(exact(&format!("setp.{name}.{of}"), signature, move |x| {
                holds(name, order(of, x)).into()
            }));
            cases.push(exact(&format!("set.{name}.u32.{of}"), set, move |x| {
                if holds(name, order(of, x)) { 0xffff_ffff } else { 0 }
            }));
        }
    }
    for &name in FLOAT {
        let flushed = |x: &[u64]| {
            x.iter()
                .map(|&x| flush(f32::from_bits(x as u32)).to_bits().into())
                .collect::<Vec<u64>>()
        };
        cases.push(exact(&format!("setp.{name}.ftz.f32"), "f32 f32 -> pred", move |x| {
            holds(name, order("f32", &flushed(x))).into()
        }));
    }
    cases.push(exact("set.lt.f32.s32", "s32 s32 -> f32", |x| {
        if (x[0] as i32) < x[1] as i32 { 1.0f32.to_bits().into() } else { 0 }
    }));
    cases.extend(combined());
    cases.extend(selections());
    cases
}

/// `setp` with a second predicate as input and as output.
fn combined() -> Vec<Case> {
    let less = |x: &[u64]| u64::from((x[0] as i32) < x[1] as i32);
    let signature = "s32 s32 pred -> pred";
    vec![
        exact("setp.lt.and.s32", signature, move |x| less(x) & x[2]),
        exact("setp.lt.or.s32", signature, move |x| less(x) | x[2]),
        exact("setp.lt.xor.s32", signature, move |x| less(x) ^ x[2]),
        exact("setp.lt.and.s32 %d, %a, %b, !%c;", signature, move |x| less(x) & (1 - x[2])),
        exact("setp.lt.s32 %p1|%d, %a, %b;", "s32 s32 -> pred", move |x| 1 - less(x)),
        exact("setp.lt.or.s32 %p1|%d, %a, %b, %c;", signature, move |x| (1 - less(x)) | x[2]),
    ]
}

/// Whether the class of a number has a property of `testp`.
type Test = fn(std::num::FpCategory) -> bool;

fn selections() -> Vec<Case> {
    let mut cases = Vec::new();
    for (of, signature) in [
        ("b16", "b16 b16 pred -> b16"),
        ("u16", "u16 u16 pred -> u16"),
        ("b32", "b32 b32 pred -> b32"),
        ("u32", "u32 u32 pred -> u32"),
        ("s32", "s32 s32 pred -> s32"),
        ("f32", "f32 f32 pred -> f32"),
        ("b64", "b64 b64 pred -> b64"),
        ("f64", "f64 f64 pred -> f64"),
    ] {
        cases.push(exact(
            &format!("selp.{of}"),
            signature,
            |x| if x[2] == 1 { x[0] } else { x[1] },
        ));
    }
    let by_float = |c: f32| move |x: &[u64]| if c >= 0.0 { x[0] } else { x[1] };
    cases.push(exact("slct.u32.s32", "u32 u32 s32 -> u32", |x| {
        if x[2] as i32 >= 0 { x[0] } else { x[1] }
    }));
    cases.push(exact("slct.u64.f32", "u64 u64 f32 -> u64", move |x| {
        by_float(f32::from_bits(x[2] as u32))(x)
    }));
    cases.push(exact("slct.ftz.f32.f32", "f32 f32 f32 -> f32", move |x| {
        by_float(flush(f32::from_bits(x[2] as u32)))(x)
    }));
    use std::num::FpCategory::{Infinite, Nan, Subnormal};
    let properties: [(&str, Test); 6] = [
        ("finite", |c| c != Infinite && c != Nan),
        ("infinite", |c| c == Infinite),
        ("number", |c| c != Nan),
        ("notanumber", |c| c == Nan),
        ("normal", |c| ![Infinite, Nan, Subnormal].contains(&c)),
        ("subnormal", |c| c == Subnormal),
    ];
    for (name, test) in properties {
        cases.push(exact(&format!("testp.{name}.f32"), "f32 -> pred", move |x| {
            test(f32::from_bits(x[0] as u32).classify()).into()
        }));
        cases.push(exact(&format!("testp.{name}.f64"), "f64 -> pred", move |x| {
            test(f64::from_bits(x[0]).classify()).into()
        }));
    }
    cases
}

#[test]
fn comparison_instructions() {
    cases().iter().for_each(Case::check);
}
