//! Textures and surfaces with known answers, and what is said of wrong use.

mod mipmaps;
mod samples;
mod surfaces;
mod wrong;

use std::sync::Arc;

use simt::texture::{
    AddressMode, Array, Channel, Filter, Format, Geometry, Sampler, Shape, Texels, Texture,
};
use simt::{Events, FaultKind, Launch, LaunchError, Loaded, Machine, Module, Simulator, Watch};

const BYTES: Format = Format { channel: Channel::Unsigned, bits: 8, components: 1 };
const CLAMPED: Sampler = Sampler {
    address: [AddressMode::Clamp; 3],
    filter: Filter::Point,
    normalised: false,
    as_float: false,
    srgb: false,
    border: [0.0; 4],
    seamless: false,
    mip_filter: Filter::Point,
    bias: 0.0,
    levels: [0.0; 2],
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
        let launch = Launch::new([1; 3], [32, 1, 1])
            .argument(object)
            .argument(self.input)
            .argument(self.output);
        let events = self.simulator.launch(&self.loaded, "k", &launch, watch)?;
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
