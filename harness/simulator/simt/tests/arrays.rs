//! Arrays, and what is refused when they and their objects are made.

use simt::Simulator;
use simt::texture::{
    AddressMode, Channel, Filter, Format, Geometry, Sampler, Shape, Texels, Texture, TextureError,
};

fn shape(geometry: Geometry, extent: [u32; 3], components: u8) -> Shape {
    Shape { geometry, extent, format: Format { components, ..Format::F32 } }
}

#[test]
fn a_part_of_an_array_is_written_and_read() {
    let simulator = Simulator::new(1 << 20);
    for (geometry, extent) in [
        (Geometry::Row, [37, 1, 1]),
        (Geometry::Plane, [37, 19, 1]),
        (Geometry::Space, [7, 9, 5]),
        (Geometry::Rows, [7, 1, 5]),
        (Geometry::Planes, [21, 9, 3]),
        (Geometry::Cube, [9, 9, 6]),
        (Geometry::Cubes, [3, 3, 12]),
    ] {
        for components in [1, 2, 4] {
            let array = simulator.alloc_array("a", shape(geometry, extent, components)).unwrap();
            let texel = 4 * usize::from(components);
            let count = extent.iter().product::<u32>() as usize;
            let all: Vec<u8> = (0..count * texel).map(|k| (k % 251) as u8).collect();
            simulator.write_array(&array, [0; 3], extent, &all).unwrap();
            let mut back = vec![0; all.len()];
            simulator.read_array(&array, [0; 3], extent, &mut back).unwrap();
            assert_eq!(all, back);
            let last = extent.map(|n| n - 1);
            let mut one = vec![0; texel];
            simulator.read_array(&array, last, [1; 3], &mut one).unwrap();
            assert_eq!(one, all[all.len() - texel..]);
            simulator.write_array(&array, last, [1; 3], &vec![0xff; texel]).unwrap();
            simulator.read_array(&array, [0; 3], extent, &mut back).unwrap();
            assert_eq!(back[..all.len() - texel], all[..all.len() - texel]);
            assert!(back[all.len() - texel..].iter().all(|&byte| byte == 0xff));
            simulator.free(array.address());
        }
    }
}

#[test]
fn what_no_gpu_has_is_refused() {
    let simulator = Simulator::new(1 << 20);
    let refused = |shape| simulator.alloc_array("a", shape).unwrap_err().to_string();
    assert!(refused(shape(Geometry::Plane, [4, 4, 1], 3)).contains("3 components of 32 bits"));
    let half = Format { channel: Channel::Float, bits: 8, components: 1 };
    let half = Shape { geometry: Geometry::Row, extent: [4, 1, 1], format: half };
    assert!(refused(half).contains("1 components of 8 bits"));
    assert!(refused(shape(Geometry::Plane, [4, 0, 1], 1)).contains("4×0×1"));
    assert!(refused(shape(Geometry::Row, [4, 2, 1], 1)).contains("this geometry"));
    assert!(refused(shape(Geometry::Cube, [4, 5, 6], 1)).contains("square"));
    assert!(refused(shape(Geometry::Plane, [1 << 16, 1 << 16, 1], 4)).contains("out of memory"));
}

#[test]
fn a_copy_outside_or_of_other_bytes_is_refused() {
    let simulator = Simulator::new(1 << 20);
    let array = simulator.alloc_array("a", shape(Geometry::Plane, [8, 4, 1], 1)).unwrap();
    let error = simulator.write_array(&array, [4, 0, 0], [5, 1, 1], &[0; 20]).unwrap_err();
    assert!(error.to_string().contains("from (4, 0, 0)"), "{error}");
    let error = simulator.write_array(&array, [u32::MAX, 0, 0], [2, 1, 1], &[0; 8]).unwrap_err();
    assert!(matches!(error, TextureError::Region { .. }));
    let error = simulator.read_array(&array, [0; 3], [8, 4, 1], &mut [0; 127]).unwrap_err();
    assert_eq!(error.to_string(), "a copy of 128 bytes with 127 bytes on the host");
    simulator.free(array.address());
    assert!(simulator.write_array(&array, [0; 3], [8, 4, 1], &[0; 128]).is_err());
    assert!(simulator.surface(&array).is_err());
}

#[test]
fn objects_that_no_gpu_has_are_refused() {
    let simulator = Simulator::new(1 << 20);
    let bytes = Format { channel: Channel::Unsigned, bits: 8, components: 4 };
    let whole = Shape { geometry: Geometry::Plane, extent: [8, 4, 1], format: bytes };
    let texels = Texels::Array(simulator.alloc_array("a", whole).unwrap());
    let linear = Sampler { filter: Filter::Linear, ..Sampler::default() };
    let refused =
        |texels, sampler| simulator.texture(&Texture { texels, sampler }).unwrap_err().to_string();
    assert!(refused(texels, linear).contains("linear filtering needs"));
    let sampler = Sampler { as_float: true, address: [AddressMode::Wrap; 3], ..linear };
    assert!(simulator.texture(&Texture { texels, sampler }).is_ok());
    let address = simulator.alloc("m", 1024).unwrap();
    let words = Format { channel: Channel::Signed, bits: 32, components: 1 };
    let texels = Texels::Linear { address, count: 256, format: words };
    assert!(refused(texels, sampler).contains("8 and 16"));
    let texels = Texels::Linear { address, count: 257, format: words };
    assert!(refused(texels, Sampler::default()).contains("not inside an allocation"));
    let texels = Texels::Linear { address: address + 4, count: 4, format: words };
    assert!(refused(texels, Sampler::default()).contains("multiple of 256"));
    let pitch = |pitch| Texels::Pitch { address, extent: [9, 3], pitch, format: words };
    assert!(refused(pitch(48), Sampler::default()).contains("48 bytes apart"));
    assert!(refused(pitch(32), Sampler::default()).contains("32 bytes apart"));
    assert!(simulator.texture(&Texture { texels: pitch(64), sampler: Sampler::default() }).is_ok());
}
