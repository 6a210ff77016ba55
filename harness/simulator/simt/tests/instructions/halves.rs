//! Numbers of 16 bits and of `.tf32`: `cvt` from and to `f32`, and arithmetic, as IEEE 754 rounds.

use half::{bf16, f16};

use super::recorded::mix;
use crate::golden::{Instruction, simulate};

/// The value of a number's bits.
fn value(format: &str, bits: u64) -> f64 {
    match format {
        "f16" => f16::from_bits(bits as u16).to_f64(),
        _ => bf16::from_bits(bits as u16).to_f64(),
    }
}

/// The bits of the number that is nearest to another.
fn nearest(format: &str, x: f32) -> u16 {
    match format {
        "f16" => f16::from_f32(x).to_bits(),
        _ => bf16::from_f32(x).to_bits(),
    }
}

/// The same of an `f64`: by way of an `f32` that is cut off, and odd where something was.
fn rounded(format: &str, value: f64) -> u16 {
    let near = value as f32;
    let is_above = f64::from(near).abs() > value.abs();
    let cut = near.to_bits() - u32::from(is_above);
    let is_exact = f64::from(f32::from_bits(cut)) == value;
    nearest(format, f32::from_bits(cut | u32::from(!is_exact)))
}

fn read(instruction: &str) -> Instruction {
    Instruction::parse(instruction).expect("an instruction")
}

const WIDEN: [(&str, &str); 2] =
    [("f16", "b16 -> f32 | cvt.f32.f16 %d, %a;"), ("bf16", "b16 -> f32 | cvt.f32.bf16 %d, %a;")];

/// Of a number, or of that and 1, which becomes the high half.
const NARROW: [(&str, &str); 5] = [
    ("f16", "f32 -> b16 | cvt.rn.f16.f32 %d, %a;"),
    ("bf16", "f32 -> b16 | cvt.rn.bf16.f32 %d, %a;"),
    ("f16", "f32 f32 -> b32 | cvt.rn.f16x2.f32 %d, %b, %a;"),
    ("bf16", "f32 f32 -> b32 | cvt.rn.bf16x2.f32 %d, %b, %a;"),
    ("tf32", "f32 -> b32 | cvt.rna.tf32.f32 %d, %a;"),
];

#[test]
fn all_numbers_of_16_bits_are_widened() {
    let all: Vec<Vec<u64>> = (0..1 << 16).map(|bits| vec![bits]).collect();
    for (format, instruction) in WIDEN {
        for (bits, got) in (0..).zip(simulate(&read(instruction), &all)) {
            let exact = value(format, bits);
            // A NaN of `.bf16` keeps its bits, as on an H100.
            let nan = if format == "bf16" { bits << 16 } else { 0x7fff_ffff };
            let expected = if exact.is_nan() { nan } else { (exact as f32).to_bits().into() };
            assert_eq!(got, expected, "{format} {bits:#06x}");
        }
    }
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
    inputs.extend([0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0xffc0_0000, 0x7fff_ffff]);
    for (format, instruction) in NARROW {
        let instruction = read(instruction);
        let operands = |&bits: &u32| {
            let both = [bits, 1f32.to_bits()].map(u64::from);
            both[..instruction.inputs.len()].to_vec()
        };
        let rows: Vec<Vec<u64>> = inputs.iter().map(operands).collect();
        for (&bits, got) in inputs.iter().zip(simulate(&instruction, &rows)) {
            let x = f32::from_bits(bits);
            let low = match format {
                // Ties away from zero; as on an H100, a NaN too is rounded as if it were a number.
                "tf32" => bits.wrapping_add(0x1000) & 0xffff_e000,
                _ if x.is_nan() => 0x7fff,
                _ => nearest(format, x).into(),
            };
            let is_pair = instruction.inputs.len() == 2;
            let high = if is_pair { u64::from(nearest(format, 1.0)) << 16 } else { 0 };
            assert_eq!(got, high | u64::from(low), "{instruction} of {bits:#010x}");
        }
    }
}

/// An operation on two or three numbers of 16 bits, or on pairs of them.
fn arithmetic(operation: &str, format: &str, count: usize, is_of_pairs: bool) -> Instruction {
    let rounding = if operation == "fma" { ".rn" } else { "" };
    let (bits, pairs) = if is_of_pairs { ("b32", "x2") } else { ("b16", "") };
    let (types, operands) = ([bits; 3][..count].join(" "), ["%a", "%b", "%c"][..count].join(", "));
    read(&format!("{types} -> {bits} | {operation}{rounding}.{format}{pairs} %d, {operands};"))
}

#[test]
fn arithmetic_is_rounded_once() {
    // The second of a row is of about the size of the first in every second row, for sums.
    let row = |k: u32| {
        let a = mix(k);
        let b = if k.is_multiple_of(2) { mix(k + 9000) } else { a ^ (mix(k) >> 7 & 0x83ff_83ff) };
        [a, b, a.rotate_left(16)].map(u64::from)
    };
    let rows: Vec<[u64; 3]> = (0..8192).map(row).collect();
    for format in ["f16", "bf16"] {
        for (operation, count) in [("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)] {
            let apply = |is_of_pairs, operands: &[[u64; 3]]| {
                let operands: Vec<Vec<u64>> =
                    operands.iter().map(|row| row[..count].to_vec()).collect();
                simulate(&arithmetic(operation, format, count, is_of_pairs), &operands)
            };
            let pairs = apply(true, &rows);
            for half in [0, 16] {
                let operands: Vec<[u64; 3]> =
                    rows.iter().map(|row| row.map(|pair| pair >> half & 0xffff)).collect();
                let singles = apply(false, &operands);
                for ((operands, single), pair) in operands.iter().zip(singles).zip(&pairs) {
                    let result = (pair >> half) as u16;
                    let [x, y, z] = operands.map(|bits| value(format, bits));
                    let what = format!("{operation}.{format} {x} {y} {z}");
                    assert_eq!(single, u64::from(result), "{what}");
                    let (p, q) = match operation {
                        "add" => (x, y),
                        "sub" => (x, -y),
                        "mul" => (x * y, 0.0),
                        _ => (x * y, z),
                    };
                    // Where 53 bits do not hold the exact result, which they do for nearly all, nothing is expected.
                    let exact = if operation == "mul" { p } else { p + q };
                    let of_q = exact - p;
                    let error = (p - (exact - of_q)) + (q - of_q);
                    if exact.is_nan() {
                        assert_eq!(result, 0x7fff, "{what}");
                    } else if exact.is_infinite() || error == 0.0 {
                        assert_eq!(result, rounded(format, exact), "{what}");
                    }
                }
            }
        }
    }
}

pub fn texts() -> Vec<String> {
    let conversions = WIDEN.iter().chain(&NARROW).map(|(_, instruction)| read(instruction).ptx());
    conversions.chain([arithmetic("fma", "f16", 3, true).ptx()]).collect()
}
