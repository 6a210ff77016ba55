//! `cvt` to and from `.f16`, `.bf16` and `.tf32`, of which the operands of `mma` are made.

use super::harness::{bytes, kernel, run, words};
use super::recorded::mix;

/// The value of an operand's bits, worked out from sign, exponent and mantissa.
fn value(element: &str, bits: u32) -> f64 {
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
            // A NaN of `.bf16` keeps its bits, as on an H100.
            let nan = if element == "bf16" { bits << 16 } else { 0x7fff_ffff };
            let expected = if exact.is_nan() { nan } else { (exact as f32).to_bits() };
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
    inputs.extend((0..2000).map(mix));
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
            let expected = if x.is_nan() && wide {
                // As on an H100: rounded as if it were a number.
                bits.wrapping_add(0x1000) & 0xffff_e000
            } else if x.is_nan() {
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
    let conversions = WIDEN.iter().chain(&NARROW).map(|(_, statements)| conversion(statements));
    conversions.chain([arithmetic("fma", "f16", 3)]).collect()
}

/// Two packed operands of each thread's word of p0 and p1, and a third that is p0's word turned round; one half at a time
/// and both at once. What is stored is both results, which must be the same.
fn arithmetic(operation: &str, format: &str, count: usize) -> String {
    let sources = |names: [&str; 3]| names[..count].join(", ");
    let rounding = if operation == "fma" { ".rn" } else { "" };
    let single = format!("{operation}{rounding}.{format}");
    let (low, high) = (sources(["%rs1", "%rs3", "%rs2"]), sources(["%rs2", "%rs4", "%rs1"]));
    let both = sources(["%r3", "%r4", "%r5"]);
    kernel(
        3,
        0,
        &format!(
            "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n\
             mad.lo.u32 %r0, %r1, %r2, %r0;\nmul.wide.u32 %rd9, %r0, 4;\nld.param.u64 %rd0, [p0];\n\
             ld.param.u64 %rd1, [p1];\nld.param.u64 %rd2, [p2];\nadd.s64 %rd0, %rd0, %rd9;\n\
             add.s64 %rd1, %rd1, %rd9;\nadd.s64 %rd2, %rd2, %rd9;\nld.global.u32 %r3, [%rd0];\n\
             ld.global.u32 %r4, [%rd1];\nmov.b32 {{%rs1, %rs2}}, %r3;\nmov.b32 {{%rs3, %rs4}}, %r4;\n\
             mov.b32 %r5, {{%rs2, %rs1}};\n{single} %rs5, {low};\n{single} %rs6, {high};\n\
             {single}x2 %r6, {both};\nmov.b32 %r7, {{%rs5, %rs6}};\nsetp.ne.u32 %p0, %r6, %r7;\n\
             @%p0 trap;\nst.global.u32 [%rd2], %r6;"
        ),
    )
}

/// The two numbers of 16 bits on either side of a value, or the value itself twice, by search among all of them.
fn rounded(format: &str, ordered: &[(f64, u16)], value: f64) -> u16 {
    let infinity = if format == "f16" { 0x7c00 } else { 0x7f80 };
    let above = ordered.partition_point(|&(x, _)| x < value.abs());
    let magnitude = match (ordered.get(above.wrapping_sub(1)), ordered.get(above)) {
        (_, Some(&(x, bits))) if x == value.abs() => bits,
        (Some(&(low, l)), Some(&(high, h))) => {
            let (down, up) = (value.abs() - low, high - value.abs());
            if down < up || down == up && l & 1 == 0 { l } else { h }
        }
        // Beyond the greatest: infinity from half a step on, which is where the even one would be.
        (Some(&(low, l)), None) => {
            let step = low - ordered[above - 2].0;
            if value.abs() < low + step / 2.0 { l } else { infinity }
        }
        _ => unreachable!("zero is among them"),
    };
    magnitude | if value.is_sign_negative() { 0x8000 } else { 0 }
}

#[test]
fn arithmetic_is_rounded_once() {
    for format in ["f16", "bf16"] {
        let infinity = if format == "f16" { 0x7c00u16 } else { 0x7f80 };
        let ordered: Vec<(f64, u16)> =
            (0..infinity).map(|bits| (value(format, bits.into()), bits)).collect();
        let samples: Vec<u32> = (0..8192).map(mix).collect();
        let others: Vec<u32> = samples
            .iter()
            .zip(0..)
            // Also those of about the same size, for sums.
            .map(|(a, k)| if k % 2 == 0 { mix(k + 9000) } else { a ^ (mix(k) >> 7 & 0x83ff_83ff) })
            .collect();
        for (operation, count) in [("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)] {
            let text = arithmetic(operation, format, count);
            let buffers = [bytes(samples.clone()), bytes(others.clone()), vec![0; 4 * 8192]];
            let results = words(&run(&text, 32, 256, &buffers, &[])[2]);
            for ((&a, &b), result) in samples.iter().zip(&others).zip(results) {
                for half in [0, 16] {
                    let (x, y) =
                        (value(format, a >> half & 0xffff), value(format, b >> half & 0xffff));
                    let z = value(format, a.rotate_left(16) >> half & 0xffff);
                    let result = (result >> half) as u16;
                    // Where 53 bits do not hold the exact result, which they do for nearly all, nothing is expected.
                    let exact = match operation {
                        "add" => x + y,
                        "sub" => x - y,
                        "mul" => x * y,
                        _ => x * y + z,
                    };
                    let error = match operation {
                        "mul" => 0.0,
                        _ => {
                            let (p, q) = match operation {
                                "add" => (x, y),
                                "sub" => (x, -y),
                                _ => (x * y, z),
                            };
                            let of_q = exact - p;
                            (p - (exact - of_q)) + (q - of_q)
                        }
                    };
                    if exact.is_nan() {
                        assert_eq!(result, 0x7fff, "{operation}.{format} {x} {y} {z}");
                    } else if exact.is_infinite() || error == 0.0 {
                        let expected = if exact.is_infinite() {
                            infinity | if exact < 0.0 { 0x8000 } else { 0 }
                        } else {
                            rounded(format, &ordered, exact)
                        };
                        assert_eq!(result, expected, "{operation}.{format} {x} {y} {z}");
                    }
                }
            }
        }
    }
}
