//! The `.approx` instructions, within the ISA's bounds, with the ISA's special values.

use std::f64::consts::PI;

use super::float::flush;
use super::table::{Case, near};

/// 2^−n.
fn bits(n: f64) -> f64 {
    (-n).exp2()
}

/// The results below the least normal `f32` are not bounded relatively: this much is allowed.
const LEAST: f64 = 3e-45;

fn flush_wide(a: f64) -> f64 {
    if a.abs() < f64::from(f32::MIN_POSITIVE) { 0.0_f64.copysign(a) } else { a }
}

/// An angle beyond the ISA's 100π as an H200 reduces it: in turns, by an `f32` of 1/2π, cut to 24 bits.
fn angle(x: f64) -> f64 {
    if x.abs() <= 100.0 * PI || !x.is_finite() {
        return x;
    }
    let turns = x * f64::from(f32::from_bits(0x3e22_f983));
    f64::from_bits(turns.to_bits() >> 29 << 29).fract().copysign(x) * 2.0 * PI
}

/// Opcode, relative and absolute error, the exact function.
type Approximation = (&'static str, (f64, f64), fn(f64) -> f64);

pub fn cases() -> Vec<Case> {
    let one = "f32 -> f32";
    let unary: [Approximation; 7] = [
        ("rsqrt.approx", (bits(22.9), 0.0), |x| if x == 0.0 { 1.0 / x } else { 1.0 / x.sqrt() }),
        ("rcp.approx", (bits(23.0), LEAST), |x| f64::from((1.0 / x) as f32)),
        ("sqrt.approx", (bits(23.0), 0.0), f64::sqrt),
        ("ex2.approx", (bits(22.0), LEAST), |x| f64::from(x.exp2() as f32)),
        (
            "lg2.approx",
            (bits(22.0), bits(22.0)),
            |x| if x < 0.0 { f64::NAN } else { x.abs().log2() },
        ),
        ("sin.approx", (0.0, bits(14.7)), |x| angle(x).sin()),
        ("cos.approx", (0.0, bits(14.7)), |x| angle(x).cos()),
    ];
    let mut cases = Vec::new();
    for (opcode, error, function) in unary {
        cases.push(near(&format!("{opcode}.f32"), one, error, move |x| function(x[0].into())));
        cases.push(near(&format!("{opcode}.ftz.f32"), one, error, move |x| {
            flush_wide(function(flush(x[0]).into()))
        }));
    }
    cases.push(near("tanh.approx.f32", one, (bits(11.0), 0.0), |x| f64::from(x[0]).tanh()));
    let (two, error) = ("f32 f32 -> f32", (bits(22.0), LEAST));
    let quotient = |x: &[f32]| f64::from((f64::from(x[0]) / f64::from(x[1])) as f32);
    // "For 2^126 < |b| < 2^128, if a is infinity, div.approx.f32 returns NaN, otherwise 0."
    let approximate = move |x: &[f32]| match f64::from(x[1].abs()) {
        b if b > 126f64.exp2() && b.is_finite() => quotient(x) * 0.0,
        _ => quotient(x),
    };
    let flushed = |x: &[f32]| [flush(x[0]), flush(x[1])];
    cases.push(near("div.approx.f32", two, error, approximate));
    cases.push(near("div.approx.ftz.f32", two, error, move |x| {
        flush_wide(approximate(&flushed(x)))
    }));
    cases.push(near("div.full.f32", two, error, quotient));
    cases.push(near("div.full.ftz.f32", two, error, move |x| flush_wide(quotient(&flushed(x)))));
    cases
}

#[test]
fn approximate_instructions() {
    cases().iter().for_each(Case::check);
}
