//! What an H100 (driver 580.159.04) made of `cases()`: `textures.bin` has the results of each case, one after the other, as
//! `sample.cu` writes them.
//!
//! To record again, write [`Case::bytes`] of `cases()` into a file, build and run `sample.cu` as its comment says, and put the
//! results here.

use std::collections::BTreeMap;

use super::{Bench, Case, Content, Geometry, Kind, cases};

static RECORDED: &[u8] = include_bytes!("textures.bin");

/// How near to the GPU a sample is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Agreement {
    /// Every bit.
    Equal,
    /// Every component, by so much of the greatest texel; and this share of samples, in percent, in every bit.
    Near(f64, usize),
}

/// What is known of a case, and the name of what it has in common with others.
fn agreement(case: &Case) -> (&'static str, Agreement) {
    let is_cube = matches!(case.geometry, Geometry::Cube | Geometry::Cubes);
    match () {
        () if case.opcode.starts_with('s') => ("surfaces", Agreement::Equal),
        () if case.opcode.ends_with(".s32") => ("whole coordinates", Agreement::Equal),
        () if is_cube && case.seamless => ("seamless cubes", Agreement::Equal),
        () if is_cube => ("cubes", Agreement::Equal),
        () if case.srgb => ("sRGB", Agreement::Equal),
        // How both slices are aligned where they nearly cancel each other is not known.
        () if case.geometry == Geometry::Space && case.content == Content::Wide && case.linear => {
            ("linear in space, of all sizes", Agreement::Near(1e-6, 95))
        }
        () if case.geometry == Geometry::Space && case.linear => {
            ("linear in space", Agreement::Equal)
        }
        () if case.linear => ("linear", Agreement::Equal),
        () => ("points", Agreement::Equal),
    }
}

/// Floats, of the words or halves that instructions give.
fn floats(case: &Case, sample: &[u8]) -> Vec<f64> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let float = |word: u32| {
        if !case.opcode.contains(".f16.") {
            return f64::from(f32::from_bits(word));
        }
        let (exponent, mantissa) = ((word >> 10 & 31) as i32, f64::from(word & 0x3ff) / 1024.0);
        let magnitude = match exponent {
            0 => mantissa * (-14f64).exp2(),
            _ => (1.0 + mantissa) * f64::from(exponent - 15).exp2(),
        };
        if word >> 15 & 1 == 1 { -magnitude } else { magnitude }
    };
    sample.chunks(4).map(|bytes| float(word(bytes))).collect()
}

/// The greatest magnitude that a sample of a case can have.
fn greatest(case: &Case) -> f64 {
    let border = case.border.iter().fold(0.0, |most: f64, x| most.max(x.abs().into()));
    let texels = case.texels();
    let texels = match (case.kind, case.bits) {
        (Kind::Float, 32) => floats(&Case { opcode: String::new(), ..case.clone() }, &texels),
        (Kind::Float, _) => {
            let halves: Vec<u8> = texels.chunks(2).flat_map(|h| [h[0], h[1], 0, 0]).collect();
            floats(&Case { opcode: ".f16.".to_string(), ..case.clone() }, &halves)
        }
        _ => vec![1.0],
    };
    texels.into_iter().fold(border, |most, x| most.max(x.abs()))
}

#[test]
fn samples_and_surfaces_are_those_of_an_h100() {
    let mut bench = Bench::new();
    let mut rest = RECORDED;
    // Of each name: samples, and those that are equal.
    let mut counts = BTreeMap::<&str, (Agreement, usize, usize)>::new();
    for case in cases::cases() {
        let found = bench.results(&case);
        let (recorded, after) = rest.split_at(found.len());
        rest = after;
        let (name, agreement) = agreement(&case);
        let (_, all, equal) = counts.entry(name).or_insert((agreement, 0, 0));
        let greatest = greatest(&case);
        for (k, (found, recorded)) in found.chunks(16).zip(recorded.chunks(16)).enumerate() {
            *all += 1;
            *equal += usize::from(found == recorded);
            match agreement {
                Agreement::Equal => assert_eq!(found, recorded, "sample {k} of {case:?}"),
                Agreement::Near(part, _) => {
                    let pairs = floats(&case, found).into_iter().zip(floats(&case, recorded));
                    for (found, recorded) in pairs {
                        let is_near = (found - recorded).abs() <= part * greatest;
                        assert!(is_near, "sample {k} of {case:?}: {found}, recorded {recorded}");
                    }
                }
            }
        }
    }
    assert!(rest.is_empty());
    for (name, (agreement, all, equal)) in counts {
        println!("{name}: {equal} of {all} samples are equal");
        if let Agreement::Near(_, least) = agreement {
            assert!(100 * equal >= least * all, "{name}: {equal} of {all} are equal");
        }
    }
}
