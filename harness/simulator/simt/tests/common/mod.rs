//! What the tests of the executor share.

use std::sync::Arc;

use simt::{Events, Launch, LaunchError, Loaded, Module, Simulator, Watch};

/// A kernel `k` with one pointer `out`, already in `%rd1` as a global address, and usual registers declared.
pub fn kernel(body: &str) -> String {
    format!(
        ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>;\n\
         .shared .align 16 .b8 s[4096];\n\
         ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n\
         {body}\n}}"
    )
}

/// A simulator with a kernel's module and room for `out`.
pub struct Bench {
    pub simulator: Simulator,
    pub loaded: Loaded,
    pub out: u64,
}

impl Bench {
    /// With 4 KiB.
    pub fn new(simulator: Simulator, text: &str) -> Bench {
        Bench::with(simulator, text, 4096)
    }

    /// With so many bytes.
    pub fn with(simulator: Simulator, text: &str, bytes: u64) -> Bench {
        let module = Arc::new(Module::parse("test.ptx", text).expect("valid PTX"));
        let loaded = simulator.load(module).expect("enough memory");
        let out = simulator.alloc("out", bytes).expect("enough memory");
        Bench { simulator, loaded, out }
    }

    pub fn launch(&self, blocks: u32, threads: u32) -> Result<Events, LaunchError> {
        self.watch(blocks, threads, &Watch::default())
    }

    pub fn watch(&self, blocks: u32, threads: u32, watch: &Watch) -> Result<Events, LaunchError> {
        let launch = Launch::new([blocks, 1, 1], [threads, 1, 1]).argument(self.out);
        self.simulator.launch(&self.loaded, "k", &launch, watch)
    }

    pub fn start(&self, launch: Launch) -> Result<Events, LaunchError> {
        let launch = launch.argument(self.out);
        self.simulator.launch(&self.loaded, "k", &launch, &Watch::default())
    }

    pub fn words(&self, count: usize) -> Vec<u32> {
        words(&self.simulator, self.out, count)
    }
}

/// Words of a simulator's memory.
pub fn words(simulator: &Simulator, address: u64, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * count];
    simulator.read(address, &mut bytes).expect("within an array");
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Runs a body on one block and gives the first words of `out`.
#[allow(dead_code)]
pub fn run(body: &str, threads: u32, words: usize) -> Vec<u32> {
    let bench = Bench::new(Simulator::new(1 << 20), &kernel(body));
    bench.launch(1, threads).expect("no fault");
    bench.words(words)
}
