//! Weights, sums and tables of linear samples, as an H200 (driver 580.159.04) recorded them.
//!
//! `weights.bin` has cases as `sample.cu` reads them, each followed by its results: texels of which one in eight is 1, so
//! that a sample is a weight; all bytes as signed numbers and as sRGB, alone and next to 0; random texels in volumes and on
//! seamless cubes.

use super::Bench;
use super::case::{Case, Content, Geometry, Kind};

static RECORDED: &[u8] = include_bytes!("weights.bin");

/// Takes so many bytes.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (taken, after) = rest.split_at(count);
    *rest = after;
    taken
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// The next case, its texels and its coordinates.
fn next<'a>(rest: &mut &'a [u8]) -> (Case, &'a [u8], Vec<[u32; 4]>) {
    let name = take(rest, 32);
    let opcode = String::from_utf8(name.iter().copied().take_while(|&b| b != 0).collect());
    let fields = words(take(rest, 4 * 19));
    let flag = |k: usize| fields[k] != 0;
    let case = Case {
        number: 0,
        opcode: opcode.unwrap(),
        geometry: match fields[0] {
            0 => Geometry::Row,
            1 => Geometry::Plane,
            2 => Geometry::Space,
            5 => Geometry::Cube,
            other => panic!("geometry {other}"),
        },
        extent: [fields[1], fields[2], fields[3]],
        kind: [Kind::Signed, Kind::Unsigned, Kind::Float][fields[4] as usize],
        bits: fields[5],
        components: fields[6],
        linear: flag(7),
        address: fields[8],
        normalised: flag(9),
        as_float: flag(10),
        srgb: flag(11),
        seamless: flag(12),
        border: [13, 14, 15, 16].map(|k: usize| f32::from_bits(fields[k])),
        content: Content::Even,
        samples: fields[17],
    };
    let texels = take(rest, fields[18] as usize);
    let coordinates = words(take(rest, 16 * case.samples as usize));
    let coordinates = coordinates.chunks_exact(4).map(|c| c.try_into().unwrap()).collect();
    (case, texels, coordinates)
}

#[test]
fn weights_and_sums_are_those_of_an_h200() {
    let (mut bench, mut rest) = (Bench::new(), RECORDED);
    let mut compared = 0;
    while !rest.is_empty() {
        let (case, texels, coordinates) = next(&mut rest);
        let recorded = take(&mut rest, 16 * coordinates.len());
        let found = bench.sampled(&case, texels, &coordinates);
        for (k, (found, recorded)) in found.chunks(16).zip(recorded.chunks(16)).enumerate() {
            assert_eq!(words(found), words(recorded), "sample {k} of {case:?}");
            compared += 1;
        }
    }
    assert!(compared > 3000, "{compared}");
}
