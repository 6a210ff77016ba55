//! How many multiply-adds per second the simulator executes in `mma` instructions, on one core.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simt::{Launch, Level, Module, Simulator, Watch};

/// Turns of the loop.
const TURNS: u64 = 1000;

/// A loop with `statements`, for one warp.
fn kernel(statements: &str) -> String {
    format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<20>;\n.reg .f32 %f<8>;\n\
         mov.u32 %r0, 0;\nmov.b32 %r1, 0x3C003C00;\nmov.b32 %r2, 0x3C003C00;\nmov.b32 %r3, 0x3C003C00;\n\
         mov.b32 %r4, 0x3C003C00;\nmov.b32 %r5, 0x3C003C00;\nmov.b32 %r6, 0x3C003C00;\n\
         mov.f32 %f0, 0f00000000;\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\nmov.f32 %f3, %f0;\n\
         LOOP:\n{statements}add.u32 %r0, %r0, 1;\nsetp.lt.u32 %p1, %r0, {TURNS};\n@%p1 bra LOOP;\nret;\n}}\n"
    )
}

fn products(c: &mut Criterion) {
    for (shape, element, operands, multiply_adds) in [
        ("m16n8k16", "f16", "{%r1, %r2, %r3, %r4}, {%r5, %r6}", 16 * 8 * 16),
        ("m16n8k16", "bf16", "{%r1, %r2, %r3, %r4}, {%r5, %r6}", 16 * 8 * 16),
        ("m16n8k8", "tf32", "{%r1, %r2, %r3, %r4}, {%r5, %r6}", 16 * 8 * 8),
    ] {
        let one = format!(
            "mma.sync.aligned.{shape}.row.col.f32.{element}.{element}.f32 {{%f0, %f1, %f2, %f3}}, {operands}, \
             {{%f0, %f1, %f2, %f3}};\n"
        );
        let text = kernel(&one.repeat(4));
        let module = Arc::new(Module::parse("matrix.ptx", &text).expect("supported PTX"));
        let mut group = c.benchmark_group(format!("{shape} {element}, multiply-adds"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(4 * TURNS * multiply_adds));
        for (name, level) in [
            ("1 core, AVX-512", Level::Avx512),
            ("1 core, AVX2", Level::Avx2),
            ("1 core, portable", Level::Portable),
        ] {
            if !level.is_available() {
                continue;
            }
            let simulator = Simulator::new(1 << 20).with_level(level).with_threads(1);
            let loaded = simulator.load(module.clone()).expect("enough memory");
            let launch = Launch::new([1; 3], [32, 1, 1]);
            group.bench_function(name, |b| {
                b.iter(|| {
                    black_box(
                        simulator
                            .launch(&loaded, "k", &launch, &Watch::default())
                            .expect("no fault"),
                    )
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, products);
criterion_main!(benches);
