//! How long blocks take that wait for each other: for a barrier of the grid, a lock in the order of tickets, the nodes of
//! a tree.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use simt::{Launch, Module, Simulator, Watch};

/// Bodies and cells of a tree whose every cell has a body and the next cell.
const BODIES: usize = 10_000;

/// The kernels of the simulator's own tests.
fn load(simulator: &Simulator) -> simt::Loaded {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../simulator/simt/tests/kernels/waiting.ptx");
    let text = fs::read_to_string(path).expect("a test's PTX");
    let module = Arc::new(Module::parse("waiting.ptx", &text).expect("supported PTX"));
    simulator.load(module).expect("enough memory")
}

/// Two arrays of zeros, some rounds.
fn rounds(c: &mut Criterion, kernel: &str, [blocks, threads, rounds]: [u32; 3]) {
    let simulator = Simulator::new(1 << 24);
    let loaded = load(&simulator);
    let bytes = 8 * u64::from(blocks * threads);
    let arrays = ["first", "second"].map(|name| simulator.alloc(name, bytes).expect("memory"));
    let launch = Launch::new([blocks, 1, 1], [threads, 1, 1])
        .argument(arrays[0])
        .argument(arrays[1])
        .argument(rounds)
        .argument(1u32);
    let mut group = c.benchmark_group("waiting");
    group.sample_size(10);
    group.bench_function(format!("{kernel}, {blocks} blocks of {threads}"), |b| {
        b.iter(|| {
            for address in arrays {
                simulator.fill(address, bytes, 0).expect("the array's size");
            }
            black_box(
                simulator.launch(&loaded, kernel, &launch, &Watch::default()).expect("no fault"),
            )
        });
    });
}

fn blocks(c: &mut Criterion) {
    rounds(c, "barriers", [264, 256, 3]);
    rounds(c, "ticket", [16, 64, 1]);
    rounds(c, "relay", [16, 64, 1]);
}

/// Each cell waits for the one before it: nobody ever finds two that are ready.
fn tree(c: &mut Criterion) {
    let simulator = Simulator::new(1 << 24);
    let loaded = load(&simulator);
    let cells = BODIES as i32;
    let children = (0..cells).flat_map(|k| {
        let next = if k + 1 < cells { k + 1 } else { -1 };
        [cells + k, next, -1, -1, -1, -1, -1, -1]
    });
    let upload = |name: &str, values: Vec<i32>| {
        let bytes: Vec<u8> = values.into_iter().flat_map(i32::to_le_bytes).collect();
        let address = simulator.alloc(name, bytes.len() as u64).expect("enough memory");
        simulator.write(address, &bytes).expect("the array's size");
        address
    };
    let children = upload("children", children.collect());
    let counts = upload("counts", (0..cells).map(|k| cells - k).collect());
    let start = upload("start", vec![0; BODIES]);
    let sorted = upload("sorted", vec![0; BODIES]);
    let launch = Launch::new([792, 1, 1], [64, 1, 1])
        .argument(children)
        .argument(counts)
        .argument(start)
        .argument(sorted)
        .argument(cells);
    let mut group = c.benchmark_group("waiting");
    group.sample_size(10);
    group.bench_function("sort, a chain of 10 000 cells", |b| {
        b.iter(|| {
            simulator.fill(start, 4 * BODIES as u64, u8::MAX).expect("the array's size");
            simulator.write(start, &[0; 4]).expect("the array's size");
            black_box(
                simulator.launch(&loaded, "sort", &launch, &Watch::default()).expect("no fault"),
            )
        });
    });
}

criterion_group!(benches, blocks, tree);
criterion_main!(benches);
