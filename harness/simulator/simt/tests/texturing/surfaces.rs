//! Surfaces, and what objects are asked.

use super::*;

#[test]
fn what_is_asked_of_objects() {
    let bench = Bench::new(
        "txq.width.b32 %o0, [%object]; txq.height.b32 %o1, [%object]; txq.depth.b32 %o2, [%object];\n\
         txq.array_size.b32 %o3, [%object];",
    );
    let space = bench.array(Geometry::Space, [3, 4, 5], BYTES, &[0; 60]);
    assert_eq!(bench.run(bench.texture(space, CLAMPED), &[[0; 4]]), [[3, 4, 5, 1]]);
    let layers = bench.array(Geometry::Planes, [3, 4, 5], BYTES, &[0; 60]);
    // Layers are in the place of the extent that is missing.
    assert_eq!(bench.run(bench.texture(layers, CLAMPED), &[[0; 4]]), [[3, 4, 5, 5]]);
    let bench = Bench::new("suq.width.b32 %o0, [%object]; suq.height.b32 %o1, [%object];");
    let plane = bench.array(Geometry::Plane, [3, 4, 1], BYTES, &[0; 12]);
    assert_eq!(bench.run(bench.simulator.surface(&plane).unwrap(), &[[0; 4]])[0][..2], [3, 4]);
}

#[test]
fn surfaces_are_read_and_written_by_bytes() {
    let body = "suld.b.2d.v2.b16.trap {%h0, %h1}, [%object, {%c0, %c1}];\n\
                cvt.u32.u16 %o0, %h0; cvt.u32.u16 %o1, %h1;\n\
                suld.b.2d.b64.zero %l0, [%object, {%c2, %c1}]; mov.b64 {%o2, %o3}, %l0;\n\
                add.u16 %h0, %h0, 1; sust.b.2d.b16.zero [%object, {%c3, %c1}], %h0;";
    let bench = Bench::new(body);
    let words = Format { bits: 16, components: 2, ..BYTES };
    let texels: Vec<u8> = (0..32).collect();
    let plane = bench.array(Geometry::Plane, [4, 2, 1], words, &texels);
    let object = bench.simulator.surface(&plane).unwrap();
    let found = bench.run(object, &[[4, 1, 8, 2]]);
    assert_eq!(found, [[0x1514, 0x1716, 0x1b1a_1918, 0x1f1e_1d1c]]);
    let mut now = vec![0; 32];
    bench.simulator.read_array(&plane, [0; 3], [4, 2, 1], &mut now).unwrap();
    assert_eq!(now[16..20], [16, 17, 0x15, 0x15]);
    // Outside: reads are 0, stores are left out.
    let found = bench.run(object, &[[0, 0, u32::MAX - 7, 16]]);
    assert_eq!(found[0][2..], [0, 0]);
}

#[test]
fn surface_accesses_outside() {
    let store = |mode: &str| format!("sust.b.1d.b32.{mode} [%object, {{%c0}}], %c1;");
    let after = |mode: &str, x: u32| {
        let bench = Bench::new(&store(mode));
        let row = bench.array(Geometry::Row, [2, 1, 1], Format::F32, &[0; 8]);
        bench.run(bench.simulator.surface(&row).unwrap(), &[[x, 7, 0, 0]]);
        let mut now = vec![0; 8];
        bench.simulator.read_array(&row, [0; 3], [2, 1, 1], &mut now).unwrap();
        [now[0], now[4]]
    };
    assert_eq!(after("zero", 8), [0, 0]);
    assert_eq!(after("clamp", 8), [0, 7]);
    assert_eq!(after("clamp", u32::MAX - 3), [7, 0]);
    let bench = Bench::new(&store("trap"));
    let row = bench.array(Geometry::Row, [2, 1, 1], Format::F32, &[0; 8]);
    let object = bench.simulator.surface(&row).unwrap();
    let fault = bench.fault(object, [8, 7, 0, 0]);
    assert!(matches!(fault.kind, FaultKind::Surface(_)));
    let text = fault.to_string();
    assert!(text.starts_with("outside a surface: 4 bytes at x = 8"), "{text}");
    assert!(text.contains("to do: check the coordinates") && text.contains("k.ptx:"), "{text}");
    let text = bench.fault(object, [2, 7, 0, 0]).to_string();
    assert!(text.contains("x = 2 is no multiple of the 4 bytes"), "{text}");
}

#[test]
fn formatted_stores_become_the_surfaces_format() {
    let bench = Bench::new("sust.p.1d.v4.b32.trap [%object, {%c0}], {%c1, %c2, %c3, %c3};");
    let half = Format { channel: Channel::Float, bits: 16, components: 2 };
    let row = bench.array(Geometry::Row, [2, 1, 1], half, &[0; 8]);
    let object = bench.simulator.surface(&row).unwrap();
    bench.run(object, &[[1, 1f32.to_bits(), (-2f32).to_bits(), 0]]);
    let mut now = vec![0; 8];
    bench.simulator.read_array(&row, [0; 3], [2, 1, 1], &mut now).unwrap();
    assert_eq!(now, [0, 0, 0, 0, 0, 0x3c, 0, 0xc0]);
}
