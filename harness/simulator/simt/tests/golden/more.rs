//! Many more operands of each instruction, of whose results only digests are kept.
//!
//! Of one operand all [`edges`], of two all pairs of them, then rows drawn from edges and random values. A digest of four
//! hexadecimal digits stands for the results of [`GROUP`] rows, so that a wrong result is found among few.

use super::instruction::width;
use super::samples::Samples;

/// Rows that share a digest.
pub const GROUP: usize = 16;

/// The digests of results, group by group.
pub fn digests(results: &[u64]) -> Vec<u16> {
    results.chunks(GROUP).map(digest).collect()
}

/// FNV-1a, folded.
fn digest(results: &[u64]) -> u16 {
    let bytes = results.iter().flat_map(|result| result.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) as u16
}

/// The rows of operands of these types.
pub fn rows(types: &[&str]) -> Vec<Vec<u64>> {
    let mut samples = Samples(types.len() as u64);
    let edges: Vec<Vec<u64>> = types.iter().map(|of| edges(of)).collect();
    let mut rows: Vec<Vec<u64>> = match edges.as_slice() {
        [only] => only.iter().map(|&a| vec![a]).collect(),
        [first, second] => {
            first.iter().flat_map(|&a| second.iter().map(move |&b| vec![a, b])).collect()
        }
        _ => Vec::new(),
    };
    for _ in 0..if types.len() == 3 { 1200 } else { 200 } {
        let pick = |(of, edges): (&&str, &Vec<u64>)| match samples.below(3) {
            0 => random(&mut samples, of),
            _ => edges[samples.below(edges.len() as u64) as usize],
        };
        rows.push(types.iter().zip(&edges).map(pick).collect());
    }
    rows
}

fn random(samples: &mut Samples, of: &str) -> u64 {
    match of {
        "f32" => samples.f32().to_bits().into(),
        "f64" => samples.f64().to_bits(),
        "pred" => samples.below(2),
        of => samples.bits() & u64::MAX >> (64 - width(of)),
    }
}

/// The values of a type at which instructions go wrong.
fn edges(of: &str) -> Vec<u64> {
    match of {
        "pred" => vec![0, 1],
        "n32" => [0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 255, 256]
            .into_iter()
            .chain([1 << 31, 0xffff_ffff])
            .collect(),
        "f32" => {
            let tiny = [0, 1, 0x007f_ffff, 0x0080_0000];
            let around_one = [0x3eff_ffff, 0x3f00_0000, 0x3f80_0000, 0x3f80_0001, 0x3fc0_0000];
            let integers = [0x4020_0000, 0x4b00_0001, 0x4eff_ffff, 0x4f00_0000, 0x5f80_0000];
            let ends = [0x7e80_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000, 0x7f80_0001];
            let all = tiny.into_iter().chain(around_one).chain(integers).chain(ends);
            all.flat_map(|bits| [bits, bits | 1 << 31]).collect()
        }
        "f64" => {
            let tiny = [0.0, 5e-324, f64::MIN_POSITIVE, 1e-40];
            let around_one = [0.5, 0.75, 1.0, 1.0 + f64::EPSILON, 1.5, 2.5];
            let integers = [2147483647.5, 4294967295.5, 9007199254740993.0, 9.3e18, 1.9e19];
            let ends = [3.4028235677973366e38, 1e-46, f64::MAX, f64::INFINITY, f64::NAN];
            let all = tiny.into_iter().chain(around_one).chain(integers).chain(ends);
            all.flat_map(|x: f64| [x.to_bits(), (-x).to_bits()]).collect()
        }
        of => {
            let top = 1u64 << (width(of) - 1);
            let mask = top | (top - 1);
            [0, 1, 2, 3, 7, 0x55, 0x80, 0xff, 0x1234_5678_9abc_def1, 0xff00_ff00_8000_8001]
                .into_iter()
                .chain([top - 1, top, top + 1, mask - 1, mask])
                .chain((of.ends_with("64")).then_some(0xffff_ffff))
                .map(|x| x & mask)
                .collect()
        }
    }
}
