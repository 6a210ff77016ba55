//! Wrong use, and what is counted.

use super::*;
use crate::events::machine::MACHINE;

#[test]
fn wrong_objects_are_faults() {
    let bench = Bench::new(TEX2);
    let plane = bench.array(Geometry::Plane, [2, 2, 1], Format::F32, &[0; 16]);
    let surface = bench.simulator.surface(&plane).unwrap();
    let says = |object: u64, what: &str| {
        let fault = bench.fault(object, [0; 4]);
        assert!(matches!(fault.kind, FaultKind::Object(_)));
        let text = fault.to_string();
        assert!(text.contains(what) && text.contains("to do: pass the object"), "{text}");
    };
    says(1, "0x1 is no object");
    says(bench.input, "is no object, where the instruction needs a texture object");
    says(surface, "is a surface object, where");
    let row = bench.array(Geometry::Row, [4, 1, 1], Format::F32, &[0; 16]);
    says(
        bench.texture(row, CLAMPED),
        "is a texture of geometry .1d, where the instruction samples .2d",
    );
    let object = bench.texture(plane, CLAMPED);
    bench.simulator.free(plane.address());
    says(object, "was freed");
    bench.simulator.end_object(object);
    says(object, "is an object that was destroyed");
}

#[test]
fn wrong_instructions_are_refused() {
    let refused = |body: &str| Module::parse("k.ptx", &kernel(body)).unwrap_err().to_string();
    let says = |body: &str, what: &str| {
        let text = refused(body);
        assert!(text.contains(what), "{body}: {text}");
    };
    says(
        "tex.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0}];",
        "needs 2 coordinates, found 1",
    );
    says("tex.2d.v4.f32.f32 {%o0, %o1}, [%object, {%c0, %c1}];", "needs 4 registers, found 2");
    says("tex.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object];", "needs an object and coordinates");
    says("tex.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%c0, {%c0, %c1}];", "wrong type");
    says(
        "tex.2d.v4.f64.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}];",
        "unsupported instruction",
    );
    says(
        "tex.cube.v4.f32.s32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1, %c2, %c3}];",
        "there is no",
    );
    says(
        "tld4.r.3d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1, %c2, %c3}];",
        "there is no",
    );
    says(
        "tex.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [nothing, {%c0, %c1}];",
        "`nothing` is not declared",
    );
    says("txq.channel_order.b32 %o0, [%object];", "unsupported instruction");
    says(
        "suld.b.2d.v4.b64.trap {%l0, %l1, %l2, %l3}, [%object, {%c0, %c1}];",
        "unsupported instruction",
    );
    says("suld.b.2d.b32.wrap %o0, [%object, {%c0, %c1}];", "unsupported instruction");
    says("sust.b.2d.v2.b32.trap [%object, {%c0, %c1}], {%o0};", "needs 2 values, found 1");
}

#[test]
fn sectors_are_counted_once_a_request() {
    let machine = Machine { multiprocessors: 1, l1_bytes: 1 << 16, ..MACHINE };
    let watch = Watch { traffic: Some(machine), ..Watch::default() };
    let count = |filter: Filter, step: f32| {
        let bench = Bench::new(TEX2);
        let plane = bench.array(Geometry::Plane, [64, 16, 1], Format::F32, &[0; 4096]);
        let object = bench.texture(plane, Sampler { filter, ..CLAMPED });
        let at: Vec<[u32; 4]> = (0..32)
            .map(|lane| [(lane as f32 * step + 0.5).to_bits(), 0.5f32.to_bits(), 0, 0])
            .collect();
        let (_, events) = bench.watch(object, &at, &watch).unwrap();
        let total = events.total();
        let sectors = total.global_sectors + total.texture_sectors;
        assert_eq!(sectors, total.l1_hits + total.l2_hits + total.dram_sectors);
        (total.texture_requests, total.texture_sectors)
    };
    // A sector is four texels of two rows.
    assert_eq!(count(Filter::Point, 1.0), (1, 8));
    assert_eq!(count(Filter::Point, 0.0), (1, 1));
    assert_eq!(count(Filter::Point, 2.0), (1, 16));
    // The texel after the last is one sector more; the row below is in the same sectors.
    assert_eq!(count(Filter::Linear, 1.0), (1, 9));
}

#[test]
fn texels_that_nothing_has_written_are_a_hazard() {
    let bench = Bench::new(TEX2);
    let shape = Shape { geometry: Geometry::Plane, extent: [8, 8, 1], format: Format::F32 };
    let array = bench.simulator.alloc_array("image", shape).unwrap();
    bench.simulator.write_array(&array, [0; 3], [8, 4, 1], &[0; 128]).unwrap();
    let object = bench.texture(array, CLAMPED);
    let watch = Watch { hazards: true, ..Watch::default() };
    let hazards = |y: f32| {
        let (_, events) = bench.watch(object, &[[0, y.to_bits(), 0, 0]], &watch).unwrap();
        events.hazards
    };
    assert_eq!(hazards(3.5), []);
    let found = hazards(4.5);
    assert_eq!(found.len(), 1, "{found:?}");
    let FaultKind::Uninitialised(read) = &found[0].kind else { panic!("{}", found[0]) };
    assert_eq!(read.name.as_deref(), Some("image"));
}
