//! What is multiplied: kinds of operands, groups of numbers, and a kernel.

use super::file::{A, B, C};

/// Kinds of operands: the type, k, and bits of the significand behind the point, of the exponent, and below a number.
pub const KINDS: [Kind; 3] = [
    Kind { element: "f16", depth: 16, mantissa: 10, exponent: 5, unused: 0 },
    Kind { element: "bf16", depth: 16, mantissa: 7, exponent: 8, unused: 0 },
    Kind { element: "tf32", depth: 8, mantissa: 10, exponent: 8, unused: 13 },
];

/// A kind of operands.
#[derive(Debug)]
pub struct Kind {
    pub element: &'static str,
    pub depth: usize,
    /// Bits of a number.
    mantissa: u32,
    exponent: u32,
    /// Bits below it that do not count.
    unused: u32,
}

impl Kind {
    /// Whether it has numbers of this group.
    pub fn has(&self, group: usize) -> bool {
        GROUPS[group] != "low bits of tf32" || self.unused > 0
    }
}

/// Groups of numbers.
pub const GROUPS: [&str; 12] = [
    "alike",
    "narrow",
    "wide",
    "wider, some subnormal",
    "positive",
    "sparse",
    "subnormal",
    "signed zeros",
    "low bits of tf32",
    "least results",
    "greatest results",
    "infinities and NaN",
];

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// From `low` to `high`, both included.
    fn within(&mut self, low: i32, high: i32) -> i32 {
        low + (self.next() >> 32) as i32 % (high - low + 1)
    }

    fn chance(&mut self, percent: i32) -> bool {
        self.within(0, 99) < percent
    }
}

/// Bits of a number: of `fields` (mantissa, exponent), with an exponent from `low` to `high`. One that is too small is
/// subnormal, and what is below it cut off; one too great is infinity.
pub fn number(random: &mut Random, fields: (u32, u32), low: i32, high: i32) -> u32 {
    let (mantissa, exponent) = fields;
    let bits = random.next() as u32 & ((1 << mantissa) - 1);
    let bias = (1 << (exponent - 1)) - 1;
    let biased = random.within(low, high) + bias;
    let magnitude = match biased {
        1.. => (biased.min(2 * bias + 1) as u32) << mantissa | bits,
        _ => (1 << mantissa | bits).checked_shr((1 - biased) as u32).unwrap_or(0),
    };
    let infinity = ((2 * bias + 1) as u32) << mantissa;
    magnitude.min(infinity) | (random.next() as u32 & 1) << (mantissa + exponent)
}

/// An element of a or b.
fn operand(random: &mut Random, kind: &Kind, group: usize) -> u32 {
    let fields = (kind.mantissa, kind.exponent);
    let sign = 1 << (kind.mantissa + kind.exponent);
    let f16 = kind.exponent == 5;
    let spread = match group {
        1 => 2,
        2 => 7,
        3 if f16 => 7,
        3 => 10,
        5 => 4,
        _ => 0,
    };
    let mut normal = |low, high| number(random, fields, low, high);
    let bits = match group {
        6 if f16 => normal(-24, -14),
        6 => normal(-76, -56),
        8 => normal(-2, 2),
        9 if f16 => normal(-24, -20),
        9 => normal(-75, -62),
        10 if f16 => normal(15, 15),
        10 => normal(58, 63),
        _ => normal(-spread, spread),
    };
    let bits = match group {
        3 if f16 && random.chance(10) => number(random, fields, -21, -7),
        4 => bits & !sign,
        5 if random.chance(70) => 0,
        // Of subnormal numbers themselves where the type has the exponents of f32, the products are 0.
        6 if !f16 && random.chance(30) => number(random, fields, -133, -127),
        6 if !f16 && random.chance(30) => number(random, fields, 60, 120),
        7 if random.chance(60) => bits & sign,
        11 if random.chance(2) => bits & sign | (sign - 1) & !((1 << kind.mantissa) - 1),
        11 if random.chance(1) => bits | (sign - 1),
        _ => bits,
    };
    let low = random.next() as u32 & ((1 << kind.unused) - 1);
    bits << kind.unused | if group == 8 { low } else { 0 }
}

/// An element of c.
fn accumulator(random: &mut Random, group: usize) -> u32 {
    let (low, high) = match group {
        2 | 3 | 5 => (-30, 20),
        6 => (-150, -20),
        9 => (-149, -120),
        10 => (120, 127),
        _ => (-4, 8),
    };
    let bits = number(random, (23, 8), low, high);
    match group {
        7 => bits & 1 << 31,
        11 if random.chance(3) => bits & 1 << 31 | 0x7f80_0000,
        11 if random.chance(2) => bits | 0x7fff_ffff,
        _ if random.chance(15) => 0,
        4 => bits & !(1 << 31),
        _ => bits,
    }
}

/// a, b and c of a product, as `file.rs` tells; nothing where the kind has no such group.
pub fn operands(kind: usize, group: usize, random: &mut Random) -> Option<Vec<u32>> {
    let of = &KINDS[kind];
    if !of.has(group) {
        return None;
    }
    let mut words: Vec<u32> = (0..A + B)
        .map(|_| match of.unused {
            0 => operand(random, of, group) | operand(random, of, group) << 16,
            _ => operand(random, of, group),
        })
        .collect();
    words.extend((0..C).map(|_| accumulator(random, group)));
    Some(words)
}

/// A kernel `product` that multiplies as many matrices as it has blocks, each of one warp: operands from the first buffer,
/// results into the second.
pub fn kernel(kind: &Kind) -> String {
    let Kind { element, depth, .. } = kind;
    let (a, b, c) = (4 * (A + B + C), 4 * A, 4 * (A + B));
    format!(
        ".version 7.0\n.target sm_80\n.address_size 64\n\
         .visible .entry product(.param .u64 operands, .param .u64 results)\n{{\n\
         .reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<8>;\n\
         ld.param.u64 %rd0, [operands];\ncvta.to.global.u64 %rd0, %rd0;\n\
         ld.param.u64 %rd1, [results];\ncvta.to.global.u64 %rd1, %rd1;\n\
         mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.x;\n\
         mul.wide.u32 %rd2, %r0, {a};\nadd.s64 %rd0, %rd0, %rd2;\n\
         mul.wide.u32 %rd2, %r0, 512;\nadd.s64 %rd1, %rd1, %rd2;\n\
         // Row lane / 4 and word lane modulo 4 of a and b; two words of the row in c and d.\n\
         shr.u32 %r2, %r1, 2;\nand.b32 %r3, %r1, 3;\nshl.b32 %r2, %r2, 3;\nadd.u32 %r2, %r2, %r3;\n\
         mul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd3, %rd0, %rd3;\n\
         mul.wide.u32 %rd4, %r1, 8;\nadd.s64 %rd0, %rd0, %rd4;\nadd.s64 %rd1, %rd1, %rd4;\n\
         ld.global.u32 %r4, [%rd3];\nld.global.u32 %r5, [%rd3+256];\n\
         ld.global.u32 %r6, [%rd3+16];\nld.global.u32 %r7, [%rd3+272];\n\
         ld.global.u32 %r8, [%rd3+{b}];\nld.global.u32 %r9, [%rd3+{}];\n\
         ld.global.v2.f32 {{%f0, %f1}}, [%rd0+{c}];\nld.global.v2.f32 {{%f2, %f3}}, [%rd0+{}];\n\
         mma.sync.aligned.m16n8k{depth}.row.col.f32.{element}.{element}.f32 {{%f4, %f5, %f6, %f7}}, \
         {{%r4, %r5, %r6, %r7}}, {{%r8, %r9}}, {{%f0, %f1, %f2, %f3}};\n\
         st.global.v2.f32 [%rd1], {{%f4, %f5}};\nst.global.v2.f32 [%rd1+256], {{%f6, %f7}};\nret;\n}}\n",
        b + 16,
        c + 256,
    )
}
