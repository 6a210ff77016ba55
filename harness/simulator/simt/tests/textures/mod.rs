//! Samples, loads and stores of every geometry, format and address mode.
//!
//! `cases.rs` makes the cases, from whose numbers everything else follows. `sample.cu` samples them on a GPU, and
//! `recorded.rs` compares what it found; `weights.rs` does so with texels that show weights and sums one by one.

mod case;
mod cases;
mod kernel;
mod recorded;
mod weights;

use std::collections::HashMap;
use std::sync::Arc;

use case::{Case, Content, Geometry, Kind};
use simt::texture::{AddressMode, Array, Channel, Filter, Format, Sampler, Shape, Texels, Texture};
use simt::{Launch, Loaded, Module, Simulator};

/// A simulated device and the kernels that it has loaded.
struct Bench {
    simulator: Simulator,
    loaded: HashMap<String, Loaded>,
}

impl Bench {
    fn new() -> Bench {
        Bench { simulator: Simulator::new(1 << 28), loaded: HashMap::new() }
    }

    /// What the simulator makes of a case: words of samples, or the array's bytes after stores.
    fn results(&mut self, case: &Case) -> Vec<u8> {
        self.sampled(case, &case.texels(), &case.coordinates())
    }

    /// The same with other texels and coordinates than those that follow from its number.
    fn sampled(&mut self, case: &Case, texels: &[u8], coordinates: &[[u32; 4]]) -> Vec<u8> {
        let simulator = &self.simulator;
        let loaded = self.loaded.entry(case.opcode.clone()).or_insert_with(|| {
            let text = kernel::kernel(&case.opcode);
            simulator.load(Arc::new(Module::parse("sample.ptx", &text).unwrap())).unwrap()
        });
        let coordinates: Vec<u8> =
            coordinates.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        let mut results = vec![0; coordinates.len()];
        let input = simulator.alloc("coordinates", coordinates.len() as u64).unwrap();
        let output = simulator.alloc("results", results.len() as u64).unwrap();
        simulator.write(input, &coordinates).unwrap();
        let (object, array, address) = made(simulator, case, texels);
        let surface = case.opcode.starts_with("su");
        let (grid, block) = if surface { (1, 1) } else { (case.samples.div_ceil(64), 64) };
        let launch = Launch::new([grid, 1, 1], [block, 1, 1])
            .argument(object)
            .argument(input)
            .argument(output)
            .argument(case.samples);
        simulator
            .launch(loaded, "sample", &launch, &simt::Watch::default())
            .unwrap_or_else(|error| panic!("{case:?}: {error}"));
        if case.opcode.starts_with("sust") {
            let mut bytes = texels.to_vec();
            simulator.read_array(&array.unwrap(), [0; 3], case.extent, &mut bytes).unwrap();
            results = bytes;
        } else {
            simulator.read(output, &mut results).unwrap();
        }
        simulator.end_object(object);
        for address in [address, input, output] {
            simulator.free(address);
        }
        results
    }
}

/// A case's object, its array if it has one, and the address of its memory.
fn made(simulator: &Simulator, case: &Case, bytes: &[u8]) -> (u64, Option<Array>, u64) {
    use simt::texture::Geometry::*;
    let channel = match case.kind {
        Kind::Signed => Channel::Signed,
        Kind::Unsigned => Channel::Unsigned,
        Kind::Float => Channel::Float,
    };
    let format = Format { channel, bits: case.bits as u8, components: case.components as u8 };
    let [width, height, _] = case.extent;
    let row = width as usize * format.bytes() as usize;
    let linear = |pitch: usize| {
        let address = simulator.alloc("texels", (pitch * height as usize) as u64).unwrap();
        for (y, row) in bytes.chunks(row).enumerate() {
            simulator.write(address + (y * pitch) as u64, row).unwrap();
        }
        address
    };
    let geometry = match case.geometry {
        Geometry::Row => Row,
        Geometry::Plane => Plane,
        Geometry::Space => Space,
        Geometry::Rows => Rows,
        Geometry::Planes => Planes,
        Geometry::Cube => Cube,
        Geometry::Cubes => Cubes,
        Geometry::Linear | Geometry::Pitch => Row,
    };
    let (texels, address) = match case.geometry {
        Geometry::Linear => {
            let address = linear(row);
            (Texels::Linear { address, count: width, format }, address)
        }
        Geometry::Pitch => {
            let pitch = row.next_multiple_of(512);
            let address = linear(pitch);
            (
                Texels::Pitch { address, extent: [width, height], pitch: pitch as u64, format },
                address,
            )
        }
        _ => {
            let shape = Shape { geometry, extent: case.extent, format };
            let array = simulator.alloc_array("texels", shape).unwrap();
            simulator.write_array(&array, [0; 3], case.extent, bytes).unwrap();
            if case.opcode.starts_with("su") {
                let object = simulator.surface(&array).unwrap();
                return (object, Some(array), array.address());
            }
            (Texels::Array(array), array.address())
        }
    };
    let modes = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
    let sampler = Sampler {
        address: [modes[case.address as usize]; 3],
        filter: if case.linear { Filter::Linear } else { Filter::Point },
        normalised: case.normalised,
        as_float: case.as_float,
        srgb: case.srgb,
        border: case.border,
        seamless: case.seamless,
        ..Sampler::default()
    };
    (simulator.texture(&Texture { texels, sampler }).unwrap(), None, address)
}

/// Whether its instruction accesses a surface by bytes.
fn is_by_bytes(case: &Case) -> bool {
    case.opcode.starts_with("suld") || case.opcode.starts_with("sust.b")
}

/// The bytes of a surface, rows one after the other, and those that an access of so many bytes means; none outside.
fn range(case: &Case, coordinates: [u32; 4], bytes: usize) -> Option<std::ops::Range<usize>> {
    let [a, b, c, _] = coordinates.map(|c| i64::from(c.cast_signed()));
    let (x, y, z) = match case.geometry {
        Geometry::Row => (a, 0, 0),
        Geometry::Plane => (a, b, 0),
        // Layers are unsigned numbers.
        Geometry::Rows => (b, 0, coordinates[0].into()),
        Geometry::Planes => (b, c, coordinates[0].into()),
        _ => (a, b, c),
    };
    let [width, height, depth] = case.extent.map(i64::from);
    let row = width * i64::from(case.components * case.bits / 8);
    let last = row - bytes as i64;
    let inside = |at: i64, most: i64| (0..=most).contains(&at);
    let is_inside = inside(x, last) && inside(y, height - 1) && inside(z, depth - 1);
    if !is_inside && case.opcode.ends_with(".zero") {
        return None;
    }
    let [x, y, z] =
        [(x, last), (y, height - 1), (z, depth - 1)].map(|(at, most)| at.clamp(0, most));
    let start = ((z * height + y) * row + x) as usize;
    Some(start..start + bytes)
}

/// What a kernel stores in four words.
fn stored(coordinates: [u32; 4]) -> Vec<u32> {
    let [a, b, c, d] = coordinates;
    let sum = a
        .wrapping_mul(0x9e37_79b9)
        .wrapping_add(b.wrapping_mul(0x85eb_ca6b))
        .wrapping_add(c.wrapping_mul(0xc2b2_ae35))
        .wrapping_add(d);
    (0..4u32)
        .map(|k| {
            let mixed = sum.wrapping_add(0x27d4_eb2fu32.wrapping_mul(k));
            (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d)
        })
        .collect()
}

/// Bytes of an element, and elements.
fn element(opcode: &str) -> (usize, usize) {
    let has = |word: &str| opcode.split('.').any(|part| part == word);
    let count = if has("v4") {
        4
    } else if has("v2") {
        2
    } else {
        1
    };
    let bits = ["b8", "b16", "b32", "b64"].iter().position(|&word| has(word)).unwrap();
    (1 << bits, count)
}

#[test]
fn surfaces_are_bytes_in_rows() {
    let mut bench = Bench::new();
    let cases: Vec<Case> = cases::cases(1).into_iter().filter(is_by_bytes).collect();
    assert!(cases.len() > 200);
    for case in cases {
        let (size, count) = element(&case.opcode);
        let mut bytes = case.texels();
        let mut loaded = Vec::new();
        for coordinates in case.coordinates() {
            let range = range(&case, coordinates, size * count);
            if case.opcode.starts_with("suld") {
                let found = range.map_or(vec![0; size * count], |range| bytes[range].to_vec());
                // Each element narrower than a word fills one.
                let words = found.chunks(size).flat_map(|element| {
                    let mut word = element.to_vec();
                    word.resize(size.max(4), 0);
                    word
                });
                let mut words: Vec<u8> = words.collect();
                words.resize(16, 0);
                loaded.extend(words);
            } else if let Some(range) = range {
                let words = stored(coordinates);
                let elements: Vec<u8> = match size {
                    8 => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
                    _ => words.iter().flat_map(|w| w.to_le_bytes()[..size].to_vec()).collect(),
                };
                bytes[range].copy_from_slice(&elements[..size * count]);
            }
        }
        let expected = if case.opcode.starts_with("suld") { loaded } else { bytes };
        assert_eq!(bench.results(&case), expected, "{case:?}");
    }
}

/// The sample at these coordinates with weights that are not rounded, and the difference of the texels that it is made of.
fn exact(case: &Case, texels: &[f32], at: [f32; 3], component: usize) -> (f64, f64) {
    let mut sum = 0.0;
    let (mut least, mut greatest) = (f64::MAX, f64::MIN);
    for corner in 0..8 {
        let (mut index, mut weight) = (0, 1.0);
        for axis in (0..3).rev() {
            let extent = case.extent[axis] as usize;
            let first = (f64::from(at[axis]) - 0.5).floor();
            let after = f64::from(at[axis]) - 0.5 - first;
            let upper = corner >> axis & 1;
            weight *= if upper == 1 { after } else { 1.0 - after };
            let place = (first + upper as f64).clamp(0.0, extent as f64 - 1.0) as usize;
            index = index * extent + place;
        }
        let texel = f64::from(texels[4 * index + component]);
        (least, greatest) = (least.min(texel), greatest.max(texel));
        sum += weight * texel;
    }
    (sum, greatest - least)
}

#[test]
fn linear_samples_follow_the_formula_but_for_the_rounding_of_weights() {
    let mut bench = Bench::new();
    let geometries = [Geometry::Row, Geometry::Plane, Geometry::Space, Geometry::Pitch];
    let is_meant = |case: &Case| {
        case.linear
            && (case.address, case.normalised, case.components) == (1, false, 4)
            && (case.kind, case.bits) == (Kind::Float, 32)
            && case.content != Content::Wild
            && case.opcode.ends_with(".v4.f32.f32")
            && case.opcode.starts_with("tex.")
            && geometries.contains(&case.geometry)
    };
    let mut compared = 0;
    for case in cases::cases(4).into_iter().filter(is_meant) {
        let word = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
        let texels: Vec<f32> = case.texels().chunks(4).map(word).collect();
        let axes = match case.geometry {
            Geometry::Row => 1,
            Geometry::Space => 3,
            _ => 2,
        };
        let results = bench.results(&case);
        for (coordinates, result) in case.coordinates().into_iter().zip(results.chunks(16)) {
            let mut at = [0, 1, 2].map(|axis| f32::from_bits(coordinates[axis]));
            at[axes..].fill(0.5);
            if at.iter().any(|x| x.is_nan() || x.abs() > 1e5) {
                continue;
            }
            for component in 0..4 {
                let (expected, difference) = exact(&case, &texels, at, component);
                let found = f64::from(word(&result[4 * component..][..4]));
                // Half of 1/256 on each axis, and as much of each product; floats have 24 bits.
                let halves = [1.0, 4.0, 9.0][axes - 1];
                let most = difference * (halves / 512.0 + 1e-6) + expected.abs() * 1e-6;
                assert!((found - expected).abs() <= most, "{case:?} {at:?}: {found}, {expected}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn every_texture_can_be_sampled() {
    let mut bench = Bench::new();
    for case in cases::cases(1).into_iter().filter(|case| !case.opcode.starts_with("su")) {
        assert_eq!(bench.results(&case).len(), 16 * case.samples as usize, "{case:?}");
    }
}

#[test]
fn a_case_is_written_as_the_sampler_reads_it() {
    let case = &cases::cases(1)[0];
    let bytes = case.bytes();
    assert!(bytes.starts_with(b"tex.1d.v4.f32.f32\0"));
    // The name, 19 words, the texels, and four words for each sample.
    let texels = case.texels().len();
    assert_eq!(bytes.len(), 32 + 4 * 19 + texels + 16 * case.samples as usize);
}
