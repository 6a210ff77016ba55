//! The sRGB transfer function.
//!
//! GPUs look it up: numbers of eight significant bits, at most one unit of the last beside the function. What is here an H200 made
//! of each byte, and of pairs of them.

use super::footprint::SLICE;

/// Bits of the fraction of a linear value.
const FRACTION: i32 = 14;

/// The linear value of an encoded byte.
pub(super) fn decode(encoded: u8) -> f32 {
    f32::from(LINEAR[usize::from(encoded)]) / (1 << FRACTION) as f32
}

/// The sum of the linear values of encoded bytes with weights in 256ths, rounded to a half, a middle up. Those of a slice of a
/// volume are first cut to the precision of the brightest.
pub(super) fn sum(terms: &[(u32, u32)]) -> f32 {
    /// Significant bits of a half.
    const HALF: u32 = 11;
    let sum: u32 = terms.chunks(SLICE).map(slice_sum).sum();
    let below = (u32::BITS - sum.leading_zeros()).saturating_sub(HALF);
    let rounded = (sum + (1 << below >> 1)) >> below << below;
    rounded as f32 / (256 << FRACTION) as f32
}

fn slice_sum(terms: &[(u32, u32)]) -> u32 {
    let terms = terms.iter().filter(|(_, weight)| *weight != 0);
    let bits = terms.clone().map(|&(encoded, _)| bits_cut(encoded as u8)).max().unwrap_or(0);
    let cut = |encoded: u32| u32::from(LINEAR[encoded as usize]) >> bits << bits;
    terms.map(|&(encoded, weight)| cut(encoded) * weight).sum()
}

/// Bits of a linear value that its precision does not have.
fn bits_cut(encoded: u8) -> u32 {
    match encoded {
        0..32 => 0,
        32..48 => 1,
        48..64 => 2,
        64..96 => 3,
        96..136 => 4,
        136..184 => 5,
        184..248 => 6,
        248.. => 7,
    }
}

/// Linear values.
const LINEAR: [u16; 256] = [
    0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 66, 72, 78, 85, 92, 99, 107, 115, 123, 131,
    140, 150, 159, 169, 180, 190, 201, 213, 224, 236, 250, 262, 276, 290, 304, 318, 332, 348, 364,
    380, 396, 412, 430, 448, 466, 484, 504, 524, 544, 564, 584, 604, 624, 648, 672, 692, 716, 740,
    764, 788, 816, 840, 864, 896, 920, 944, 976, 1000, 1032, 1064, 1088, 1120, 1152, 1184, 1216,
    1248, 1280, 1312, 1352, 1384, 1416, 1456, 1488, 1528, 1560, 1600, 1640, 1672, 1712, 1752, 1792,
    1832, 1872, 1920, 1952, 2000, 2048, 2080, 2128, 2176, 2224, 2272, 2320, 2368, 2416, 2464, 2512,
    2560, 2608, 2656, 2704, 2752, 2816, 2864, 2912, 2976, 3024, 3072, 3136, 3184, 3248, 3296, 3360,
    3424, 3472, 3536, 3600, 3664, 3712, 3776, 3840, 3904, 3968, 4032, 4096, 4160, 4224, 4288, 4352,
    4416, 4512, 4576, 4640, 4704, 4768, 4864, 4928, 4992, 5056, 5152, 5216, 5280, 5376, 5440, 5536,
    5600, 5696, 5760, 5824, 5920, 6016, 6080, 6176, 6240, 6336, 6400, 6496, 6592, 6688, 6752, 6848,
    6944, 7008, 7104, 7200, 7296, 7392, 7488, 7584, 7680, 7744, 7872, 7936, 8064, 8128, 8256, 8320,
    8448, 8512, 8640, 8768, 8832, 8960, 9024, 9152, 9280, 9344, 9472, 9600, 9664, 9792, 9920, 9984,
    10112, 10240, 10304, 10432, 10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456,
    11584, 11712, 11840, 11968, 12096, 12224, 12352, 12480, 12608, 12736, 12864, 12992, 13120,
    13248, 13376, 13504, 13632, 13760, 13888, 14016, 14144, 14272, 14400, 14528, 14656, 14848,
    14976, 15104, 15232, 15360, 15488, 15616, 15744, 16000, 16128, 16256, 16384,
];
