//! Logic, shifts, bit fields, byte permutation.

use super::harness::{bytes, kernel, run, words};
use super::table::{Case, exact};

/// The bits of a word, by a function of the position.
fn gather(width: u32, bit: impl Fn(u32) -> u64) -> u64 {
    (0..width).fold(0, |word, i| word | (bit(i) & 1) << i)
}

/// Masks of each thread's start and length, from the first two buffers.
fn masks(mode: &str) -> String {
    kernel(
        3,
        0,
        &format!(
            "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd9, %r0, 4;\nld.param.u64 %rd0, [p0];\n\
             ld.param.u64 %rd1, [p1];\nld.param.u64 %rd2, [p2];\nadd.s64 %rd0, %rd0, %rd9;\n\
             add.s64 %rd1, %rd1, %rd9;\nadd.s64 %rd2, %rd2, %rd9;\nld.global.u32 %r1, [%rd0];\n\
             ld.global.u32 %r2, [%rd1];\nbmsk.{mode}.b32 %r3, %r1, %r2;\nst.global.u32 [%rd2], %r3;"
        ),
    )
}

#[test]
fn masks_from_a_bit_on() {
    let values = [0, 1, 2, 5, 16, 30, 31, 32, 33, 64, 255, u32::MAX];
    let pairs = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b)));
    let (starts, lengths): (Vec<u32>, Vec<u32>) = pairs.unzip();
    for (mode, limit) in
        [("clamp", (|x| x.min(32)) as fn(u32) -> u32), ("wrap", (|x| x & 31) as fn(u32) -> u32)]
    {
        let buffers = [bytes(starts.clone()), bytes(lengths.clone()), vec![0; 4 * starts.len()]];
        let found = words(&run(&masks(mode), 1, starts.len() as u32, &buffers, &[])[2]);
        for ((&start, &length), mask) in starts.iter().zip(&lengths).zip(found) {
            let ones = limit(start)..limit(start) + limit(length);
            let expected =
                (0..32).filter(|bit| ones.contains(bit)).fold(0, |mask, bit| mask | 1 << bit);
            assert_eq!(mask, expected, "bmsk.{mode} {start}, {length}");
        }
    }
}

/// The bits of a word below a length, and above it copies of the one below them, or zeros.
fn extended(x: &[u64], signed: bool, length: u64) -> u64 {
    gather(32, |i| {
        let i = u64::from(i);
        match (i < length, signed && length > 0) {
            (true, _) => x[0] >> i,
            (false, true) => x[0] >> (length - 1),
            _ => 0,
        }
    })
}

pub fn more_cases() -> Vec<Case> {
    let clamp = |x: &[u64]| x[1].min(32);
    vec![
        exact("szext.clamp.u32", "u32 n32 -> u32", move |x| extended(x, false, clamp(x))),
        exact("szext.clamp.s32", "s32 n32 -> s32", move |x| extended(x, true, clamp(x))),
        exact("szext.wrap.u32", "u32 n32 -> u32", |x| extended(x, false, x[1] % 32)),
        exact("szext.wrap.s32", "s32 n32 -> s32", |x| extended(x, true, x[1] % 32)),
        exact("and.b32 %b, %b, 31; fns.b32 %d, %a, %b, %c;", "u32 u32 s32 -> u32", |x| {
            let (base, offset) = ((x[1] & 31) as i64, i64::from(x[2] as u32 as i32));
            let is_set = |k: &i64| x[0] >> k & 1 == 1;
            let found = match offset {
                0 => Some(base).filter(is_set),
                1.. => (base..32).filter(is_set).nth(offset as usize - 1),
                _ => (0..=base).rev().filter(is_set).nth(offset.unsigned_abs() as usize - 1),
            };
            found.map_or(u64::MAX, |k| k as u64)
        }),
    ]
}

#[test]
fn extensions_and_positions() {
    more_cases().iter().for_each(Case::check);
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        exact("and.pred", "pred pred -> pred", |x| x[0] & x[1]),
        exact("or.pred", "pred pred -> pred", |x| x[0] | x[1]),
        exact("xor.pred", "pred pred -> pred", |x| x[0] ^ x[1]),
        exact("not.pred", "pred -> pred", |x| 1 - x[0]),
        exact("mov.pred", "pred -> pred", |x| x[0]),
    ];
    for (width, one, two) in [
        (16, "b16 -> b16", "b16 b16 -> b16"),
        (32, "b32 -> b32", "b32 b32 -> b32"),
        (64, "b64 -> b64", "b64 b64 -> b64"),
    ] {
        let named = |name: &str| format!("{name}.b{width}");
        cases.push(exact(&named("and"), two, |x| x[0] & x[1]));
        cases.push(exact(&named("or"), two, |x| x[0] | x[1]));
        cases.push(exact(&named("xor"), two, |x| x[0] ^ x[1]));
        cases.push(exact(&named("not"), one, |x| !x[0]));
        cases.push(exact(&named("cnot"), one, |x| u64::from(x[0] == 0)));
        cases.push(exact(&named("mov"), one, |x| x[0]));
    }
    for (one, of) in [
        ("u16 -> u16", "u16"),
        ("s32 -> s32", "s32"),
        ("u32 -> u32", "u32"),
        ("u64 -> u64", "u64"),
        ("f32 -> f32", "f32"),
        ("f64 -> f64", "f64"),
    ] {
        cases.push(exact(&format!("mov.{of}"), one, |x| x[0]));
    }
    cases.extend(shifts());
    cases.extend(counts());
    cases.extend(fields());
    cases.extend(permutations());
    for table in [0x00u8, 0x96, 0xe8, 0xca, 0x80, 0xfe, 0x5a, 0xff] {
        let statement = format!("lop3.b32 %d, %a, %b, %c, {table:#x};");
        cases.push(exact(&statement, "b32 b32 b32 -> b32", move |x| {
            gather(32, |i| {
                let row = (x[0] >> i & 1) << 2 | (x[1] >> i & 1) << 1 | x[2] >> i & 1;
                u64::from(table) >> row
            })
        }));
    }
    cases
}

fn shifts() -> Vec<Case> {
    let mut cases = Vec::new();
    for (width, signature) in
        [(16, "b16 n32 -> b16"), (32, "b32 n32 -> b32"), (64, "b64 n32 -> b64")]
    {
        cases.push(exact(&format!("shl.b{width}"), signature, |x| {
            x[0].checked_shl(x[1] as u32).unwrap_or(0)
        }));
    }
    for (of, signature, width) in [
        ("u16", "u16 n32 -> u16", 16),
        ("s16", "s16 n32 -> s16", 16),
        ("u32", "u32 n32 -> u32", 32),
        ("s32", "s32 n32 -> s32", 32),
        ("u64", "u64 n32 -> u64", 64),
        ("s64", "s64 n32 -> s64", 64),
        ("b32", "b32 n32 -> b32", 32),
    ] {
        let signed = of.starts_with('s');
        cases.push(exact(&format!("shr.{of}"), signature, move |x| {
            let sign = if signed { x[0] >> (width - 1) } else { 0 };
            gather(width, |i| {
                if u64::from(i) + x[1] < u64::from(width) {
                    x[0] >> (u64::from(i) + x[1])
                } else {
                    sign
                }
            })
        }));
    }
    for (mode, limit) in [("clamp", None), ("wrap", Some(31))] {
        let amount = move |c: u64| limit.map_or(c.min(32), |mask: u64| c & mask);
        let both = |x: &[u64]| u128::from(x[1] << 32 | x[0]);
        cases.push(exact(&format!("shf.l.{mode}.b32"), "b32 b32 n32 -> b32", move |x| {
            (both(x) << amount(x[2]) >> 32) as u64
        }));
        cases.push(exact(&format!("shf.r.{mode}.b32"), "b32 b32 n32 -> b32", move |x| {
            (both(x) >> amount(x[2])) as u64
        }));
    }
    cases
}

fn counts() -> Vec<Case> {
    let mut cases = Vec::new();
    for (width, signature, reversed) in
        [(32, "b32 -> u32", "b32 -> b32"), (64, "b64 -> u32", "b64 -> b64")]
    {
        cases.push(exact(&format!("popc.b{width}"), signature, move |x| {
            (0..width).map(|i| x[0] >> i & 1).sum()
        }));
        cases.push(exact(&format!("clz.b{width}"), signature, move |x| {
            (0..width).rev().take_while(|i| x[0] >> i & 1 == 0).count() as u64
        }));
        cases.push(exact(&format!("brev.b{width}"), reversed, move |x| {
            gather(width, |i| x[0] >> (width - 1 - i))
        }));
    }
    for (of, signature, width) in [
        ("u32", "u32 -> u32", 32),
        ("s32", "s32 -> u32", 32),
        ("u64", "u64 -> u32", 64),
        ("s64", "s64 -> u32", 64),
    ] {
        let signed = of.starts_with('s');
        let find = move |x: u64| {
            let ignored = if signed { x >> (width - 1) & 1 } else { 0 };
            (0..width).rev().find(|i| x >> i & 1 != ignored)
        };
        cases.push(exact(&format!("bfind.{of}"), signature, move |x| {
            find(x[0]).unwrap_or(u64::MAX)
        }));
        cases.push(exact(&format!("bfind.shiftamt.{of}"), signature, move |x| {
            find(x[0]).map_or(u64::MAX, |i| width - 1 - i)
        }));
    }
    cases
}

/// A position or length: beyond the ISA's 0 … 255 as an H200 takes them.
fn amount(width: u32, x: u64) -> u32 {
    let amount = x as u32;
    if width == 64 { amount.min(255) } else { amount % 256 }
}

fn fields() -> Vec<Case> {
    let mut cases = Vec::new();
    for (of, signature, width) in [
        ("u32", "u32 n32 n32 -> u32", 32),
        ("s32", "s32 n32 n32 -> s32", 32),
        ("u64", "u64 n32 n32 -> u64", 64),
        ("s64", "s64 n32 n32 -> s64", 64),
    ] {
        let signed = of.starts_with('s');
        cases.push(exact(&format!("bfe.{of}"), signature, move |x| {
            let (position, length) = (amount(width, x[1]), amount(width, x[2]));
            let top = (position + length).saturating_sub(1).min(width - 1);
            let fill = if signed && length > 0 { x[0] >> top } else { 0 };
            gather(width, |i| {
                if i < length && position + i < width { x[0] >> (position + i) } else { fill }
            })
        }));
    }
    for (width, registers) in [(32, "b32 b32 n32 -> b32"), (64, "b64 b64 n32 -> b64")] {
        for length in [0u32, 1, 8, 31, 32, 33, 64, 255] {
            let statement = format!("bfi.b{width} %d, %a, %b, %c, {length};");
            cases.push(exact(&statement, registers, move |x| {
                let position = amount(width, x[2]);
                gather(width, |i| {
                    let inside = i >= position && i < position + length;
                    if inside { x[0] >> (i - position) } else { x[1] >> i }
                })
            }));
        }
    }
    cases
}

fn permutations() -> Vec<Case> {
    let byte = |x: &[u64], i: u64| (x[1] << 32 | x[0]) >> (8 * i) & 0xff;
    let mut cases = vec![exact("prmt.b32", "b32 b32 b32 -> b32", move |x| {
        (0..4).fold(0, |word, i| {
            let selector = x[2] >> (4 * i) & 15;
            let picked = byte(x, selector & 7);
            let sign = if picked >> 7 == 1 { 0xff } else { 0 };
            word | (if selector & 8 == 0 { picked } else { sign }) << (8 * i)
        })
    })];
    // The ISA's table: the bytes of d, least first, for selectors 0 … 3.
    for (mode, rows) in [
        ("f4e", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]),
        ("b4e", [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]]),
        ("rc8", [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]),
        ("ecl", [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]]),
        ("ecr", [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]]),
        ("rc16", [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]]),
    ] {
        cases.push(exact(&format!("prmt.b32.{mode}"), "b32 b32 b32 -> b32", move |x| {
            let row = rows[x[2] as usize & 3];
            (0..4).fold(0, |word, i| word | byte(x, row[i]) << (8 * i))
        }));
    }
    cases
}

#[test]
fn bit_instructions() {
    cases().iter().for_each(Case::check);
}
