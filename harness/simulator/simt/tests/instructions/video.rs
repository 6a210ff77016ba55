//! Integers of 8 and 16 bits in parts of registers.

use super::harness::kernel;
use super::table::{Case, exact};
use simt::Module;

/// A part of a word: its first bit and width.
fn part(word: u64, first: u32, width: u32, signed: bool) -> i64 {
    let value = (word >> first & ((1 << width) - 1)) as i64;
    if signed && value >> (width - 1) == 1 { value - (1 << width) } else { value }
}

fn clamp(value: i64, width: u32, signed: bool) -> i64 {
    let (least, most) = if signed {
        (-(1i64 << (width - 1)), (1 << (width - 1)) - 1)
    } else {
        (0, (1 << width) - 1)
    };
    value.min(most).max(least)
}

type Function = fn(i64, i64) -> i64;

/// Case of all parts of a width: `signs` are those of d, a, b.
fn parallel(
    name: &str,
    width: u32,
    signs: [bool; 3],
    saturate: bool,
    sum: bool,
    function: Function,
) -> Case {
    let types = signs.map(|signed| if signed { "s32" } else { "u32" });
    let modifiers = [if saturate { ".sat" } else { "" }, if sum { ".add" } else { "" }].concat();
    let statement = match name.starts_with("vset") {
        true => format!("{name}.{}.{}.lt{modifiers}", types[1], types[2]),
        false => format!("{name}.{}.{}.{}{modifiers}", types[0], types[1], types[2]),
    };
    exact(&statement, "b32 b32 b32 -> b32", move |x| {
        let mut result = if sum { x[2] } else { 0 };
        for first in (0..32).step_by(width as usize) {
            let a = part(x[0], first, width, signs[1]);
            let value = function(a, part(x[1], first, width, signs[2]));
            let value = if saturate { clamp(value, width, signs[0]) } else { value };
            if sum {
                let value = part(value as u64, 0, width, signs[0]);
                result = result.wrapping_add(value as u64) & 0xffff_ffff;
            } else {
                result |= (value as u64 & ((1 << width) - 1)) << first;
            }
        }
        result
    })
}

fn distance(a: i64, b: i64) -> i64 {
    (a - b).abs()
}

fn scalar(statement: &str, function: impl Fn(u64, u64, u64) -> i64 + 'static) -> Case {
    exact(statement, "b32 b32 b32 -> b32", move |x| function(x[0], x[1], x[2]) as u64)
}

fn cases() -> Vec<Case> {
    let mut cases = vec![
        parallel("vabsdiff4", 8, [false; 3], false, true, distance),
        parallel("vabsdiff4", 8, [false, true, true], false, false, distance),
        parallel("vabsdiff2", 16, [false, true, true], false, true, distance),
        parallel("vadd4", 8, [true; 3], true, false, |a, b| a + b),
        parallel("vadd2", 16, [false; 3], true, false, |a, b| a + b),
        parallel("vsub4", 8, [true, false, false], false, false, |a, b| a - b),
        parallel("vsub2", 16, [false; 3], true, true, |a, b| a - b),
        parallel("vmin4", 8, [true, true, true], false, false, i64::min),
        parallel("vmax2", 16, [false, false, true], true, false, i64::max),
        parallel("vset4", 8, [false, true, false], false, false, |a, b| i64::from(a < b)),
        parallel("vset2", 16, [false, true, true], false, true, |a, b| i64::from(a < b)),
        parallel("vavrg4", 8, [false; 3], false, false, |a, b| (a + b + 1) / 2),
        parallel("vavrg2", 16, [true; 3], false, false, |a, b| {
            (a + b + i64::from(a + b >= 0)) >> 1
        }),
    ];
    let whole = |x: u64, signed| part(x, 0, 32, signed);
    cases.push(scalar("vadd.s32.s32.u32.sat %d, %a, %b;", move |a, b, _| {
        clamp(whole(a, true) + whole(b, false), 32, true)
    }));
    cases.push(scalar("vsub.u32.u32.s32.sat.max %d, %a.b3, %b.h1, %c;", move |a, b, c| {
        clamp(part(a, 24, 8, false) - part(b, 16, 16, true), 32, false).max(whole(c, false))
    }));
    cases.push(scalar("vabsdiff.u32.s32.s32.add %d, %a.h0, %b.b1, %c;", move |a, b, c| {
        distance(part(a, 0, 16, true), part(b, 8, 8, true)) + whole(c, false)
    }));
    cases.push(scalar("vmin.s32.s32.s32.sat %d.b2, %a, %b, %c;", move |a, b, c| {
        let least = clamp(whole(a, true).min(whole(b, true)), 8, true);
        (c & 0xff00_ffff) as i64 | (least & 0xff) << 16
    }));
    cases.push(scalar("vmax.u32.u32.u32.min %d, %a, %b.b0, %c;", move |a, b, c| {
        whole(a, false).max(part(b, 0, 8, false)).min(whole(c, false))
    }));
    cases.push(scalar("vshl.u32.u32.u32.wrap %d, %a, %b;", |a, b, _| (a << (b & 31)) as i64));
    cases.push(scalar("vshl.u32.u32.u32.clamp %d, %a, %b;", |a, b, _| (a << b.min(32)) as i64));
    cases.push(scalar("vshr.s32.s32.u32.clamp %d, %a, %b;", move |a, b, _| {
        whole(a, true) >> b.min(32)
    }));
    cases.push(scalar("vset.s32.u32.ge %d, %a, %b;", move |a, b, _| {
        (whole(a, true) >= whole(b, false)).into()
    }));
    cases.push(scalar("vset.u32.u32.ne.max %d, %a.b0, %b.b1, %c;", move |a, b, c| {
        i64::from(part(a, 0, 8, false) != part(b, 8, 8, false)).max(whole(c, false))
    }));
    cases.push(scalar("vmad.s32.s32.u32 %d, %a.h0, %b.h1, %c;", move |a, b, c| {
        part(a, 0, 16, true) * part(b, 16, 16, false) + whole(c, true)
    }));
    cases.push(scalar("vmad.u32.u32.u32.sat.shr15 %d, %a, %b.h0, %c;", move |a, b, c| {
        let sum = whole(a, false) * part(b, 0, 16, false) + whole(c, false);
        clamp(sum >> 15, 32, false)
    }));
    cases.push(scalar("vmad.s32.s32.s32.sat.shr7 %d, %a, %b, %c;", move |a, b, c| {
        let sum = whole(a, true) * whole(b, true) + whole(c, true);
        clamp(sum >> 7, 32, true)
    }));
    cases.push(scalar("vmad.s32.u32.u32 %d, -%a.h0, %b.h1, %c;", move |a, b, c| {
        whole(c, true) - part(a, 0, 16, false) * part(b, 16, 16, false)
    }));
    cases.push(scalar("vmad.s32.s32.u32.sat %d, %a.b0, -%b, %c;", move |a, b, c| {
        clamp(whole(c, true) - part(a, 0, 8, true) * whole(b, false), 32, true)
    }));
    cases.push(scalar("vmad.s32.s32.s32.sat.shr7 %d, -%a.h0, -%b.h0, %c;", move |a, b, c| {
        clamp((part(a, 0, 16, true) * part(b, 0, 16, true) + whole(c, true)) >> 7, 32, true)
    }));
    cases.push(scalar("vmad.u32.u32.u32.po.sat.shr15 %d, %a.h0, %b.h0, %c;", move |a, b, c| {
        let sum = part(a, 0, 16, false) * part(b, 0, 16, false) + whole(c, false) + 1;
        clamp(sum >> 15, 32, false)
    }));
    // The ISA's steps: c is complemented in its 32 bits, widened by its sign, and one is added.
    cases.push(scalar("vmad.s32.u32.u32.sat %d, %a.h0, %b.h0, -%c;", move |a, b, c| {
        let third = whole(!c & 0xffff_ffff, true) + 1;
        clamp(part(a, 0, 16, false) * part(b, 0, 16, false) + third, 32, true)
    }));
    let both = |function: Function, signed: bool, least: i64| {
        move |x: &[u64]| {
            (0..32).step_by(16).fold(0, |word, first| {
                let value = function(part(x[0], first, 16, signed), part(x[1], first, 16, signed));
                word | (value.max(least) as u64 & 0xffff) << first
            })
        }
    };
    const TWO: &str = "b32 b32 -> b32";
    cases.push(exact("add.u16x2", TWO, both(|a, b| a + b, false, 0)));
    cases.push(exact("add.s16x2", TWO, both(|a, b| a + b, true, i64::MIN)));
    cases.push(exact("min.s16x2", TWO, both(i64::min, true, i64::MIN)));
    cases.push(exact("max.u16x2", TWO, both(i64::max, false, 0)));
    cases.push(exact("max.relu.s16x2", TWO, both(i64::max, true, 0)));
    cases.push(exact("min.relu.s32", TWO, move |x| {
        whole(x[0], true).min(whole(x[1], true)).max(0) as u64
    }));
    cases
}

#[test]
fn parts_of_registers() {
    cases().iter().for_each(Case::check);
}

#[test]
fn what_there_is_not() {
    for statement in [
        "vadd.f32.s32.s32 %r1, %r2, %r3;",
        "vshl.u32.u32.u32 %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r1, %r2.b0, %r3, %r4;",
        "vavrg.u32.u32.u32 %r1, %r2, %r3;",
        "add.relu.s16x2 %r1, %r2, %r3;",
        "vadd.u32.u32.u32.add %r1.h0, %r2, %r3, %r4;",
        "vadd4.u32.u32.u32 %r1, %r2, %r3;",
        "vset.u32.u32 %r1, %r2, %r3;",
        "vadd.u32.u32.u32.lt %r1, %r2, %r3;",
        "vmad.u32.u32.u32 %r1, %r2, %r3;",
        "vmad.u32.u32.u32.po %r1, %r2, %r3, -%r4;",
        "vmad.u32.u32.u32 %r1, -%r2, %r3, -%r4;",
        "vadd.u32.u32.u32 %r1, -%r2, %r3;",
    ] {
        let error = Module::parse("test.ptx", &kernel(0, 0, statement)).unwrap_err();
        assert_eq!((error.line, error.column), (12, 1), "{error}");
    }
}

pub fn texts() -> Vec<String> {
    cases().iter().map(Case::ptx).collect()
}
