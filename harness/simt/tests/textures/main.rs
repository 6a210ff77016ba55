//! Samples, loads and stores of the simulator, against those of an H200: equal bits.
//!
//! `results.bin` is a recording: `sample.cu` made it of the cases in `cases.rs`, from whose numbers everything else follows.

mod cases;
mod kernel;

use std::collections::HashMap;
use std::sync::Arc;

use cases::{Case, Geometry, Kind};
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
        let simulator = &self.simulator;
        let loaded = self.loaded.entry(case.opcode.clone()).or_insert_with(|| {
            let text = kernel::kernel(&case.opcode);
            simulator.load(Arc::new(Module::parse("sample.ptx", &text).unwrap())).unwrap()
        });
        let coordinates: Vec<u8> =
            case.coordinates().into_iter().flatten().flat_map(u32::to_le_bytes).collect();
        let mut results = vec![0; coordinates.len()];
        let input = simulator.alloc("coordinates", coordinates.len() as u64).unwrap();
        let output = simulator.alloc("results", results.len() as u64).unwrap();
        simulator.write(input, &coordinates).unwrap();
        let (object, array, address) = self::object(simulator, case);
        let surface = case.opcode.starts_with("su");
        let (grid, block) = if surface { (1, 1) } else { (case.samples.div_ceil(64), 64) };
        let launch = Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: 0,
            arguments: &[
                &object.to_le_bytes(),
                &input.to_le_bytes(),
                &output.to_le_bytes(),
                &case.samples.to_le_bytes(),
            ],
        };
        simulator
            .launch(loaded, "sample", &launch)
            .unwrap_or_else(|error| panic!("{case:?}: {error}"));
        if case.opcode.starts_with("sust") {
            let mut bytes = case.texels();
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
fn object(simulator: &Simulator, case: &Case) -> (u64, Option<Array>, u64) {
    use simt::texture::Geometry::*;
    let channel = match case.kind {
        Kind::Signed => Channel::Signed,
        Kind::Unsigned => Channel::Unsigned,
        Kind::Float => Channel::Float,
    };
    let format = Format { channel, bits: case.bits as u8, components: case.components as u8 };
    let bytes = case.texels();
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
            simulator.write_array(&array, [0; 3], case.extent, &bytes).unwrap();
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
    };
    (simulator.texture(&Texture { texels, sampler }).unwrap(), None, address)
}

#[test]
fn explore() {
    let factor = 16;
    let recording = std::fs::read("/tmp/tx/results.bin").unwrap();
    let mut bench = Bench::new();
    let mut at = 0;
    let mut groups = std::collections::BTreeMap::<String, (u32, u32, u32)>::new();
    let mut dump = String::new();
    for case in cases::cases(factor) {
        if case.opcode.contains("q.")
            && !["width", "height", "depth", "array_size", "num_m", "num_s"]
                .iter()
                .any(|w| case.opcode.contains(w))
        {
            at += 16;
            continue;
        }
        let results = bench.results(&case);
        let recorded = &recording[at..at + results.len()];
        at += results.len();
        let coordinates = case.coordinates();
        let group = format!(
            "{} {:?} {}{:?}x{} lin{} ad{} n{} {:?} nf{} srgb{} seam{} {:?}",
            case.opcode,
            case.geometry,
            case.bits,
            case.kind,
            case.components,
            u8::from(case.linear),
            case.address,
            u8::from(case.normalised),
            case.content,
            u8::from(case.as_float),
            u8::from(case.srgb),
            u8::from(case.seamless),
            case.extent
        );
        let entry = groups.entry(group.clone()).or_default();
        let refused = recorded.iter().all(|&b| b == 0xee);
        entry.2 += u32::from(refused);
        for (k, (got, chip)) in results.chunks(16).zip(recorded.chunks(16)).enumerate() {
            entry.1 += 1;
            if got != chip && !refused {
                entry.0 += 1;
                if entry.0 <= 400 {
                    let words = |b: &[u8]| {
                        b.chunks(4)
                            .map(|w| {
                                let mut x = [0; 4];
                                x[..w.len()].copy_from_slice(w);
                                let x = u32::from_le_bytes(x);
                                format!("{x:08x}({:e})", f32::from_bits(x))
                            })
                            .collect::<Vec<_>>()
                            .join(" ")
                    };
                    let c = coordinates
                        .get(k)
                        .map(|c| {
                            c.iter()
                                .map(|x| format!("{x:08x}({:e})", f32::from_bits(*x)))
                                .collect::<Vec<_>>()
                                .join(" ")
                        })
                        .unwrap_or_default();
                    dump += &format!(
                        "{} {group} #{k}: at {c}\n   got {}\n  chip {}\n",
                        case.number,
                        words(got),
                        words(chip)
                    );
                }
            }
        }
    }
    let mut table = String::new();
    for (group, (wrong, all, refused)) in groups {
        table += &format!("{wrong:6} {all:6} {refused} {group}\n");
    }
    std::fs::write("/tmp/tx/dump.txt", dump).unwrap();
    std::fs::write("/tmp/tx/table.txt", table).unwrap();
    assert_eq!(at, recording.len());
}
