//! Launches of the kernels in `tests/kernels/`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use simt::{Events, Fault, Launch, LaunchError, Loaded, Module, Scheduling, Simulator, Watch};

/// Words of `in` and of `out`.
pub const WORDS: u64 = 4096;

/// The text of a file in `tests/kernels/`.
pub fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file's kernels on a simulator, with `out` and `in`.
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
    /// Kernels of `tests/kernels/<stem>.ptx`.
    pub fn new(stem: &str) -> Fixture {
        let file = format!("{stem}.ptx");
        let module = Arc::new(Module::parse(&file, &text(&file)).expect("valid PTX"));
        let simulator = Simulator::new(1 << 20);
        let loaded = simulator.load(module).expect("enough memory");
        let out = simulator.alloc("out", 4 * WORDS).expect("enough memory");
        let input = simulator.alloc("in", 4 * WORDS).expect("enough memory");
        let (seed, scheduling) = (0, Scheduling::Independent);
        Fixture { simulator, loaded, out, input, seed, scheduling }
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
        let launch = Launch::new(grid, block)
            .seed(self.seed)
            .scheduling(self.scheduling)
            .shared_bytes(1024)
            .argument(self.out)
            .argument(self.input)
            .argument(n);
        let watch = Watch { hazards: true, ..Watch::default() };
        self.simulator.launch(&self.loaded, kernel, &launch, &watch)
    }

    /// The hazards of a launch that ends.
    pub fn hazards(&self, kernel: &str, grid: [u32; 3], block: [u32; 3], n: u32) -> Vec<Fault> {
        match self.watch(kernel, grid, block, n) {
            Ok(events) => events.hazards,
            Err(error) => panic!("{kernel}: {error}"),
        }
    }
}

/// A kernel of a text of its own, and its launch.
pub struct Run<'a> {
    pub text: &'a str,
    pub kernel: &'a str,
    /// Without arguments.
    pub launch: Launch<'static>,
}

impl Run<'_> {
    /// The hazards of a launch that ends. `prepare` gives memory its values, and the launch its arguments.
    pub fn hazards(
        &self,
        simulator: &Simulator,
        prepare: impl FnOnce(&Loaded) -> Vec<Vec<u8>>,
    ) -> Vec<Fault> {
        let module = Arc::new(Module::parse("k.ptx", self.text).expect("valid PTX"));
        let loaded = simulator.load(module).expect("enough memory");
        let launch = self.launch.clone().arguments(prepare(&loaded));
        let watch = Watch { hazards: true, ..Watch::default() };
        simulator.launch(&loaded, self.kernel, &launch, &watch).expect("no fault").hazards
    }
}

/// Writes a symbol, if the kernels have it.
pub fn set(simulator: &Simulator, loaded: &Loaded, name: &str, bytes: &[u8]) {
    if let Some((address, _)) = loaded.symbol(name) {
        simulator.write(address, bytes).expect("the symbol's size");
    }
}

/// An array of zeros.
pub fn zeros(simulator: &Simulator, name: &str, bytes: u64) -> [u8; 8] {
    let address = simulator.alloc(name, bytes).expect("enough memory");
    simulator.fill(address, bytes, 0).expect("the array's size");
    address.to_le_bytes()
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
