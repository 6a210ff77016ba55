//! Runs a PTX text at every CPU level.

use std::sync::Arc;

use simt::{Launch, Level, Module, Simulator, Watch};

/// The lines that open every PTX text here.
pub const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// A whole text with one kernel `test`, whose parameters are `.u64` pointers named p0, p1 … and
/// then `.u32` values named v0, v1 …. The body's registers are declared: `%r`, `%f`, `%rd`, `%fd`,
/// `%rs`, `%p`, 0 … 39 each.
pub fn kernel(pointers: usize, values: usize, body: &str) -> String {
    let pointers = (0..pointers).map(|i| format!(".param .u64 p{i}"));
    let values = (0..values).map(|i| format!(".param .u32 v{i}"));
    let parameters = pointers.chain(values).collect::<Vec<_>>().join(", ");
    format!(
        "{HEADER}.visible .entry test({parameters})\n{{\n\
         .reg .pred %p<40>;\n.reg .b16 %rs<40>;\n.reg .b32 %r<40>;\n.reg .f32 %f<40>;\n\
         .reg .b64 %rd<40>;\n.reg .f64 %fd<40>;\n{body}\nret;\n}}\n"
    )
}

/// The levels that this CPU can run.
fn levels() -> impl Iterator<Item = Level> {
    [Level::Portable, Level::Avx2, Level::Avx512].into_iter().filter(|level| level.is_available())
}

/// What a launch left in its buffers, or the text of its error.
pub type Outcome = Result<Vec<Vec<u8>>, String>;

/// Runs kernel `test` on copies of `buffers` at every level, and asserts that all levels agree.
pub fn try_run(ptx: &str, grid: u32, block: u32, buffers: &[Vec<u8>], values: &[u32]) -> Outcome {
    let module = Module::parse("test.ptx", ptx).unwrap_or_else(|e| panic!("{e}\n{ptx}"));
    let module = Arc::new(module);
    let outcomes = levels().map(|level| {
        let simulator = Simulator::new(1 << 24).with_level(level);
        let loaded = simulator.load(Arc::clone(&module)).unwrap();
        let names = ["first", "second", "third", "fourth"];
        let place = |(name, bytes): (&&str, &Vec<u8>)| {
            let address = simulator.alloc(name, bytes.len() as u64).unwrap();
            simulator.write(address, bytes).unwrap();
            address
        };
        let addresses: Vec<u64> = names.iter().zip(buffers).map(place).collect();
        let pointers = addresses.iter().map(|address| address.to_le_bytes().to_vec());
        let values = values.iter().map(|value| value.to_le_bytes().to_vec());
        let arguments: Vec<Vec<u8>> = pointers.chain(values).collect();
        let launch = Launch::new([grid, 1, 1], [block, 1, 1]).arguments(&arguments);
        simulator.launch(&loaded, "test", &launch, &Watch::default()).map_err(|e| e.to_string())?;
        let fetch = |(&address, bytes): (&u64, &Vec<u8>)| {
            let mut bytes = vec![0; bytes.len()];
            simulator.read(address, &mut bytes).unwrap();
            bytes
        };
        Ok(addresses.iter().zip(buffers).map(fetch).collect())
    });
    let outcomes: Vec<Outcome> = outcomes.collect();
    for outcome in &outcomes[1..] {
        assert!(*outcome == outcomes[0], "the CPU levels differ\n{ptx}");
    }
    outcomes.into_iter().next().expect("one level always is available")
}

/// [`try_run`] of a kernel that must succeed.
pub fn run(ptx: &str, grid: u32, block: u32, buffers: &[Vec<u8>], values: &[u32]) -> Vec<Vec<u8>> {
    try_run(ptx, grid, block, buffers, values).unwrap_or_else(|e| panic!("{e}\n{ptx}"))
}

/// Bytes as 32-bit words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Statements that put the thread's index in the grid into `%r0`, and the address of its word of
/// buffer p0 into `%rd0`.
pub const THREAD: &str = "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n\
    mad.lo.s32 %r0, %r0, %r1, %r2;\nld.param.u64 %rd0, [p0];\ncvta.to.global.u64 %rd0, %rd0;\n\
    mul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd0, %rd0, %rd1;\n";
