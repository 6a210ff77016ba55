//! Numbers of few bits and matrices, against what an H100 made of the same operands.
//!
//! `recorded.txt` has a line for each instruction: its opcode, the kinds of its operands (a letter each), and its results
//! for operands 0, 1, 2 … of [`operand`], in hexadecimal digits; for all operands of 16 bits where the kinds say so, or for
//! every eighth. Where a line has `#` and a number instead, it is the results' [`digest`]. Matrices are in [`super::tiles`].

use super::harness::{kernel, run};

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

/// Bits of a kind, and the register that holds it.
fn width(kind: char) -> (usize, &'static str) {
    match kind {
        'h' => (16, "%rs"),
        'r' => (32, "%r"),
        'f' => (32, "%f"),
        'd' => (64, "%fd"),
        _ => (64, "%rd"),
    }
}

/// A kernel that applies an instruction to one row of operands per thread: 8 bytes each in p0, results in p1.
fn application(opcode: &str, kinds: &str, result: char) -> String {
    let (count, (bits, d)) = (kinds.len(), width(result));
    let mut body = String::from(
        "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n\
         mad.lo.s32 %r0, %r0, %r1, %r2;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n",
    );
    body += &format!(
        "mad.wide.u32 %rd0, %r0, {}, %rd0;\nmad.wide.u32 %rd1, %r0, 8, %rd1;\n",
        8 * count
    );
    let mut operands = format!("{d}10");
    for (k, kind) in kinds.chars().enumerate() {
        let (bits, register) = width(kind);
        body += &format!("ld.global.b{bits} {register}{}, [%rd0+{}];\n", 20 + k, 8 * k);
        operands += &format!(", {register}{}", 20 + k);
    }
    body += &format!("{opcode} {operands};\nst.global.b{bits} [%rd1], {d}10;\n");
    kernel(2, 0, &body)
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
    let inputs = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let buffers = [inputs, vec![0; 8 * rows.len()]];
    let grid = (rows.len() / 64) as u32;
    let results = run(&application(opcode, kinds, result), grid, 64, &buffers, &[]);
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    results[1].chunks_exact(8).map(word).collect()
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
        "all" | "each8" => application(opcode, "h", 'h'),
        _ => application(opcode, kinds, result_kind(opcode, results.len() / ROWS)),
    };
    instructions().map(of).collect()
}
