//! Numbers of few bits and matrices, against what an H100 made of the same operands.
//!
//! `recorded.txt` has a line for each instruction: its opcode, the kinds of its operands (a letter each), and its results
//! for operands 0, 1, 2 … of [`operand`], in hexadecimal digits; for all operands of 16 bits where the kinds say so, or for
//! every eighth. Where a line has `#` and a number instead, it is the results' [`digest`]. Matrices are in [`super::tiles`].

use crate::golden::{Instruction, simulate};

const RECORDED: &str = include_str!("recorded.txt");

/// Bits without a pattern.
pub fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

/// The bits of an operand of a kind: a number of 16 bits, an integer of 32 or 64, an `f32`, an `f64`.
fn operand(kind: char, row: u32, column: u32) -> u64 {
    let r = mix(row.wrapping_mul(4).wrapping_add(column + 1));
    let v = mix(r);
    let both = u64::from(v) << 32 | u64::from(mix(r.wrapping_add(1)));
    match kind {
        'h' => {
            let special = [
                0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0x7f80,
                0xff80, 0x7fc0, 0x3c00, 0x3f80,
            ];
            match r & 7 {
                0 => special[(r >> 3 & 15) as usize],
                // Numbers near 1.
                1..4 => u64::from(r >> 16 & 0x83ff | 0x3800 | r >> 4 & 0x400),
                _ => u64::from(r >> 16),
            }
        }
        'r' => match r & 7 {
            0 if v & 1 != 0 => u64::from(0x8000_0000u32 >> (r >> 8 & 31)),
            0 => operand('h', row, column),
            1..5 => u64::from(v >> (r >> 8 & 31)),
            _ => u64::from(v),
        },
        'f' => {
            let special = [
                0u32,
                0x8000_0000,
                1,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0x7f80_0001,
                0x477f_e000,
                0x477f_f000,
                0x477f_efff,
                0x7f7f_ffff,
                0x7f7f_8000,
                0x3300_0000,
                0x3300_0001,
                0x3f80_0000,
                0xbf80_0000,
            ];
            // Exponents around those of the halves, and mantissas with ties.
            let exponent = (100 + (r >> 3) % 48) << 23;
            u64::from(match r & 7 {
                0 => special[(r >> 3 & 15) as usize],
                1 | 2 => v,
                3..6 => v & 0x807f_ffff | exponent,
                _ => v & 0x807f_f000 | exponent,
            })
        }
        'd' if r & 7 == 0 => f64::from(f32::from_bits(operand('f', row, column) as u32)).to_bits(),
        'd' => both & 0x800f_ffff_ffff_ffff | u64::from(1023 - 27 + (r >> 3) % 48) << 52,
        _ => both >> (r >> 8 & 63),
    }
}

/// A number in hexadecimal digits.
pub fn number(digits: &[u8]) -> u64 {
    u64::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap()
}

/// FNV-1a of the bytes.
pub fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// An instruction of operands and a result of these kinds.
fn instruction(opcode: &str, kinds: &str, result: char) -> Instruction {
    let of = |kind: char| {
        let name = match kind {
            'h' => "b16",
            'r' => "b32",
            'f' => "f32",
            'd' => "f64",
            _ => "b64",
        };
        name.to_string()
    };
    let operands = ["%a", "%b", "%c", "%e"][..kinds.len()].join(", ");
    Instruction {
        inputs: kinds.chars().map(of).collect(),
        output: of(result),
        statement: format!("{opcode} %d, {operands};"),
    }
}

/// The kind of an instruction's result, by its digits.
fn result_kind(opcode: &str, digits: usize) -> char {
    match digits {
        4 => 'h',
        8 if opcode.starts_with("cvt.f32") || opcode.starts_with("cvt.ftz.f32") => 'f',
        8 if opcode.ends_with(".f32") && !opcode.starts_with("cvt") => 'f',
        8 => 'r',
        _ if opcode.starts_with("cvt.f64") => 'd',
        _ => 'l',
    }
}

fn apply(opcode: &str, kinds: &str, result: char, rows: &[Vec<u64>]) -> Vec<u64> {
    simulate(&instruction(opcode, kinds, result), rows)
}

/// The lines with opcodes: opcode, operands, results.
pub fn lines() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    RECORDED.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut parts = line.split('|').map(str::trim);
        let mut next = || parts.next().expect("three parts");
        (next(), next(), next())
    })
}

fn instructions() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    lines().filter(|(_, kinds, _)| kinds.starts_with(|c: char| c.is_alphabetic()))
}

/// Results of a line.
const ROWS: usize = 192;

#[test]
fn numbers_of_few_bits_are_those_of_the_chip() {
    let mut wrong = Vec::new();
    let of_rows = |kinds: &str| !matches!(kinds, "all" | "each8");
    for (opcode, kinds, results) in instructions().filter(|(_, kinds, _)| of_rows(kinds)) {
        let digits = results.len() / ROWS;
        let rows: Vec<Vec<u64>> = (0..ROWS as u32)
            .map(|row| (0..).zip(kinds.chars()).map(|(k, kind)| operand(kind, row, k)).collect())
            .collect();
        let found = apply(opcode, kinds, result_kind(opcode, digits), &rows);
        let mut bad = 0;
        let mut first = String::new();
        for ((row, digits), found) in rows.iter().zip(results.as_bytes().chunks(digits)).zip(found)
        {
            let right = number(digits);
            if right != found {
                bad += 1;
                if bad <= 3 {
                    first += &format!(" {row:x?} {found:#x} expected {right:#x};");
                }
            }
        }
        if bad > 0 {
            wrong.push(format!("{opcode}: {bad} of {ROWS}:{first}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn approximations_are_those_of_the_chip() {
    for (opcode, kinds, results) in instructions() {
        let step = match kinds {
            "all" => 1,
            "each8" => 8,
            _ => continue,
        };
        let rows: Vec<Vec<u64>> = (0..1 << 16).step_by(step).map(|bits| vec![bits]).collect();
        let found: Vec<u16> =
            apply(opcode, "h", 'h', &rows).into_iter().map(|x| x as u16).collect();
        if let Some(right) = results.strip_prefix('#') {
            let found = digest(found.iter().flat_map(|x| x.to_be_bytes()));
            assert_eq!(format!("{found:016x}"), right, "{opcode}");
            continue;
        }
        // The same, but for few, which are the next number.
        let right = results.as_bytes().chunks(4).map(number);
        let gaps: Vec<i32> = right.zip(found).map(|(r, f)| r as i32 - i32::from(f)).collect();
        assert!(gaps.iter().all(|gap| gap.abs() <= 1), "{opcode}");
        let differ = gaps.iter().filter(|gap| **gap != 0).count();
        assert!(differ * 40 < gaps.len(), "{opcode}: {differ} of {} differ", gaps.len());
    }
}

pub fn texts() -> Vec<String> {
    let of = |(opcode, kinds, results): (&str, &str, &'static str)| match kinds {
        "all" | "each8" => instruction(opcode, "h", 'h').ptx(),
        _ => instruction(opcode, kinds, result_kind(opcode, results.len() / ROWS)).ptx(),
    };
    instructions().map(of).collect()
}
