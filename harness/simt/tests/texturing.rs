//! Textures and surfaces with known answers, and what is said of wrong use.

use std::sync::Arc;

use simt::texture::{
    AddressMode, Array, Channel, Filter, Format, Geometry, Sampler, Shape, Texels, Texture,
};
use simt::{
    Coalescing, Events, FaultKind, Launch, LaunchError, Loaded, Machine, Module, Simulator, Watch,
};

const BYTES: Format = Format { channel: Channel::Unsigned, bits: 8, components: 1 };
const CLAMPED: Sampler = Sampler {
    address: [AddressMode::Clamp; 3],
    filter: Filter::Point,
    normalised: false,
    as_float: false,
    srgb: false,
    border: [0.0; 4],
    seamless: false,
};

/// A simulator, and a kernel of 32 threads: `body` has an object in `%object`, four words of the thread's own in `%c0` to
/// `%c3`, and leaves four in `%o0` to `%o3`.
struct Bench {
    simulator: Simulator,
    loaded: Loaded,
    input: u64,
    output: u64,
}

fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.global .texref bound;\n\
         .visible .entry k(.param .u64 object, .param .u64 in, .param .u64 out) {{\n\
         .reg .b32 %c<4>; .reg .b32 %o<4>; .reg .b32 %t; .reg .b16 %h<4>; .reg .b64 %l<4>; .reg .b64 %object;\n\
         .reg .b64 %in; .reg .b64 %out; .reg .b64 %plus;\n\
         ld.param.u64 %object, [object]; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n\
         mov.u32 %t, %tid.x; mul.wide.u32 %plus, %t, 16; add.s64 %in, %in, %plus; add.s64 %out, %out, %plus;\n\
         ld.global.v4.u32 {{%c0, %c1, %c2, %c3}}, [%in];\n\
         mov.u32 %o0, 0; mov.u32 %o1, 0; mov.u32 %o2, 0; mov.u32 %o3, 0;\n\
         {body}\nst.global.v4.u32 [%out], {{%o0, %o1, %o2, %o3}};\nret;\n}}\n"
    )
}

impl Bench {
    fn new(body: &str) -> Bench {
        let simulator = Simulator::new(1 << 24);
        let module = Module::parse("k.ptx", &kernel(body)).unwrap();
        let loaded = simulator.load(Arc::new(module)).unwrap();
        let input = simulator.alloc("in", 512).unwrap();
        let output = simulator.alloc("out", 512).unwrap();
        simulator.fill(output, 512, 0).unwrap();
        Bench { simulator, loaded, input, output }
    }

    fn array(&self, geometry: Geometry, extent: [u32; 3], format: Format, bytes: &[u8]) -> Array {
        let array = self.simulator.alloc_array("a", Shape { geometry, extent, format }).unwrap();
        self.simulator.write_array(&array, [0; 3], extent, bytes).unwrap();
        array
    }

    fn texture(&self, array: Array, sampler: Sampler) -> u64 {
        self.simulator.texture(&Texture { texels: Texels::Array(array), sampler }).unwrap()
    }

    fn watch(
        &self,
        object: u64,
        words: &[[u32; 4]],
        watch: &Watch,
    ) -> Result<(Vec<[u32; 4]>, Events), LaunchError> {
        let mut all = words.to_vec();
        all.resize(32, *words.last().unwrap());
        let bytes: Vec<u8> = all.into_iter().flatten().flat_map(u32::to_le_bytes).collect();
        self.simulator.write(self.input, &bytes).unwrap();
        let launch = Launch {
            grid: [1; 3],
            block: [32, 1, 1],
            shared_bytes: 0,
            arguments: &[
                &object.to_le_bytes(),
                &self.input.to_le_bytes(),
                &self.output.to_le_bytes(),
            ],
        };
        let events = self.simulator.watch(&self.loaded, "k", &launch, watch)?;
        let mut bytes = vec![0; 512];
        self.simulator.read(self.output, &mut bytes).unwrap();
        let word = |k: usize| u32::from_le_bytes(bytes[4 * k..4 * k + 4].try_into().unwrap());
        let results = (0..words.len()).map(|i| [0, 1, 2, 3].map(|k| word(4 * i + k))).collect();
        Ok((results, events))
    }

    fn run(&self, object: u64, words: &[[u32; 4]]) -> Vec<[u32; 4]> {
        self.watch(object, words, &Watch::default()).unwrap().0
    }

    /// The first component of what is sampled at float coordinates.
    fn floats(&self, object: u64, at: &[[f32; 3]]) -> Vec<f32> {
        let words: Vec<[u32; 4]> =
            at.iter().map(|&[x, y, z]| [x, y, z, 0.0].map(f32::to_bits)).collect();
        self.run(object, &words).iter().map(|result| f32::from_bits(result[0])).collect()
    }

    fn fault(&self, object: u64, words: [u32; 4]) -> simt::Fault {
        match self.watch(object, &[words], &Watch::default()) {
            Err(LaunchError::Fault(fault)) => *fault,
            other => panic!("expected a fault, got {other:?}"),
        }
    }
}

fn bytes_of(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

const TEX1: &str = "tex.1d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0}];";
const TEX2: &str = "tex.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}];";

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
    assert!(text.starts_with("outside of a surface: 4 bytes at x = 8"), "{text}");
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
    let machine = Machine {
        multiprocessors: 1,
        resident_blocks: 1,
        l1_bytes: 1 << 16,
        l2_bytes: 1 << 20,
        coalescing: Coalescing::Sectors,
        shared_banks: 32,
    };
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
