//! Launches of the kernels in `tests/kernels/calls.cu` and `prints.cu`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use simt::{Events, Fault, Launch, LaunchError, Loaded, Module, Scheduling, Simulator, Watch};

/// Words of `in` and of `out`.
pub const WORDS: usize = 4096;

pub fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The one line of a kernel's source that is marked with `//!`, counted after `begin`.
pub fn marked(source: &str, begin: &str) -> u32 {
    let lines = (1..).zip(source.lines()).skip_while(|(_, line)| !line.contains(begin));
    let mut marked = lines.filter(|(_, line)| line.ends_with("//!")).map(|(line, _)| line);
    marked.next().expect("a marked line")
}

pub struct Fixture {
    pub simulator: Simulator,
    pub loaded: Loaded,
    pub out: u64,
    pub input: u64,
    /// Draws the order of blocks and warps.
    pub seed: u64,
    pub scheduling: Scheduling,
}

impl Fixture {
    /// With `in[i]` = 7·i and `out` of zeros.
    pub fn new(stem: &str, simulator: Simulator) -> Fixture {
        let file = format!("{stem}.ptx");
        let module = Arc::new(Module::parse(&file, &text(&file)).expect("valid PTX"));
        let loaded = simulator.load(module).expect("enough memory");
        let out = simulator.alloc("out", 4 * WORDS as u64).expect("enough memory");
        let input = simulator.alloc("in", 4 * WORDS as u64).expect("enough memory");
        let values: Vec<u8> = (0..WORDS as u32).flat_map(|i| (7 * i).to_le_bytes()).collect();
        simulator.write(input, &values).expect("the array's size");
        simulator.fill(out, 4 * WORDS as u64, 0).expect("the array's size");
        let (seed, scheduling) = (0, Scheduling::Independent);
        Fixture { simulator, loaded, out, input, seed, scheduling }
    }

    pub fn launch(
        &self,
        kernel: &str,
        blocks: u32,
        threads: u32,
        n: u32,
    ) -> Result<Events, LaunchError> {
        self.watch(kernel, blocks, threads, n, &Watch::default())
    }

    pub fn watch(
        &self,
        kernel: &str,
        blocks: u32,
        threads: u32,
        n: u32,
        watch: &Watch,
    ) -> Result<Events, LaunchError> {
        let launch = Launch::new([blocks, 1, 1], [threads, 1, 1])
            .seed(self.seed)
            .scheduling(self.scheduling)
            .argument(self.out)
            .argument(self.input)
            .argument(n);
        self.simulator.launch(&self.loaded, kernel, &launch, watch)
    }

    /// The first words of `out` after a launch that ends.
    pub fn words(&self, kernel: &str, blocks: u32, threads: u32, n: u32, count: usize) -> Vec<i32> {
        self.launch(kernel, blocks, threads, n).unwrap_or_else(|error| panic!("{kernel}: {error}"));
        self.read(count)
    }

    /// The first words of `out`.
    pub fn read(&self, count: usize) -> Vec<i32> {
        let mut bytes = vec![0; 4 * count];
        self.simulator.read(self.out, &mut bytes).expect("within `out`");
        bytes.chunks_exact(4).map(|c| i32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
    }

    pub fn fault(&self, kernel: &str, blocks: u32, threads: u32, n: u32) -> Fault {
        match self.launch(kernel, blocks, threads, n) {
            Err(LaunchError::Fault(fault)) => *fault,
            other => panic!("{kernel}: expected a fault, got {other:?}"),
        }
    }
}
