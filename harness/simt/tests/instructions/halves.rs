//! `cvt` to and from `.f16`, `.bf16` and `.tf32`, of which the operands of `mma` are made.

use crate::harness::{bytes, kernel, run, words};
use crate::products::mixed;

/// The value of an operand's bits, worked out from sign, exponent and mantissa.
pub fn value(element: &str, bits: u32) -> f64 {
    let (exponent_bits, mantissa_bits, bits) = match element {
        "f16" => (5, 10, bits & 0xffff),
        "bf16" => (8, 7, bits & 0xffff),
        // The low 13 bits do not count.
        _ => (8, 10, bits >> 13),
    };
    let mantissa = f64::from(bits & ((1 << mantissa_bits) - 1));
    let exponent = (bits >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let unit = f64::from(1 << mantissa_bits);
    let magnitude = match exponent {
        0 => mantissa / unit * 2f64.powi(1 - bias),
        e if e == (1 << exponent_bits) - 1 && mantissa == 0.0 => f64::INFINITY,
        e if e == (1 << exponent_bits) - 1 => f64::NAN,
        e => (1.0 + mantissa / unit) * 2f64.powi(e - bias),
    };
    if bits >> (mantissa_bits + exponent_bits) == 1 { -magnitude } else { magnitude }
}

/// Converts each thread's word and stores the result.
fn conversion(statements: &str) -> String {
    kernel(
        2,
        0,
        &format!(
            "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.u32 %r0, %r1, %r2, %r0;\n\
             mul.wide.u32 %rd2, %r0, 4;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
             add.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\nld.global.b32 %r3, [%rd0];\n\
             mov.b32 %f3, %r3;\n{statements}\nst.global.b32 [%rd1], %r4;"
        ),
    )
}

fn converted(statements: &str, inputs: &[u32]) -> Vec<u32> {
    let mut padded = inputs.to_vec();
    padded.resize(inputs.len().next_multiple_of(256), 0);
    let buffers = [bytes(padded.iter().copied()), vec![0; 4 * padded.len()]];
    let grid = (padded.len() / 256) as u32;
    let mut left = words(&run(&conversion(statements), grid, 256, &buffers, &[])[1]);
    left.truncate(inputs.len());
    left
}

const WIDEN: [(&str, &str); 2] = [
    ("f16", "cvt.u16.u32 %rs1, %r3;\ncvt.f32.f16 %f4, %rs1;\nmov.b32 %r4, %f4;"),
    ("bf16", "cvt.u16.u32 %rs1, %r3;\ncvt.f32.bf16 %f4, %rs1;\nmov.b32 %r4, %f4;"),
];

const NARROW: [(&str, &str); 5] = [
    ("f16", "cvt.rn.f16.f32 %rs1, %f3;\ncvt.u32.u16 %r4, %rs1;"),
    ("bf16", "cvt.rn.bf16.f32 %rs1, %f3;\ncvt.u32.u16 %r4, %rs1;"),
    ("f16", "mov.f32 %f5, 0f3F800000;\ncvt.rn.f16x2.f32 %r4, %f5, %f3;"),
    ("bf16", "mov.f32 %f5, 0f3F800000;\ncvt.rn.bf16x2.f32 %r4, %f5, %f3;"),
    ("tf32", "cvt.rna.tf32.f32 %r4, %f3;"),
];

#[test]
fn all_numbers_of_16_bits_are_widened() {
    let all: Vec<u32> = (0..1 << 16).collect();
    for (element, statements) in WIDEN {
        for (bits, got) in all.iter().zip(converted(statements, &all)) {
            let exact = value(element, *bits);
            let expected = if exact.is_nan() { 0x7fff_ffff } else { (exact as f32).to_bits() };
            assert_eq!(got, expected, "{element} {bits:#06x}");
        }
    }
}

/// The bits of the nearest number of a type to a finite one; of two, the one that `choose` takes.
fn nearest(element: &str, x: f64, choose: impl Fn(u32, u32) -> u32) -> u32 {
    // Among all numbers of its sign, by bisection; the next after the greatest stands for infinity.
    let (step, infinity) = match element {
        "f16" => (1, 0x7c00),
        "bf16" => (1, 0x7f80),
        _ => (1 << 13, 0x7f80_0000),
    };
    let magnitude = |bits: u32| match element {
        _ if bits < infinity => value(element, bits),
        "f16" => 65536.0,
        _ => 2f64.powi(128),
    };
    let (mut low, mut high) = (0, infinity / step);
    while high - low > 1 {
        let middle = low.midpoint(high);
        *if magnitude(middle * step) <= x.abs() { &mut low } else { &mut high } = middle;
    }
    let (below, above) = (x.abs() - magnitude(low * step), magnitude(high * step) - x.abs());
    let chosen = match below.total_cmp(&above) {
        std::cmp::Ordering::Less => low,
        std::cmp::Ordering::Greater => high,
        std::cmp::Ordering::Equal => choose(low, high),
    };
    chosen * step
}

#[test]
fn numbers_are_rounded_to_fewer_bits() {
    // Ties and their neighbours, the edges of the formats, and bits at random.
    let mut inputs: Vec<u32> = Vec::new();
    for exponent in (100..=144).chain(250..255).chain(0..3) {
        for mantissa in [
            0u32, 1, 0xfff, 0x1000, 0x1001, 0x3000, 0x7fff, 0x8000, 0x8001, 0x7f_e000, 0x7f_f000,
            0x7f_ffff,
        ] {
            inputs.push(exponent << 23 | mantissa);
            inputs.push(1 << 31 | exponent << 23 | mantissa);
        }
    }
    inputs.extend((0..2000).map(|i| mixed('x', i, 0)));
    let special = [0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0xffc0_0000, 0x7fff_ffff];
    inputs.extend(special);
    for (element, statements) in NARROW {
        let packed = statements.contains("x2");
        for (&bits, got) in inputs.iter().zip(converted(statements, &inputs)) {
            let x = f64::from(f32::from_bits(bits));
            let wide = element == "tf32";
            let (sign, infinity, nan) = match element {
                "f16" => (bits >> 16 & 0x8000, 0x7c00, 0x7fff),
                "bf16" => (bits >> 16 & 0x8000, 0x7f80, 0x7fff),
                _ => (bits & 1 << 31, 0x7f80_0000, 0x7fff_ffff),
            };
            let expected = if x.is_nan() {
                nan
            } else if x.is_infinite() {
                sign | infinity
            } else {
                let even = |low: u32, high: u32| if low & 1 == 0 { low } else { high };
                sign | nearest(element, x, |low, high| if wide { high } else { even(low, high) })
            };
            let high = match (packed, element) {
                (false, _) => 0,
                (_, "f16") => 0x3c00 << 16,
                _ => 0x3f80 << 16,
            };
            assert_eq!(got, expected | high, "{statements} of {bits:#010x}");
        }
    }
}

pub fn texts() -> Vec<String> {
    WIDEN.iter().chain(&NARROW).map(|(_, statements)| conversion(statements)).collect()
}
