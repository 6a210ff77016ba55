//! Bounds of launches whose machine instructions are given and whose traffic is simulated: each is worked out by hand
//! from the figures of the H200 (1980 MHz, 132 multiprocessors).

use std::sync::Arc;

use simt::Launch;
use simt::Module;
use simt::Simulator;
use simt::Watch;
use simt::machine::{Basis, Chain, Fp32, MachineCounts, MachineKind, Wait};
use simt::model::{Estimate, Gpu, Residency, Work, estimate};

/// A kernel of one pointer to `memory` whose body is `body`; `%rd2` is the address of the thread's own word.
fn kernel(body: &str) -> String {
    format!(
        ".version 7.8\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .f32 %f<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 4 .b8 tile[8192];\n\
         ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n\
         mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd2, %rd1, %rd3;\n{body}\n ret;\n}}\n"
    )
}

/// Machine instructions of `warps` warps: so many of each kind, and waits, for every warp.
fn counts(warps: f64, kinds: &[(MachineKind, f64)], waits: &[(Wait, f64)]) -> MachineCounts {
    let mut counts = MachineCounts {
        tensor: 0.0,
        group_tensor: 0.0,
        wide_products: 0.0,
        register_reads: 0.0,
        total: 0.0,
        kinds: [0.0; MachineKind::COUNT],
        fp32: Fp32::default(),
        chain: Chain::default(),
        warps,
        basis: Basis::Expansion,
    };
    for &(kind, count) in kinds {
        counts[kind] += count * warps;
        counts.total += count * warps;
        if kind == MachineKind::Tensor {
            counts.tensor += count * warps;
        }
        counts.chain.issues += count;
    }
    for &(wait, times) in waits {
        counts.chain.waits[wait as usize] += times;
    }
    counts
}

struct Case {
    body: &'static str,
    grid: u32,
    block: u32,
    kinds: Vec<(MachineKind, f64)>,
    waits: Vec<(Wait, f64)>,
    warm_l2: bool,
    cluster: Option<u32>,
}

impl Case {
    fn new(body: &'static str, grid: u32, block: u32) -> Case {
        Case { body, grid, block, kinds: vec![], waits: vec![], warm_l2: false, cluster: None }
    }

    fn kinds(self, kinds: &[(MachineKind, f64)]) -> Case {
        Case { kinds: kinds.to_vec(), ..self }
    }

    fn waits(self, waits: &[(Wait, f64)]) -> Case {
        Case { waits: waits.to_vec(), ..self }
    }

    fn run(&self) -> (Estimate, Residency) {
        let gpu = Gpu::named("h200").unwrap();
        let simulator = Simulator::new(1 << 24);
        let module = Module::parse("k.ptx", &kernel(self.body)).unwrap();
        let loaded = simulator.load(Arc::new(module)).unwrap();
        let words = u64::from(self.grid * self.block);
        let memory = simulator.alloc("memory", 4 * words).unwrap();
        simulator.write(memory, &vec![0; 4 * words as usize]).unwrap();
        let launch = Launch::new([self.grid, 1, 1], [self.block, 1, 1])
            .cluster(self.cluster.map(|size| [size, 1, 1]))
            .argument(memory);
        let kernel = loaded.module().kernel("k").unwrap();
        let blocks = u64::from(self.grid);
        let residency = gpu.residency(self.block, Some(32), kernel.shared_bytes(), blocks).unwrap();
        let watch = Watch { traffic: Some(gpu.machine(&residency)), ..Watch::default() };
        let events = simulator.launch(&loaded, "k", &launch, &watch).unwrap();
        let counts =
            counts(f64::from(self.grid * self.block.div_ceil(32)), &self.kinds, &self.waits);
        let work = Work {
            kernel,
            events: &events,
            counts: &counts,
            residency: &residency,
            warm_l2: self.warm_l2,
            ran: 1.0,
        };
        (estimate(&gpu, &work), residency)
    }

    /// Clocks of one bound.
    fn clocks(&self, name: &str) -> f64 {
        let (estimate, _) = self.run();
        let bound = estimate.bounds.iter().find(|bound| bound.name == name).unwrap();
        bound.seconds * 1980e6
    }
}

/// Whether two figures agree to a millionth.
fn close(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-6
}

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    assert!(close(found, expected), "{found}, expected {expected}");
}

const FULL: u32 = 132 * 8;

/// Clocks of what a multiprocessor's warps share and wait for, which hide each other in part.
fn together(clocks: &[f64]) -> f64 {
    clocks.iter().map(|clocks| clocks.powi(4)).sum::<f64>().powf(0.25)
}

/// Each warp loads four sectors of the other block, and adds to 32 of its words.
#[test]
fn accesses_to_other_blocks_of_a_cluster_come_by_sectors_and_atomics_by_lanes() {
    let body = "mov.u32 %r5, %cluster_ctarank;\nxor.b32 %r5, %r5, 1;\nmov.u32 %r6, tile;\n\
                mapa.shared::cluster.u32 %r6, %r6, %r5;\nmad.lo.u32 %r6, %r1, 4, %r6;\n\
                barrier.cluster.arrive;\nbarrier.cluster.wait;\nld.shared::cluster.u32 %r7, [%r6];\n\
                red.shared::cluster.add.u32 [%r6], 1;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;";
    let case = Case { cluster: Some(2), ..Case::new(body, FULL, 256) };
    let warps = 8.0 * 8.0;
    assert_close(case.clocks("accesses of clusters"), warps * 4.0 / 0.51);
    assert_close(case.clocks("atomics of clusters"), warps * 32.0 / 0.33);
}

#[test]
fn pipes_and_issue_slots_are_shared_by_the_warps_of_a_multiprocessor() {
    let case = Case::new("", FULL, 256).kinds(&[
        (MachineKind::Fp32, 600.0),
        (MachineKind::Mufu, 100.0),
        (MachineKind::Integer, 200.0),
        (MachineKind::Compare, 100.0),
    ]);
    // 64 warps: 4 FP32 instructions a clock, a MUFU in two, 2 integer operations or comparisons a clock.
    assert_close(case.clocks("FP32"), 64.0 * 600.0 / 4.0);
    assert_close(case.clocks("special functions"), 64.0 * 100.0 * 2.0);
    assert_close(case.clocks("integer"), 64.0 * 300.0 / 2.0);
    // 4 slots a clock, of which 0.95 are filled.
    assert_close(case.clocks("issue"), 64.0 * 1000.0 / 4.0 / 0.95);
    assert_eq!(case.run().0.binding().unwrap().name, "issue");
}

#[test]
fn matrix_products_have_a_pipe_of_their_own() {
    let case = Case::new("", FULL, 256).kinds(&[(MachineKind::Tensor, 100.0)]);
    // 64 warps, each product 16 · 8 · 16 multiply-adds, at 0.9 of the clock.
    assert_close(case.clocks("tensor"), 64.0 * 100.0 * 2048.0 / 1356.0 / 0.9);
    assert_eq!(case.run().0.binding().unwrap().name, "tensor");
}

#[test]
fn a_multiprocessor_that_multiplies_matrices_has_a_lower_clock_and_memory_has_not() {
    let copy = "ld.global.f32 %f1, [%rd2];\nst.global.f32 [%rd2], %f1;";
    let copies = Case::new(copy, FULL, 256).kinds(&[(MachineKind::Fp32, 10.0)]);
    let clocks = |name| copies.clocks(name);
    let multiplies =
        Case::new(copy, FULL, 256).kinds(&[(MachineKind::Fp32, 10.0), (MachineKind::Tensor, 1.0)]);
    assert_close(multiplies.clocks("FP32"), clocks("FP32") / 0.9);
    assert_close(multiplies.clocks("DRAM"), clocks("DRAM"));
    assert_close(multiplies.clocks("L2"), clocks("L2"));
}

#[test]
fn the_busiest_multiprocessor_decides() {
    let fp32 = [(MachineKind::Fp32, 400.0)];
    // One block more than there are multiprocessors: one has two.
    assert_close(Case::new("", 132, 256).kinds(&fp32).clocks("FP32"), 8.0 * 100.0);
    assert_close(Case::new("", 133, 256).kinds(&fp32).clocks("FP32"), 16.0 * 100.0);
}

#[test]
fn one_warp_alone_takes_its_issues_and_waits() {
    let case = Case::new("", 1, 32)
        .kinds(&[(MachineKind::Fp32, 1000.0), (MachineKind::Branch, 10.0)])
        .waits(&[(Wait::Alu, 750.0), (Wait::Mufu, 2.0), (Wait::Shared, 1.0), (Wait::Branch, 3.0)]);
    // Issues, waits of 4, 23, 29 and 25 clocks, and 5 for every branch.
    let expected = 1010.0 + 750.0 * 4.0 + 2.0 * 23.0 + 29.0 + 3.0 * 25.0 + 10.0 * 5.0;
    assert_close(case.clocks("latency"), expected);
    let (estimate, _) = case.run();
    assert_eq!(estimate.binding().unwrap().name, "latency");
    // Next to that the issue of 1010 instructions and 1000 on the FP32 pipe are as good as nothing.
    let all = together(&[expected, 1010.0 / 4.0 / 0.95, 1000.0 / 4.0]);
    assert_close(estimate.seconds, estimate.launch_seconds + all / 1980e6);
}

#[test]
fn equal_bounds_of_a_multiprocessor_add_up_in_part_and_those_of_memory_do_not() {
    // 64 warps with 1000 special functions each, and as many clocks of integer products.
    let one = Case::new("", FULL, 256).kinds(&[(MachineKind::Mufu, 1000.0)]);
    let both = Case::new("", FULL, 256)
        .kinds(&[(MachineKind::Mufu, 1000.0), (MachineKind::IntegerMul, 4000.0)]);
    let clocks = |case: &Case| {
        let (estimate, _) = case.run();
        (estimate.seconds - estimate.launch_seconds) * 1980e6
    };
    assert_close(clocks(&one), together(&[128e3, 16e3 / 0.95, 1000.0]));
    assert_close(clocks(&both), together(&[128e3, 128e3, 80e3 / 0.95, 5000.0]));
    let copy = "ld.global.f32 %f1, [%rd2];\nst.global.f32 [%rd2], %f1;";
    let copy = Case::new(copy, 132 * 2, 1024);
    let dram = copy.clocks("DRAM");
    assert!(copy.clocks("L1") > 0.0 && copy.clocks("stores to L2") > 0.0);
    assert_close(clocks(&copy), together(&[dram, copy.clocks("L2")]));
}

#[test]
fn a_barrier_takes_longer_the_more_warps_come_to_it() {
    let of =
        |warps: u32| Case::new("", 1, 32 * warps).waits(&[(Wait::Barrier, 10.0)]).clocks("latency");
    assert_close(of(1), 130.0);
    assert_close(of(8), 270.0);
    assert_close(of(32), 750.0);
}

#[test]
fn latency_counts_once_for_every_round_of_resident_blocks() {
    let waits = [(Wait::Mufu, 100.0)];
    // Two blocks of 32 warps fill a multiprocessor's 64 warps: 264 blocks are one round, 265 two, which
    // begins 780 clocks after the first: all of 32 warps must have ended.
    assert_close(Case::new("", 264, 1024).waits(&waits).clocks("latency"), 2300.0);
    assert_close(Case::new("", 265, 1024).waits(&waits).clocks("latency"), 5380.0);
}

#[test]
fn a_last_round_of_few_blocks_does_not_hide_its_latency() {
    // 64 · 1000 issues / 4 / 0.95 = 16842 clocks for two resident blocks; three take half as much again. The third
    // block alone has 8421 to issue, but its warps wait 11000 + 1000, and half of the 780 clocks between the rounds is
    // counted with each.
    let case = Case::new("", 132 * 3, 1024)
        .kinds(&[(MachineKind::Fp32, 1000.0)])
        .waits(&[(Wait::Alu, 2750.0)]);
    let (estimate, residency) = case.run();
    assert_eq!((residency.blocks, residency.rounds()), (2, 2));
    let (issue, fp32) = (64.0 * 1000.0 / 4.0 / 0.95, 64.0 * 1000.0 / 4.0);
    let full = together(&[issue, fp32, 12_390.0]);
    let last = together(&[issue / 2.0, fp32 / 2.0, 12_390.0]);
    assert_close(estimate.seconds, estimate.launch_seconds + (full + last) / 1980e6);
}

#[test]
fn memory_has_to_bring_what_no_cache_holds() {
    let copy = "ld.global.f32 %f1, [%rd2];\nadd.f32 %f1, %f1, %f1;\nst.global.f32 [%rd2], %f1;";
    let mut case = Case::new(copy, FULL, 256);
    // 1056 · 256 words are 33792 sectors in, from memory, and as many out, which it has to take.
    let sectors = 1056.0 * 256.0 * 4.0 / 32.0;
    let dram = 2.0 * sectors * 32.0 / (4800e9 * 0.9);
    assert_close(case.clocks("DRAM"), dram * 1980e6);
    assert_close(case.clocks("L2"), 2.0 * sectors * 32.0 / (37.0 * 132.0));
    assert_close(case.clocks("L1"), 2.0 * sectors * 32.0 / 128.0 / 132.0);
    case.warm_l2 = true;
    assert_eq!(case.clocks("DRAM"), 0.0);
    assert_close(case.clocks("L2"), 2.0 * sectors * 32.0 / (37.0 * 132.0));
}

#[test]
fn a_load_that_misses_is_waited_for_longer() {
    let load = "ld.global.f32 %f1, [%rd2];\nst.global.f32 [%rd2], %f1;";
    let hidden = Case::new(load, 1, 32).waits(&[(Wait::Global, 1.0)]);
    assert_close(hidden.clocks("latency"), 34.0);
    let mut case = hidden.waits(&[(Wait::Global, 1.0), (Wait::Miss, 1.0)]);
    assert_close(case.clocks("latency"), 650.0);
    case.warm_l2 = true;
    assert_close(case.clocks("latency"), 265.0);
    // The second time the word is in L1: one of two loads misses, and the block waits for it once.
    let twice =
        "ld.global.f32 %f1, [%rd2];\nld.global.f32 %f2, [%rd2];\nst.global.f32 [%rd2], %f2;";
    let case = Case { body: twice, ..case };
    assert_close(case.clocks("latency"), 265.0);
}

#[test]
fn stores_cost_their_bytes_twice_or_their_lines() {
    // 1056 · 8 warps, each a line of 128 bytes: as long as 256 loaded ones.
    let warps = 1056.0 * 8.0;
    let row = Case::new("st.global.u32 [%rd2], %r1;", FULL, 256);
    assert_close(row.clocks("stores to L2"), warps * 256.0 / (37.0 * 132.0));
    // Every lane a line of its own.
    let column = "and.b32 %r5, %r1, 31;\nmul.wide.u32 %rd4, %r5, 128;\nadd.s64 %rd5, %rd1, %rd4;\n\
                  st.global.u32 [%rd5], %r1;";
    let column = Case::new(column, FULL, 256);
    assert_close(column.clocks("stores to L2"), warps * 32.0 * 128.0 / (37.0 * 132.0));
}

#[test]
fn a_match_takes_two_clocks_for_each_value() {
    let values = "and.b32 %r5, %r1, 3;\nmatch.any.sync.b32 %r6, %r5, 0xffffffff;";
    assert_close(Case::new(values, FULL, 256).clocks("match"), 64.0 * 4.0 * 32.0 / 15.4);
}

#[test]
fn local_memory_of_which_the_ptx_knows_nothing_goes_to_l2() {
    let case = Case::new("", FULL, 256).kinds(&[(MachineKind::Local, 10.0)]);
    let sectors = 1056.0 * 8.0 * 10.0 * 4.0;
    assert_close(case.clocks("L2"), sectors * 32.0 / (37.0 * 132.0));
}

#[test]
fn messages_come_on_top_of_what_each_warp_waits() {
    let ticket = "atom.global.inc.u32 %r5, [%rd1], 7;\nst.global.u32 [%rd2], %r5;";
    let case = Case::new(ticket, 1, 32).waits(&[(Wait::Mufu, 10.0)]);
    assert_close(case.clocks("messages"), 394.0);
    assert_close(case.clocks("latency"), 230.0 + 394.0);
}

#[test]
fn warps_that_load_the_same_word_wait_for_it_together() {
    // All lanes of all eight warps load one word: one miss, which all wait for.
    let broadcast = "ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;";
    let mut case = Case::new(broadcast, 1, 256).waits(&[(Wait::Global, 1.0), (Wait::Miss, 1.0)]);
    case.warm_l2 = true;
    assert_close(case.clocks("latency"), 265.0);
}

#[test]
fn bank_conflicts_cost_passes() {
    // Lane l's word is 64 · l bytes on: 16 words, so two banks and 16 passes a warp.
    let conflict = "mov.u32 %r5, tile;\nand.b32 %r6, %r1, 31;\nshl.b32 %r7, %r6, 6;\nadd.s32 %r8, %r5, %r7;\n\
                    st.shared.u32 [%r8], %r1;";
    let case = Case::new(conflict, FULL, 256);
    assert_close(case.clocks("shared memory"), 64.0 * 16.0);
    let aligned = "mov.u32 %r5, tile;\nshl.b32 %r7, %r1, 2;\nadd.s32 %r8, %r5, %r7;\nst.shared.u32 [%r8], %r1;";
    assert_close(Case { body: aligned, ..case }.clocks("shared memory"), 64.0);
}

#[test]
fn merged_loads_take_the_passes_of_one() {
    // Four words that all lanes read: four passes as four loads, two as two of 64 bits, and two as one of 128 bits, which
    // has one for each half of the lanes.
    let four = "mov.u32 %r5, tile;\nst.shared.u32 [%r5], %r1;\nst.shared.u32 [%r5+4], %r1;\n\
                st.shared.u32 [%r5+8], %r1;\nst.shared.u32 [%r5+12], %r1;\nld.shared.f32 %f1, [%r5];\n\
                ld.shared.f32 %f2, [%r5+4];\nld.shared.f32 %f3, [%r5+8];\nld.shared.f32 %f4, [%r5+12];";
    let case = Case::new(four, 132, 32);
    assert_close(case.clocks("shared memory"), 8.0);
    let case = case.kinds(&[(MachineKind::LoadShared64, 2.0)]);
    assert_close(case.clocks("shared memory"), 6.0);
    let case = case.kinds(&[(MachineKind::LoadShared128, 1.0)]);
    assert_close(case.clocks("shared memory"), 6.0);
}

#[test]
fn loads_of_a_blocks_warps_queue_up() {
    // 8 warps with 10 loads each at one a clock, besides each warp's own 10 issues. They are in step.
    let case = Case::new("bar.sync 0;", 1, 256).kinds(&[(MachineKind::LoadShared, 10.0)]);
    assert_close(case.clocks("load/store"), 80.0);
    assert_close(case.clocks("latency"), 90.0);
    // Without barriers they are not, and the average warp waits for half of the others.
    assert_close(Case { body: "", ..case }.clocks("latency"), 50.0);
    let case = Case::new("bar.sync 0;", 1, 256).kinds(&[(MachineKind::LoadShared, 10.0)]);
    // Blocks do not run in step with each other: eight resident ones wait no longer.
    let case = Case { grid: FULL, ..case };
    assert_close(case.clocks("load/store"), 640.0);
    assert_close(case.clocks("latency"), 90.0);
}

const QUEUE: &str = "atomics on one address";

#[test]
fn atomic_operations_on_one_address_come_one_after_another() {
    let add = |address| match address {
        "own" => "atom.global.add.u32 %r5, [%rd2], %r1;",
        _ => "atom.global.add.u32 %r5, [%rd1], %r1;",
    };
    // A warp's 32 lanes in 4 sectors, which are in one place of the L2 cache: at 1.5 clocks each.
    assert_close(Case::new(add("own"), 1, 32).clocks(QUEUE), 6.0);
    // The assembler adds up lanes that are all at one address: an operation for each warp.
    assert_close(Case::new(add("one"), 1, 32).clocks(QUEUE), 1.5);
    assert_close(Case::new(add("one"), 1, 256).clocks(QUEUE), 12.0);
}
