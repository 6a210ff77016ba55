//! Textures and surfaces on every device of this machine: what the simulator gives, a GPU gives too, bit for bit.

#[path = "common/devices.rs"]
mod devices;

use std::collections::HashMap;

use device::texture::{AddressMode, Channel, Filter, Format, Geometry, Sampler, Shape};
use device::{Argument, Array, Choice, CodeRoute, Device, Error, Module, Ptx, Source, TextureOf};
use devices::{on_each_device, opened};

on_each_device! {
    an_array_gives_back_what_it_was_given
    a_surface_is_copied
    what_cannot_be_sampled_is_refused
    what_belongs_to_another_device_is_refused
    an_object_outlives_the_names_of_what_it_reads
}

const POINTS: usize = 256;
const BYTES: Format = Format { channel: Channel::Unsigned, bits: 8, components: 4 };
const FLOATS: Format = Format { channel: Channel::Float, bits: 32, components: 4 };

fn shape(geometry: Geometry, extent: [u32; 3], format: Format) -> Shape {
    Shape { geometry, extent, format }
}

fn source() -> Source {
    let file = "textures.ptx".to_string();
    let text = include_str!("textures/textures.ptx").to_string();
    Source {
        name: "textures".to_string(),
        file: "textures.cu".to_string(),
        ptx: vec![Ptx { file, text }],
        ..Source::default()
    }
}

/// Bytes that are the same on every run, and floats where they are read as such.
fn texels(shape: Shape) -> Vec<u8> {
    let count = shape.extent.iter().product::<u32>() * u32::from(shape.format.components);
    let mixed = |k: u32| (k ^ k >> 7).wrapping_mul(0x9e37_79b9) >> 8;
    match shape.format.bits {
        8 => (0..count).map(|k| mixed(k) as u8).collect(),
        _ => (0..count).flat_map(|k| (mixed(k) as f32 * 1e-5 - 50.0).to_le_bytes()).collect(),
    }
}

/// Four coordinates for each point: from -1 to 2, or from -10 to 20.
fn points(scale: f32) -> Vec<f32> {
    (0..4 * POINTS as u32)
        .map(|k| ((k.wrapping_mul(0x85eb_ca6b) >> 8) as f32 / (1 << 24) as f32 * 3.0 - 1.0) * scale)
        .collect()
}

fn filled(device: &mut dyn Device, shape: Shape) -> Array {
    let array = device.alloc_array("texels", shape).unwrap();
    device.write_array(&array, &texels(shape)).unwrap();
    array
}

/// What a kernel samples, as bits.
fn sampled(
    device: &mut dyn Device,
    module: &Module,
    kernel: &str,
    of: TextureOf,
    sampler: Sampler,
) -> Vec<u32> {
    let points = points(if sampler.normalised { 1.0 } else { 10.0 });
    let at = device.alloc("points", 4 * points.len()).unwrap();
    let out = device.alloc("out", 16 * POINTS).unwrap();
    device.upload(&at, bytemuck::cast_slice(&points)).unwrap();
    device.fill(&out, 0xa5).unwrap();
    let object = device.texture(of, sampler).unwrap();
    let arguments = [
        Argument::I32(POINTS as i32),
        Argument::Object(&object),
        Argument::Buffer(&at),
        Argument::Buffer(&out),
    ];
    device.launch(module, kernel, device::Shape::row(2, 128), &arguments).unwrap();
    device.read(&out).unwrap()
}

/// Everything that is sampled on both devices, by its name.
fn all(device: &mut dyn Device) -> HashMap<String, Vec<u32>> {
    let module = device.load(&source()).unwrap();
    let mut found = HashMap::new();
    let kernels = [
        ("sample1", shape(Geometry::Row, [37, 1, 1], BYTES)),
        ("sample2", shape(Geometry::Plane, [17, 11, 1], BYTES)),
        ("sample3", shape(Geometry::Space, [7, 6, 5], BYTES)),
        ("layers", shape(Geometry::Planes, [17, 11, 3], BYTES)),
        ("directions", shape(Geometry::Cube, [9, 9, 6], BYTES)),
    ];
    let modes = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
    for (kernel, bytes) in kernels {
        for shape in [bytes, Shape { format: FLOATS, ..bytes }] {
            let array = filled(device, shape);
            for filter in [Filter::Point, Filter::Linear] {
                for (mode, normalised) in modes.map(|mode| [(mode, true), (mode, false)]).concat() {
                    let sampler = Sampler {
                        filter,
                        address: [mode; 3],
                        normalised,
                        as_float: true,
                        border: [0.25, 0.5, 0.75, 1.0],
                        ..Sampler::default()
                    };
                    let name = format!("{kernel} {shape:?} {sampler:?}");
                    let of = TextureOf::Array(&array);
                    found.insert(name, sampled(device, &module, kernel, of, sampler));
                }
            }
        }
    }
    let buffer = device.alloc("linear", 64 * 11 * 4).unwrap();
    let bytes = texels(shape(Geometry::Plane, [64, 11, 1], BYTES));
    device.upload(&buffer, &bytes).unwrap();
    let sampler = Sampler { as_float: true, ..Sampler::default() };
    let of = TextureOf::Linear(&buffer, BYTES);
    found.insert("linear".to_string(), sampled(device, &module, "fetch", of, sampler));
    let of = TextureOf::Pitch { buffer: &buffer, extent: [50, 11], pitch: 256, format: BYTES };
    let sampler = Sampler { filter: Filter::Linear, ..sampler };
    found.insert("pitch".to_string(), sampled(device, &module, "sample2", of, sampler));
    found
}

#[test]
fn a_gpu_samples_what_the_simulator_samples() {
    let mut simulator = opened(Choice::Simt, CodeRoute::Committed).unwrap();
    let expected = all(simulator.as_mut());
    assert!(expected.values().all(|words| !words.contains(&0xa5a5_a5a5)));
    let Some(mut gpu) = opened(Choice::Cuda(0), CodeRoute::Committed) else { return };
    let mut different = Vec::new();
    for (name, words) in all(gpu.as_mut()) {
        let equal = words.iter().zip(&expected[&name]).filter(|(one, other)| one == other).count();
        let share = equal as f64 / words.len() as f64;
        // Directions on cubes go through a reciprocal whose last bit differs now and then.
        let least = if name.contains("Cube") { 0.99 } else { 1.0 };
        if share < least {
            different.push(format!("{share:.3} of the samples are equal: {name}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

fn an_array_gives_back_what_it_was_given(choice: Choice) {
    let Some(mut device) = opened(choice, CodeRoute::Committed) else { return };
    for (geometry, extent) in [
        (Geometry::Row, [37, 1, 1]),
        (Geometry::Plane, [17, 11, 1]),
        (Geometry::Space, [7, 6, 5]),
        (Geometry::Rows, [17, 1, 3]),
        (Geometry::Planes, [17, 11, 3]),
        (Geometry::Cube, [9, 9, 6]),
        (Geometry::Cubes, [9, 9, 12]),
    ] {
        for format in [BYTES, FLOATS] {
            let shape = shape(geometry, extent, format);
            let array = filled(device.as_mut(), shape);
            let mut back = vec![0; array.bytes()];
            device.read_array(&array, &mut back).unwrap();
            assert_eq!(back, texels(shape), "{shape:?}");
        }
    }
}

fn a_surface_is_copied(choice: Choice) {
    let Some(mut device) = opened(choice, CodeRoute::Committed) else { return };
    let device = device.as_mut();
    let module = device.load(&source()).unwrap();
    let shape = shape(Geometry::Plane, [37, 19, 1], BYTES);
    let (from, to) = (filled(device, shape), device.alloc_array("to", shape).unwrap());
    let objects = [device.surface(&from).unwrap(), device.surface(&to).unwrap()];
    let launch = device::Shape::new([3, 2], [16, 16]);
    let arguments =
        [(&objects[0]).into(), (&objects[1]).into(), Argument::I32(37), Argument::I32(19)];
    device.launch(&module, "turn", launch, &arguments).unwrap();
    let mut back = vec![0; to.bytes()];
    device.read_array(&to, &mut back).unwrap();
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect()
    };
    let expected: Vec<u32> =
        words(&texels(shape)).chunks(37).rev().flatten().map(|w| w.wrapping_add(1)).collect();
    assert_eq!(words(&back), expected);
}

fn what_cannot_be_sampled_is_refused(choice: Choice) {
    let Some(mut device) = opened(choice, CodeRoute::Committed) else { return };
    let device = device.as_mut();
    let array = filled(device, shape(Geometry::Plane, [8, 8, 1], BYTES));
    let linear = Sampler { filter: Filter::Linear, ..Sampler::default() };
    let error = device.texture(TextureOf::Array(&array), linear).unwrap_err();
    assert!(matches!(error, Error::Texture(_)), "{error}");
    let error = device.write_array(&array, &[0; 255]).unwrap_err();
    assert_eq!(error.to_string(), "`texels` has 256 bytes, and 255 were given");
    let three = Format { components: 3, ..BYTES };
    assert!(device.alloc_array("three", shape(Geometry::Plane, [8, 8, 1], three)).is_err());
    let buffer = device.alloc("buffer", 1000).unwrap();
    let pitch = TextureOf::Pitch { buffer: &buffer, extent: [8, 33], pitch: 32, format: BYTES };
    let error = device.texture(pitch, Sampler::default()).unwrap_err();
    assert_eq!(error.to_string(), "`buffer` has 1000 bytes, and 1056 were given");
}

fn what_belongs_to_another_device_is_refused(choice: Choice) {
    let Some(mut device) = opened(choice, CodeRoute::Committed) else { return };
    let mut other = opened(Choice::Simt, CodeRoute::Committed).unwrap();
    let array = filled(other.as_mut(), shape(Geometry::Plane, [8, 8, 1], BYTES));
    let refused = device.texture(TextureOf::Array(&array), Sampler::default());
    assert!(matches!(refused, Err(Error::Foreign(_))));
    let object = other.surface(&array).unwrap();
    let module = device.load(&source()).unwrap();
    let arguments = [(&object).into(), (&object).into(), Argument::I32(8), Argument::I32(8)];
    let refused = device.launch(&module, "turn", device::Shape::row(1, 32), &arguments);
    assert!(matches!(refused, Err(Error::Foreign(_))));
}

fn an_object_outlives_the_names_of_what_it_reads(choice: Choice) {
    let Some(mut device) = opened(choice, CodeRoute::Committed) else { return };
    let device = device.as_mut();
    let module = device.load(&source()).unwrap();
    let shape = shape(Geometry::Plane, [8, 8, 1], BYTES);
    let to = device.alloc_array("to", shape).unwrap();
    let from = {
        let array = filled(device, shape);
        device.surface(&array).unwrap()
    };
    let target = device.surface(&to).unwrap();
    let arguments = [(&from).into(), (&target).into(), Argument::I32(8), Argument::I32(8)];
    let launch = device::Shape::new([1, 1], [8, 8]);
    device.launch(&module, "turn", launch, &arguments).unwrap();
    device.synchronize().unwrap();
}
