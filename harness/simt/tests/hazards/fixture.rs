//! Launches of the kernels in `tests/kernels/`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use simt::{Events, Fault, Launch, LaunchError, Loaded, Module, Scheduling, Simulator, Watch};

/// Words of `in` and of `out`.
pub const WORDS: u64 = 4096;

/// The text of a file in `tests/kernels/`.
pub fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file's kernels on a simulator, with `out` and `in`.
pub struct Fixture {
    pub simulator: Simulator,
    pub loaded: Loaded,
    pub out: u64,
    pub input: u64,
}

impl Fixture {
    /// Kernels of `tests/kernels/<stem>.ptx`.
    pub fn new(stem: &str) -> Fixture {
        let file = format!("{stem}.ptx");
        let module = Arc::new(Module::parse(&file, &text(&file)).expect("valid PTX"));
        let simulator = Simulator::new(1 << 20);
        let loaded = simulator.load(module).expect("enough memory");
        let out = simulator.alloc("out", 4 * WORDS).expect("enough memory");
        let input = simulator.alloc("in", 4 * WORDS).expect("enough memory");
        Fixture { simulator, loaded, out, input }
    }

    /// The same with all of both arrays written by the host.
    pub fn filled(stem: &str) -> Fixture {
        let fixture = Fixture::new(stem);
        let values: Vec<u8> = (0..WORDS as u32)
            .flat_map(|i| (i.wrapping_mul(2_654_435_761) >> 9).to_le_bytes())
            .collect();
        fixture.simulator.write(fixture.input, &values).expect("the array's size");
        fixture.simulator.fill(fixture.out, 4 * WORDS, 0).expect("the array's size");
        fixture
    }

    pub fn watch(
        &self,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        n: u32,
    ) -> Result<Events, LaunchError> {
        let arguments: [&[u8]; 3] =
            [&self.out.to_le_bytes(), &self.input.to_le_bytes(), &n.to_le_bytes()];
        let launch = Launch { grid, block, shared_bytes: 1024, arguments: &arguments };
        let watch = Watch { hazards: true, ..Watch::default() };
        self.simulator.watch(&self.loaded, kernel, &launch, &watch)
    }

    /// What is told of a launch that ends.
    pub fn hazards(&self, kernel: &str, grid: [u32; 3], block: [u32; 3], n: u32) -> Vec<Fault> {
        match self.watch(kernel, grid, block, n) {
            Ok(events) => events.hazards,
            Err(error) => panic!("{kernel}: {error}"),
        }
    }

    pub fn schedule(&self, scheduling: Scheduling) {
        self.simulator.set_scheduling(scheduling);
    }
}

/// The lines of a kernel that are marked with `//!`.
pub fn marked(source: &str, kernel: &str) -> Vec<u32> {
    let begin = format!("void {kernel}(");
    (1..)
        .zip(source.lines())
        .skip_while(|(_, line)| !line.contains(&begin))
        .take_while(|(_, line)| *line != "}")
        .filter(|(_, line)| line.contains("//!"))
        .map(|(number, _)| number)
        .collect()
}
