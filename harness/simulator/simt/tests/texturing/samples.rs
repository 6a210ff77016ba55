//! Samples with known answers.

use super::*;

#[test]
fn points_of_a_row_in_every_address_mode() {
    let bench = Bench::new(TEX1);
    let row = bench.array(Geometry::Row, [4, 1, 1], Format::F32, &bytes_of([1., 2., 3., 4.]));
    // In the middles of texels -3, -1, 0, 3, 4, 6.
    let texels = [-2.5f32, -0.5, 0.5, 3.5, 4.5, 6.5];
    let at = |scale: f32| texels.map(|x| [x * scale, 0., 0.]);
    for (mode, expected) in [
        (AddressMode::Wrap, [2., 4., 1., 4., 1., 3.]),
        (AddressMode::Clamp, [1., 1., 1., 4., 4., 4.]),
        (AddressMode::Mirror, [3., 1., 1., 4., 4., 2.]),
        (AddressMode::Border, [9., 9., 1., 4., 9., 9.]),
    ] {
        let sampler = Sampler { address: [mode; 3], normalised: true, border: [9.; 4], ..CLAMPED };
        let object = bench.texture(row, sampler);
        assert_eq!(bench.floats(object, &at(0.25)), expected, "{mode:?}");
        // Coordinates in texels can only be clamped or end at a border.
        let object = bench.texture(row, Sampler { normalised: false, ..sampler });
        let kept = if mode == AddressMode::Border { expected } else { [1., 1., 1., 4., 4., 4.] };
        assert_eq!(bench.floats(object, &at(1.0)), kept, "{mode:?}");
    }
}

#[test]
fn offsets_are_texels() {
    let bench = Bench::new("tex.1d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0}], -2;");
    let row = bench.array(Geometry::Row, [4, 1, 1], Format::F32, &bytes_of([1., 2., 3., 4.]));
    let border = Sampler { address: [AddressMode::Border; 3], border: [9.; 4], ..CLAMPED };
    let at = [0.5f32, 1.5, 2.5, 5.5].map(|x| [x, 0., 0.]);
    assert_eq!(bench.floats(bench.texture(row, border), &at), [9., 9., 1., 4.]);
    assert_eq!(bench.floats(bench.texture(row, CLAMPED), &at), [1., 1., 1., 4.]);
    let linear = Sampler { filter: Filter::Linear, ..CLAMPED };
    assert_eq!(bench.floats(bench.texture(row, linear), &[[3.75, 0., 0.]]), [2.25]);
    let wrapped = Sampler { address: [AddressMode::Wrap; 3], normalised: true, ..CLAMPED };
    assert_eq!(bench.floats(bench.texture(row, wrapped), &[[0.125, 0., 0.]]), [3.]);
    // An H200 looks at four bits of an offset: 14 is -2.
    let more = Bench::new("tex.1d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0}], 14;");
    let row = more.array(Geometry::Row, [4, 1, 1], Format::F32, &bytes_of([1., 2., 3., 4.]));
    assert_eq!(more.floats(more.texture(row, border), &at), [9., 9., 1., 4.]);
    // From registers, along two axes, with a level of detail before them, and for the four texels around.
    let texels = bytes_of((0..16).map(|k| k as f32));
    for (sample, expected) in [
        ("tex.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}], {%c2, 2};", 13.),
        (
            "tex.level.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}], 0f00000000, {%c2, %c3};",
            5.,
        ),
        ("tld4.r.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}], {%c2, 1};", 13.),
    ] {
        let bench = Bench::new(sample);
        let plane = bench.array(Geometry::Plane, [4, 4, 1], Format::F32, &texels);
        let object = bench.texture(plane, CLAMPED);
        let words = [0.5f32.to_bits(), 1.5f32.to_bits(), 1, 0];
        assert_eq!(f32::from_bits(bench.run(object, &[words])[0][0]), expected, "{sample}");
    }
}

#[test]
fn weights_have_eight_bits() {
    let bench = Bench::new(TEX1);
    let row = bench.array(Geometry::Row, [3, 1, 1], Format::F32, &bytes_of([0., 256., 256.]));
    let object = bench.texture(row, Sampler { filter: Filter::Linear, ..CLAMPED });
    let at = |x: f32| [x, 0., 0.];
    // Between the middles of the first two texels; what is finer than 1/256 is rounded.
    let found = bench.floats(
        object,
        &[at(0.5), at(0.5 + 1. / 256.), at(1.0), at(1.25), at(0.75 + 0.3 / 256.), at(-7.), at(2.)],
    );
    assert_eq!(found, [0., 1., 128., 192., 64., 0., 256.]);
}

#[test]
fn a_plane_and_a_space_are_filtered_along_all_axes() {
    let bench = Bench::new(TEX2);
    let plane = bench.array(Geometry::Plane, [2, 2, 1], Format::F32, &bytes_of([0., 4., 8., 12.]));
    let linear = Sampler { filter: Filter::Linear, ..CLAMPED };
    let object = bench.texture(plane, linear);
    assert_eq!(bench.floats(object, &[[1., 1., 0.], [0.75, 1.25, 0.]]), [6., 7.]);
    let bench =
        Bench::new("tex.3d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1, %c2, %c2}];");
    let texels = bytes_of((0..8).map(|k| (4 * k) as f32));
    let space = bench.array(Geometry::Space, [2; 3], Format::F32, &texels);
    let object = bench.texture(space, linear);
    assert_eq!(bench.floats(object, &[[1.; 3], [0.5, 1.5, 0.5], [1.5, 0.5, 1.]]), [14., 8., 12.]);
}

#[test]
fn integers_come_as_they_are_or_as_floats_up_to_one() {
    let bench = Bench::new("tex.2d.v4.u32.s32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}];");
    let signed = Format { channel: Channel::Signed, components: 2, ..BYTES };
    let row = bench.array(Geometry::Plane, [2, 1, 1], signed, &[0x80, 0x7f, 0xff, 0]);
    let object = bench.texture(row, CLAMPED);
    let minus = |n: u32| 0u32.wrapping_sub(n);
    // Components that the texels lack are 0.
    assert_eq!(bench.run(object, &[[0; 4]]), [[minus(128), 127, 0, 0]]);
    assert_eq!(bench.run(object, &[[1, 0, 0, 0]]), [[minus(1), 0, 0, 0]]);
    let object = bench.texture(row, Sampler { as_float: true, ..CLAMPED });
    let [x, y, z, w] = bench.run(object, &[[0; 4]])[0].map(f32::from_bits);
    assert_eq!([x, y, z, w], [-1., 1., 0., 0.]);
}

#[test]
fn fetches_of_linear_memory() {
    let bench = Bench::new("tex.1d.v4.f32.s32 {%o0, %o1, %o2, %o3}, [%object, {%c0}];");
    let address = bench.simulator.alloc("texels", 256).unwrap();
    bench.simulator.write(address, &bytes_of([1.5, 2.5, 3.5])).unwrap();
    let texels = Texels::Linear { address, count: 3, format: Format::F32 };
    let object = bench.simulator.texture(&Texture { texels, sampler: CLAMPED }).unwrap();
    let found = bench.run(object, &[[0; 4], [2, 0, 0, 0], [3, 0, 0, 0], [u32::MAX, 0, 0, 0]]);
    let first = found.iter().map(|words| f32::from_bits(words[0])).collect::<Vec<_>>();
    // Outside of it a texel is 0.
    assert_eq!(first, [1.5, 3.5, 0., 0.]);
    // The instruction is one for linear memory: from an array it gives zeros.
    let array = bench.array(Geometry::Row, [3, 1, 1], Format::F32, &bytes_of([1.5, 2.5, 3.5]));
    assert_eq!(bench.run(bench.texture(array, CLAMPED), &[[1, 0, 0, 0]]), [[0; 4]]);
}

#[test]
fn layers_and_faces() {
    let bench =
        Bench::new("tex.a2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1, %c2, %c2}];");
    let layers = bench.array(Geometry::Planes, [1, 1, 3], Format::F32, &bytes_of([1., 2., 3.]));
    let object = bench.texture(layers, CLAMPED);
    let found = bench.run(object, &[[0; 4], [1, 0, 0, 0], [2, 0, 0, 0], [7, 0, 0, 0]]);
    let first: Vec<f32> = found.iter().map(|words| f32::from_bits(words[0])).collect();
    assert_eq!(first, [1., 2., 3., 3.], "a layer after the last is the last");
    let bench =
        Bench::new("tex.cube.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1, %c2, %c2}];");
    let faces = (0..6).map(|face| face as f32);
    let cube = bench.array(Geometry::Cube, [1, 1, 6], Format::F32, &bytes_of(faces));
    let object = bench.texture(cube, Sampler { normalised: true, ..CLAMPED });
    let directions =
        [[1., 0., 0.], [-2., 1., 1.], [0., 3., 1.], [0., -1., 0.5], [0.1, 0.2, 0.3], [0., 0., -1.]];
    assert_eq!(bench.floats(object, &directions), [0., 1., 2., 3., 4., 5.]);
}

#[test]
fn a_gather_gives_four_texels_from_the_lower_left_on() {
    let bench = Bench::new("tld4.g.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}];");
    let two = Format { components: 2, ..Format::F32 };
    let texels = bytes_of((0..4).flat_map(|k| [-1., k as f32]));
    let object = bench.texture(bench.array(Geometry::Plane, [2, 2, 1], two, &texels), CLAMPED);
    let found = bench.run(object, &[[1f32.to_bits(), 1f32.to_bits(), 0, 0]]);
    // (0, 1), (1, 1), (1, 0), (0, 0).
    assert_eq!(found[0].map(f32::from_bits), [2., 3., 1., 0.]);
}

#[test]
fn sixteen_bits_of_a_result() {
    let body = "tex.2d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [%object, {%c0, %c1}];\n\
                cvt.u32.u16 %o0, %h0; cvt.u32.u16 %o3, %h3;\n\
                tex.2d.v2.f16x2.f32 {%o1, %o2}, [%object, {%c0, %c1}];";
    let bench = Bench::new(body);
    let row = bench.array(Geometry::Plane, [1, 1, 1], Format::F32, &bytes_of([-2.0]));
    let found = bench.run(bench.texture(row, CLAMPED), &[[0; 4]]);
    assert_eq!(found, [[0xc000, 0xc000, 0, 0]]);
}

#[test]
fn a_texture_reference_holds_an_object() {
    let bench = Bench::new("tex.1d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [bound, {%c0}];");
    let row = bench.array(Geometry::Row, [1, 1, 1], Format::F32, &bytes_of([5.0]));
    let (address, bytes) = bench.loaded.symbol("bound").unwrap();
    assert_eq!(bytes, 8);
    let text = bench.fault(0, [0; 4]).to_string();
    assert!(
        text.contains("0x0 is no object, where the instruction needs a texture object"),
        "{text}"
    );
    let object = bench.texture(row, CLAMPED);
    bench.simulator.write(address, &object.to_le_bytes()).unwrap();
    assert_eq!(bench.floats(0, &[[0.; 3]]), [5.0]);
}
