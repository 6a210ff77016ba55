//! What the host does around the kernels: the f64 reference, the judgement of results, statistics.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use ladder::Grid;
use nbody::verify::{Forces, judge_accelerations, sample};
use nbody::{Constants, Host, Precision, Reference, SEED, State, plummer};
use report::statistics::{median_interval, paired, unpaired};

/// The f64 accelerations of a sample of bodies.
fn reference(c: &mut Criterion) {
    let mut group = c.benchmark_group("reference");
    group.sample_size(10);
    let (n, targets) = (65_536, 1024);
    let bodies = plummer(n, SEED);
    let targets = sample(n, targets, SEED);
    group.throughput(Throughput::Elements((n * targets.len()) as u64));
    group.bench_function("accelerations", |b| {
        b.iter(|| black_box(Reference::new(&bodies).accelerations(&targets)));
    });
    group.finish();
}

/// Results held against the reference.
fn judgement(c: &mut Criterion) {
    let case = Forces::new(plummer(16_384, SEED), Constants::USUAL, SEED);
    let acceleration =
        std::array::from_fn(|axis| case.expected.iter().map(|a| a[axis] as f32).collect());
    let state = State { bodies: case.bodies.clone(), acceleration, stray: None };
    let n = case.bodies.len() as u32;
    let grid = Grid { n, padded: n, own: n, block: 128, multiprocessors: 132 };
    let precision = Precision::new(&Host::PLAIN.arithmetic, &grid);
    c.bench_function("judge 16384 accelerations", |b| {
        b.iter(|| black_box(judge_accelerations(&case, &state, &precision)).expect("right"));
    });
}

/// Intervals from as many samples as a run takes.
fn statistics(c: &mut Criterion) {
    let times =
        |of: usize| -> Vec<f64> { (0..24).map(|i| 1.0 + ((i * of) % 23) as f64 * 1e-3).collect() };
    let (one, other) = (times(7), times(5));
    c.bench_function("interval of a median", |b| {
        b.iter_batched(
            || one.clone(),
            |samples| black_box(median_interval(&samples, 0.95)),
            BatchSize::SmallInput,
        );
    });
    c.bench_function("paired ratio", |b| b.iter(|| black_box(paired(&one, &other, 0.95))));
    c.bench_function("unpaired ratio", |b| b.iter(|| black_box(unpaired(&one, &other, 0.95))));
}

criterion_group!(benches, reference, judgement, statistics);
criterion_main!(benches);
