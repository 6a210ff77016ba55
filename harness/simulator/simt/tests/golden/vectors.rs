//! The operands of the golden vectors: the same rows wherever they are made, so that only results
//! are kept.
//!
//! Rows depend on the operands' types, and on whether an instruction is a hard one ([`rows`]). First
//! come the values at which instructions go wrong ([`edges`]; of two operands the first few, paired
//! with each other), then rows drawn with SplitMix64 from these and from random values. Of the results
//! of [`more`] rows only digests are kept.

use super::instruction::{Instruction, width};
use super::more;
use super::samples::Samples;

/// How many values of [`edges`] all meet each other.
const CORE: usize = 6;

/// The rows of operands of an instruction.
pub fn rows(instruction: &Instruction) -> Vec<Vec<u64>> {
    let types: Vec<&str> = instruction.inputs.iter().map(String::as_str).collect();
    // What is approximate, and what has two amounts, is hardest to get right.
    let approximate = is_approximate(instruction);
    let hard = approximate || ["bfe", "bfi"].iter().any(|it| opcode(instruction).contains(it));
    let count = match types.len() {
        _ if hard => 256,
        1 => 72,
        _ => 96,
    };
    let edges: Vec<Vec<u64>> = types.iter().map(|of| edges(of)).collect();
    let mut rows: Vec<Vec<u64>> = match edges.as_slice() {
        [only] => only.iter().map(|&a| vec![a]).collect(),
        [first, second] => {
            let core = |edges: &[u64]| edges[..CORE.min(edges.len())].to_vec();
            let second = core(second);
            core(first).iter().flat_map(|&a| second.iter().map(move |&b| vec![a, b])).collect()
        }
        _ => Vec::new(),
    };
    if types.len() > 1 && types.iter().all(|&of| of == "f32") {
        let row = |&[a, b]: &[u64; 2]| [a, b, 0][..types.len()].to_vec();
        rows.extend(NEAR_SUBNORMAL.iter().map(row));
    }
    let seed = types
        .join(" ")
        .bytes()
        .fold(0, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let mut samples = Samples(seed);
    while rows.len() < count {
        rows.push(match types.as_slice() {
            // Sums of a product and what almost cancels it.
            ["f32", "f32", "f32"] if samples.below(3) == 0 => {
                let (a, b, c) = samples.f32_triple();
                [a, b, c].map(|x| x.to_bits().into()).to_vec()
            }
            ["f64", "f64", "f64"] if samples.below(3) == 0 => {
                let (a, b, c) = samples.f64_triple();
                [a, b, c].map(f64::to_bits).to_vec()
            }
            _ => {
                types.iter().zip(&edges).map(|(of, edges)| draw(&mut samples, of, edges)).collect()
            }
        });
    }
    rows.truncate(count);
    if approximate {
        rows.extend(more::rows(&types));
    }
    rows
}

/// More rows; none of an approximate instruction, whose results must be known, not only their digests.
pub fn more(instruction: &Instruction) -> Vec<Vec<u64>> {
    let types: Vec<&str> = instruction.inputs.iter().map(String::as_str).collect();
    if is_approximate(instruction) { Vec::new() } else { more::rows(&types) }
}

fn opcode(instruction: &Instruction) -> &str {
    instruction.statement.split(' ').next().unwrap_or_default()
}

fn is_approximate(instruction: &Instruction) -> bool {
    ["approx", "full"].iter().any(|part| opcode(instruction).contains(part))
}

/// A number (FNV-1a) that tells whether the rows are those of a recording.
pub fn digest<'a>(instructions: impl Iterator<Item = &'a Instruction>) -> u64 {
    let all = |instruction| [rows(instruction), more(instruction)].concat();
    let bytes = instructions.flat_map(|instruction| Instruction::pack(&all(instruction)));
    bytes.fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// An edge, most often, or a random value.
fn draw(samples: &mut Samples, of: &str, edges: &[u64]) -> u64 {
    match (samples.below(4), of) {
        (0, _) => edges[samples.below(CORE.min(edges.len()) as u64) as usize],
        (1 | 2, _) => edges[samples.below(edges.len() as u64) as usize],
        (_, "f32") => samples.f32().to_bits().into(),
        (_, "f64") => samples.f64().to_bits(),
        _ => samples.bits() & u64::MAX >> (64 - width(of)),
    }
}

/// The values of a type at which instructions go wrong, the most telling first.
fn edges(of: &str) -> Vec<u64> {
    match of {
        "pred" => vec![0, 1],
        "n32" => [0, 1, 2, 31, 32, 63, 64, 7, 8, 15, 16, 17, 30, 33, 47, 62, 65, 95, 96, 127, 128]
            .into_iter()
            .chain([191, 192, 223, 224, 225, 254, 255, 256, 257, 287, 288, 511, 512, 0x1_0000])
            .chain([0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ff00, 0xffff_fffe, 0xffff_ffff])
            .collect(),
        "f32" => both_signs(&F32, 1 << 31),
        "f64" => both_signs(&F64, 1 << 63),
        of => {
            let top = 1u64 << (width(of) - 1);
            let mask = top | (top - 1);
            [0, 1, mask, top, top - 1, 2, mask - 1, top + 1, 3, 7, 0x55, 0x7f, 0x80, 0x81, 0xff]
                .into_iter()
                .chain([0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])
                .chain([0x1_0000_0000, 0x0100_0001, 0x1234_5678_9abc_def1, 0xff00_ff00_8000_8001])
                // Where 24 and 53 bits end.
                .chain([0x00ff_ffff, 0x0100_0003, (1 << 53) + 1, (1 << 53) + 3, (1 << 40) - 1])
                .filter(|value| value & !mask == 0)
                .collect()
        }
    }
}

/// Operands of `f32` whose product or quotient lies so close to the least normal number that `.ftz`
/// depends on whether it is judged before or after rounding.
const NEAR_SUBNORMAL: [[u64; 2]; 5] = [
    [0x0080_0001, 0x3f7f_fffe], // (1 + 2⁻²³)(1 − 2⁻²³) · 2⁻¹²⁶
    [0x00ff_ffff, 0x3f00_0000], // half of (2 − 2⁻²³) · 2⁻¹²⁶
    [0x0080_0000, 0x3f7f_ffff], // (1 − 2⁻²⁴) · 2⁻¹²⁶
    [0x00ff_ffff, 0x4000_0000], // the second one as a quotient
    [0x0080_0000, 0x3f80_0001], // 2⁻¹²⁶ / (1 + 2⁻²³)
];

fn both_signs(magnitudes: &[u64], sign: u64) -> Vec<u64> {
    magnitudes.iter().flat_map(|&bits| [bits, bits | sign]).collect()
}

/// Magnitudes of `f32`.
const F32: [u64; 26] = [
    0,
    0x7f80_0000, // ∞
    0x3f80_0000, // 1
    0x7fc1_2345, // a quiet NaN
    0x0000_0001, // the least subnormal
    0x007f_ffff, // the greatest subnormal
    0x0080_0000, // the least normal
    0x7f7f_ffff, // the greatest
    0x3f80_0001, // 1 + ulp
    0x3f7f_ffff, // 1 − ulp
    0x7f80_0001, // a signalling NaN
    0x7fff_ffff, // the canonical NaN
    0x3f00_0000, // ½
    0x3fc0_0000, // 1½
    0x4020_0000, // 2½
    0x0040_0000, // a subnormal
    0x0100_0001, // 2⁻¹²⁵, whose half has a last bit to round
    0x3eff_ffff, // ½ − ulp
    0x4b00_0001, // 2²³ + 1
    0x4eff_ffff, // below 2³¹
    0x4f00_0000, // 2³¹
    0x4f80_0000, // 2³²
    0x5f00_0000, // 2⁶³
    0x5f80_0000, // 2⁶⁴
    0x7e80_0001, // above 2¹²⁶
    0x4049_0fdb, // π
];

/// Magnitudes of `f64`.
const F64: [u64; 30] = [
    0,
    0x7ff0_0000_0000_0000, // ∞
    0x3ff0_0000_0000_0000, // 1
    0x7ff8_1234_5678_9abc, // a quiet NaN
    0x0000_0000_0000_0001, // the least subnormal
    0x000f_ffff_ffff_ffff, // the greatest subnormal
    0x0010_0000_0000_0000, // the least normal
    0x7fef_ffff_ffff_ffff, // the greatest
    0x3ff0_0000_0000_0001, // 1 + ulp
    0x3fef_ffff_ffff_ffff, // 1 − ulp
    0x7ff0_0000_0000_0001, // a signalling NaN
    0x7fff_ffff_ffff_ffff, // a NaN of all ones
    0x3fe0_0000_0000_0000, // ½
    0x3ff8_0000_0000_0000, // 1½
    0x4004_0000_0000_0000, // 2½
    0x3ff0_0000_1000_0000, // 1 + half an ulp of f32
    0x3ff0_0000_3000_0000, // 1 + one and a half
    0x47ef_ffff_e000_0000, // the greatest f32
    0x47ef_ffff_f000_0000, // half an ulp above it
    0x3810_0000_0000_0000, // the least normal f32
    0x380f_ffff_ffff_ffff, // below it
    0x36a0_0000_0000_0000, // the least subnormal f32
    0x3690_0000_0000_0000, // half of it
    0x3690_0000_0000_0001, // above half of it
    0x41df_ffff_ffe0_0000, // 2³¹ − ½
    0x41ef_ffff_fff0_0000, // 2³² − ½
    0x4330_0000_0000_0001, // 2⁵² + 1
    0x43e0_0000_0000_0000, // 2⁶³
    0x43f0_0000_0000_0000, // 2⁶⁴
    0x7fd0_0000_0000_0001, // above 2¹⁰²²
];
