//! How many lane-instructions per second the simulator executes on the ladder's kernels.

mod machine;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simt::{Launch, Level, Module, Simulator, Watch};

use machine::H200;

const FIELDS: [&str; 10] =
    ["mass", "posx", "posy", "posz", "velx", "vely", "velz", "accx", "accy", "accz"];

/// A simulator with `n` bodies in ten arrays, and what a kernel with constant parameters needs.
fn set_up(step: &str, n: u32, simulator: &Simulator) -> simt::Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../kernels/nbody")
        .join(format!("{step}.ptx"));
    let text = fs::read_to_string(path).expect("a step's PTX");
    let module = Arc::new(Module::parse(step, &text).expect("supported PTX"));
    let loaded = simulator.load(module).expect("enough memory");
    let set = |symbol: &str, bytes: &[u8]| {
        if let Some((address, _)) = loaded.symbol(symbol) {
            simulator.write(address, bytes).expect("the symbol's size");
        }
    };
    set("n", &n.to_le_bytes());
    set("epssq", &0.0025f32.to_le_bytes());
    for (k, field) in (1..).zip(FIELDS) {
        let address = simulator.alloc(field, 4 * u64::from(n)).expect("enough memory");
        let values: Vec<u8> =
            (0..n).flat_map(|i| ((i * k % 101) as f32 / 101.0).to_le_bytes()).collect();
        simulator.write(address, &values).expect("the array's size");
        set(field, &address.to_le_bytes());
    }
    loaded
}

fn force(c: &mut Criterion) {
    let n = 2048;
    for step in ["05-rsqrt", "06-shared-blocking", "09-fma-order", "10-fast-math"] {
        let mut group = c.benchmark_group(step);
        group.sample_size(10);
        let levels = [
            ("1 core, AVX-512", Level::Avx512),
            ("1 core, AVX2", Level::Avx2),
            ("1 core, portable", Level::Portable),
        ];
        let mut measure = |name: &str, simulator: Simulator, watch: Watch| {
            let loaded = set_up(step, n, &simulator);
            let launch = Launch::new([n / 256, 1, 1], [256, 1, 1]).argument(0u32);
            let run = || simulator.launch(&loaded, "force", &launch, &watch).expect("no fault");
            group.throughput(Throughput::Elements(run().thread_instructions));
            group.bench_function(name, |b| b.iter(|| black_box(run())));
        };
        let one_core = || Simulator::new(1 << 24).with_threads(1);
        for (name, level) in levels {
            measure(name, one_core().with_level(level), Watch::default());
        }
        measure("all cores", Simulator::new(1 << 24), Watch::default());
        let traffic = Watch { traffic: Some(H200), ..Watch::default() };
        measure("1 core, traffic", one_core(), traffic);
        let hazards = Watch { hazards: true, ..Watch::default() };
        measure("1 core, hazards", one_core(), hazards);
    }
}

/// One thread: every instruction has one active lane.
fn one_thread(c: &mut Criterion) {
    let n = 256u32;
    let simulator = Simulator::new(1 << 24).with_threads(1);
    let loaded = set_up("01-one-thread", n, &simulator);
    let bodies = simulator.alloc("bodies", 40 * u64::from(n)).expect("enough memory");
    let launch = Launch::new([1, 1, 1], [1, 1, 1])
        .argument(n)
        .argument(bodies)
        .argument(0.0125f32)
        .argument(0.0025f32)
        .argument(0u32);
    let run = || simulator.launch(&loaded, "force", &launch, &Watch::default()).expect("no fault");
    let mut group = c.benchmark_group("01-one-thread");
    group.sample_size(10);
    group.throughput(Throughput::Elements(run().warp_instructions));
    group.bench_function("1 core", |b| b.iter(|| black_box(run())));
}

criterion_group!(benches, force, one_thread);
criterion_main!(benches);
