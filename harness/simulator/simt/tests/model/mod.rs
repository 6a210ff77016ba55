//! The bounds of small kernels whose counts are known by hand.

mod bounds;
mod gpus;
mod residency;

use simt::Launch;
use simt::Module;
use simt::Simulator;
use simt::Watch;
use simt::machine::MachineCounts;
use simt::model::{Estimate, Gpu, Work, estimate};
use std::sync::Arc;

/// A kernel that repeats `instruction` 1000 times over `%f1`.
fn repeated(instruction: &str) -> String {
    let body = format!("        {instruction}\n").repeat(1000);
    format!(
        ".version 7.8\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .f32 %f<9>;\n.reg .b64 %rd<3>;\n ld.param.u64 %rd1, [p];\n ld.global.f32 %f1, [%rd1];\n\
         {body} st.global.f32 [%rd1], %f1;\n ret;\n}}\n"
    )
}

/// The estimate for an H200, from the PTX alone: registers and machine code are not known.
fn run(text: &str, grid: u32, block: u32) -> Estimate {
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(Arc::new(Module::parse("k.ptx", text).unwrap())).unwrap();
    let out = simulator.alloc("out", 4).unwrap();
    let launch = Launch::new([grid, 1, 1], [block, 1, 1]).argument(out);
    let gpu = Gpu::named("h200").unwrap();
    let residency = gpu.residency(block, None, 0, grid.into()).unwrap();
    let watch = Watch { traffic: Some(gpu.machine(&residency)), ..Watch::default() };
    let events = simulator.launch(&loaded, "k", &launch, &watch).unwrap();
    let kernel = loaded.module().kernel("k").unwrap();
    let counts = MachineCounts::expanded(kernel, &events);
    let (residency, counts) = (&residency, &counts);
    estimate(&gpu, &Work { kernel, events: &events, counts, residency, warm_l2: true, ran: 1.0 })
}

fn clocks(seconds: f64) -> f64 {
    seconds * 1980e6
}

#[test]
fn one_warp_of_dependent_multiply_adds_is_bound_by_their_latency() {
    let estimate = run(&repeated("fma.rn.f32 %f1, %f1, %f1, %f1;"), 1, 32);
    let bound = estimate.binding().unwrap();
    assert_eq!(bound.name, "latency");
    // 1000 × 4 clocks, a load of 265 that only L2 has.
    assert!((4265.0..4300.0).contains(&clocks(bound.seconds)), "{}", clocks(bound.seconds));
    assert!(estimate.seconds > bound.seconds, "the launch itself takes time too");
}

#[test]
fn a_full_multiprocessor_is_bound_by_the_fp32_pipe() {
    // 64 warps × 1000 instructions at 4 warps a clock.
    let estimate = run(&repeated("fma.rn.f32 %f1, %f1, %f1, %f1;"), 132 * 8, 256);
    let fp32 = estimate.bounds.iter().find(|bound| bound.name == "FP32").unwrap();
    assert!((clocks(fp32.seconds) - 16_000.0).abs() < 1.0);
    assert!(matches!(estimate.binding().unwrap().name, "FP32" | "issue"));
}

#[test]
fn approximate_functions_are_bound_by_the_special_function_unit() {
    // 64 warps × 1000 instructions × 32 lanes at 16 lanes a clock.
    let estimate = run(&repeated("rsqrt.approx.ftz.f32 %f1, %f1;"), 132 * 8, 256);
    let bound = estimate.binding().unwrap();
    assert_eq!(bound.name, "special functions");
    assert!((clocks(bound.seconds) - 128_000.0).abs() < 1.0);
}

#[test]
fn twice_the_rounds_of_blocks_take_twice_the_latency() {
    let chain = repeated("rsqrt.approx.ftz.f32 %f1, %f1;");
    let latency = |grid| {
        let estimate = run(&chain, grid, 1024);
        estimate.bounds.iter().find(|bound| bound.name == "latency").unwrap().seconds
    };
    // Two blocks of 32 warps fill a multiprocessor's 64.
    // All but the wait of a warp's one store behind those of its block's others, and 780 clocks between the rounds
    // of such large blocks.
    let ratio = (latency(132 * 4) - 780.0 / 1980e6) / latency(132 * 2);
    assert!((ratio - 2.0).abs() < 1.1e-2, "{ratio}");
}
