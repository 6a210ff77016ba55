//! What it costs to watch kernels that do little but access memory: a copy, and a product of matrices by tiles.

mod machine;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simt::{Launch, Machine, Module, Simulator, Watch};

use machine::H200;

const WATCHES: [(&str, bool, bool); 4] = [
    ("plain", false, false),
    ("traffic", true, false),
    ("hazards", false, true),
    ("traffic and hazards", true, true),
];

/// A kernel over buffers of so many floats, and its size.
fn measure(
    c: &mut Criterion,
    kernel: &str,
    grid: [u32; 3],
    block: [u32; 3],
    size: u32,
    floats: &[u64],
) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/memory.ptx");
    let text = fs::read_to_string(path).expect("the kernels");
    let module = Arc::new(Module::parse("memory.ptx", &text).expect("supported PTX"));
    let simulator = Simulator::new(1 << 28).with_threads(1);
    let loaded = simulator.load(module).expect("enough memory");
    let buffer = |count: &u64| {
        let address = simulator.alloc("buffer", 4 * count).expect("enough memory");
        let values: Vec<u8> = (0..*count).flat_map(|i| ((i % 7) as f32).to_le_bytes()).collect();
        simulator.write(address, &values).expect("its size");
        address.to_le_bytes().to_vec()
    };
    let mut arguments: Vec<Vec<u8>> = floats.iter().map(buffer).collect();
    arguments.push(size.to_le_bytes().to_vec());
    let launch = Launch::new(grid, block).arguments(&arguments);
    let mut group = c.benchmark_group(format!("{kernel} of {size}"));
    group.sample_size(10);
    for (name, traffic, hazards) in WATCHES {
        let traffic = traffic.then_some(Machine { resident_blocks: 2, ..H200 });
        let watch = Watch { traffic, hazards, ..Watch::default() };
        let run = || simulator.launch(&loaded, kernel, &launch, &watch).expect("no fault");
        let events = run();
        assert_eq!(events.hazards, []);
        group.throughput(Throughput::Elements(events.thread_instructions));
        group.bench_function(name, |b| b.iter(|| black_box(run())));
    }
}

fn watched(c: &mut Criterion) {
    let n = 1 << 20;
    measure(c, "copy", [4096, 1, 1], [256, 1, 1], n, &[1 << 20; 2]);
    let n = 1 << 24;
    measure(c, "copy", [1 << 16, 1, 1], [256, 1, 1], n, &[1 << 24; 2]);
    let n = 256;
    measure(c, "product", [n / 32, n / 32, 1], [32, 32, 1], n, &[u64::from(n * n); 3]);
}

criterion_group!(benches, watched);
criterion_main!(benches);
