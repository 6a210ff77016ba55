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

#[test]
fn a_case_is_written_as_the_sampler_reads_it() {
    let case = &cases::cases()[0];
    let bytes = case.bytes();
    assert!(bytes.starts_with(b"tex.1d.v4.f32.f32\0"));
    // The name, 19 words, the texels, and four words for each sample.
    let texels = case.texels().len();
    assert_eq!(bytes.len(), 32 + 4 * 19 + texels + 16 * case.samples as usize);
}
