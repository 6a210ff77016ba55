//! What the caches find.

use simt::{Machine, Simulator, Watch};

use super::machine::{MACHINE, WORDS, bench, run_on};

/// Every thread of a warp loads the same `words` words, 32 bytes apart, `rounds` times over.
fn sweep(words: u32, rounds: u32) -> String {
    format!(
        "mov.u32 %r8, {rounds};\nROUND:\nmov.u32 %r6, 0;\nNEXT:\nmul.wide.u32 %rd2, %r6, 32;\n\
         add.s64 %rd2, %rd1, %rd2;\nld.global.f32 %f1, [%rd2];\nadd.s32 %r6, %r6, 1;\n\
         setp.lt.u32 %p1, %r6, {words};\n@%p1 bra NEXT;\nsub.s32 %r8, %r8, 1;\n\
         setp.gt.s32 %p2, %r8, 0;\n@%p2 bra ROUND;"
    )
}

#[test]
fn what_was_loaded_before_is_found_in_l1() {
    let total = run_on(MACHINE, &sweep(64, 3), 1, 32).total();
    assert_eq!((total.global_sectors, total.l1_hits), (192, 128));
    assert_eq!((total.l2_hits, total.dram_sectors), (0, 64));
}

#[test]
fn warps_of_a_block_go_side_by_side_and_share_what_they_load() {
    // 8 warps sweep over 4096 × 32 = 128 KiB, four times the L1 cache, each line for all before the next.
    let total = run_on(MACHINE, &sweep(4096, 1), 1, 256).total();
    assert_eq!(total.dram_sectors, 4096);
    assert_eq!(total.l1_hits, 7 * 4096);
}

#[test]
fn another_multiprocessor_finds_it_in_l2_only() {
    let total = run_on(MACHINE, &sweep(64, 1), 2, 32).total();
    assert_eq!((total.l1_hits, total.l2_hits, total.dram_sectors), (0, 64, 64));
    // Two blocks on the same one share its L1.
    let machine = Machine { multiprocessors: 1, resident_blocks: 2, ..MACHINE };
    let total = run_on(machine, &sweep(64, 1), 2, 32).total();
    assert_eq!((total.l1_hits, total.l2_hits, total.dram_sectors), (64, 0, 64));
}

#[test]
fn what_is_still_on_its_way_from_memory_is_awaited() {
    let awaited = |flight_sectors, blocks, rounds| {
        let machine = Machine { l1_bytes: 0, flight_sectors, ..MACHINE };
        run_on(machine, &sweep(64, rounds), blocks, 32).total().l2_awaited
    };
    // The second multiprocessor asks for each sector right behind the first one.
    assert_eq!(awaited(1, 2, 1), 64);
    // A warp asks for a sector again 64 sectors later.
    assert_eq!((awaited(64, 1, 2), awaited(65, 1, 2)), (0, 64));
    assert_eq!(awaited(65, 1, 3), 64, "it was on its way only once");
}

#[test]
fn without_l1_all_goes_to_l2() {
    let machine = Machine { l1_bytes: 0, ..MACHINE };
    let total = run_on(machine, &sweep(64, 2), 1, 32).total();
    assert_eq!((total.l1_hits, total.l2_hits, total.dram_sectors), (0, 64, 64));
}

#[test]
fn loads_of_the_global_level_never_hit_in_l1() {
    let body = sweep(64, 3).replace("ld.global.f32", "ld.global.cg.f32");
    let total = run_on(MACHINE, &body, 1, 32).total();
    assert_eq!((total.l1_hits, total.l2_hits, total.dram_sectors), (0, 128, 64));
    let copies = |level: &str| {
        let copy = format!("cp.async.{level}.shared.global [s], [%rd1], 16;\n");
        let wait = "cp.async.wait_all;";
        let body = format!(".shared .align 16 .b8 s[16];\n{copy}{copy}{wait}");
        run_on(MACHINE, &body, 1, 32).total().l1_hits
    };
    assert_eq!((copies("ca"), copies("cg")), (1, 0));
}

#[test]
fn what_others_may_have_changed_is_fetched_anew() {
    let hits = |load: &str| {
        let body = sweep(64, 3).replace("ld.global.f32", load);
        run_on(MACHINE, &body, 1, 32).total().l1_hits
    };
    for load in ["ca", "cs", "lu", "nc", "weak", "L1::evict_last"] {
        assert_eq!(hits(&format!("ld.global.{load}.f32")), 128, "{load}");
    }
    for load in
        ["ld.global.cv", "ld.volatile.global", "ld.relaxed.gpu.global", "ld.acquire.sys.global"]
    {
        assert_eq!(hits(&format!("{load}.f32")), 0, "{load}");
    }
    // Atomics happen in L2, whatever L1 has.
    let body = "ld.global.u32 %r6, [%rd1];\natom.global.add.u32 %r7, [%rd1], 1;\nred.global.add.u32 [%rd1], 1;";
    let total = run_on(MACHINE, body, 1, 32).total();
    assert_eq!((total.global_sectors, total.l1_hits), (3, 0));
}

#[test]
fn stores_write_through_to_l2() {
    let body = "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\nld.global.f32 %f1, [%rd2];\n\
                st.global.f32 [%rd2], %f1;\nst.global.f32 [%rd2], %f2;";
    let total = run_on(MACHINE, body, 1, 32).total();
    assert_eq!((total.global_sectors, total.l1_hits), (12, 0));
    // Memory has to take what is stored, once, though the sector is in L2.
    assert_eq!((total.l2_hits, total.dram_sectors), (4, 8));
    // Of each store one line.
    assert_eq!(total.stored_lines, 2);
}

#[test]
fn memory_reads_what_stores_leave_of_sectors() {
    // A word of every second, in as many stores as `words`; with a load before where L2 has the sectors.
    let fills = |loads: bool, words: u64| {
        let mut body = "mul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd2, %rd1, %rd2;\n".to_owned();
        if loads {
            body += "ld.global.f32 %f1, [%rd2];\n";
        }
        for word in 0..words {
            body += &format!("st.global.f32 [%rd2+{}], %f1;\n", 4 * word);
        }
        let total = run_on(MACHINE, &body, 1, 32).total();
        (total.dram_fills, total.dram_sectors)
    };
    assert_eq!(fills(false, 1), (8, 8), "half of each of eight sectors");
    assert_eq!(fills(false, 2), (0, 8), "the second store brings the other half");
    assert_eq!(fills(true, 1), (0, 16), "L2 has the rest");
    // Neighbouring lanes leave nothing.
    let row = "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\nst.global.f32 [%rd2], %f1;";
    let total = run_on(MACHINE, row, 1, 32).total();
    assert_eq!((total.dram_fills, total.dram_sectors), (0, 4));
}

#[test]
fn counts_do_not_depend_on_the_number_of_cpu_threads() {
    let run = |threads| {
        let simulator = Simulator::new(1 << 24).with_threads(threads);
        let watch = Watch { traffic: Some(MACHINE), ..Watch::default() };
        bench(simulator, &sweep(100, 3)).watch(9, 64, &watch).unwrap()
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn some_multiprocessors_stand_for_all() {
    let bench = bench(Simulator::new(1 << 24), &sweep(10, 1));
    let machine = Machine { multiprocessors: 4, ..MACHINE };
    let watch = Watch { traffic: Some(machine), ..Watch::default() };
    let all = bench.watch(8, 32, &watch).unwrap();
    let sample = bench.watch(8, 32, &Watch { multiprocessors: Some(1), ..watch }).unwrap();
    assert_eq!((all.blocks_run, sample.blocks_run), (8, 2));
    let scaled = sample.scaled(4.0);
    assert_eq!(scaled.warp_instructions, all.warp_instructions);
    assert_eq!(scaled.total().global_sectors, all.total().global_sectors);
}

/// A sample of a launch whose values decide nothing counts what it counts when all of its instructions are executed;
/// how many of them are.
fn sampled_alike(body: &str) {
    let bench = bench(Simulator::new(1 << 24), body);
    let words: Vec<u8> = (0..WORDS as u32).flat_map(|k| (k % 37).to_le_bytes()).collect();
    let machine = Machine { multiprocessors: 4, resident_blocks: 2, ..MACHINE };
    let sample = Watch { traffic: Some(machine), multiprocessors: Some(1), ..Watch::default() };
    let run = |watch: &Watch| {
        bench.simulator.write(bench.out, &words).unwrap();
        bench.watch(8, 64, watch).unwrap()
    };
    let found = run(&sample);
    // Who asks which code runs sees all of it run.
    let mut whole = run(&Watch { coverage: true, ..sample });
    whole.ran = None;
    assert_eq!(found, whole, "{body}");
}

#[test]
fn values_that_decide_nothing_change_no_count() {
    let own = "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n";
    let load = "ld.global.f32 %f1, [%rd2];\n";
    let arithmetic = "mul.f32 %f2, %f1, %f1;\nfma.rn.f32 %f3, %f2, %f1, %f2;\n";
    let store = "st.global.f32 [%rd2], %f3;\n";
    sampled_alike(&format!("{own}{load}{arithmetic}{store}"));
    // A shuffle of values, and a value that decides where its thread goes, what it reads, or that it waits.
    sampled_alike(&format!(
        "{own}{load}{arithmetic}shfl.sync.bfly.b32 %f3, %f3, 1, 31, -1;\n{store}"
    ));
    sampled_alike(&format!(
        "{own}{load}{arithmetic}setp.gt.f32 %p1, %f3, 0f00000000;\n@%p1 bra OVER;\n{store}OVER:\n{store}"
    ));
    sampled_alike(&format!(
        "{own}ld.global.u32 %r6, [%rd2];\nadd.s32 %r6, %r6, 3;\nmul.wide.u32 %rd3, %r6, 8;\nadd.s64 %rd3, %rd1, %rd3;\n\
         ld.global.f32 %f3, [%rd3];\n{store}"
    ));
    sampled_alike(&format!(
        "{own}{load}mov.b32 %r7, %f1;\nadd.s32 %r7, %r7, 1;\nred.global.add.u32 [%rd1], %r7;\n"
    ));
    // Of a sum of 64 bits in two halves the address needs both.
    sampled_alike(
        "mov.b64 {%r10, %r11}, %rd1;\nshl.b32 %r12, %r1, 2;\nadd.cc.u32 %r10, %r10, %r12;\naddc.u32 %r11, %r11, 0;\n\
         mov.b64 %rd2, {%r10, %r11};\nld.global.f32 %f1, [%rd2];\nst.global.f32 [%rd2], %f1;\n",
    );
}
