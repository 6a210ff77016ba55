//! What `mbarrier`s order, and what they do not.

use std::sync::Arc;

use program::Proxied;
use simt::{Fault, FaultKind, Launch, Module, Simulator, Unwaited, Watch};

/// A block of 64 threads: `statements` with the thread in `%r0`, a barrier for `count` arrivals at `%r20`, the thread's
/// word of shared memory at `%r23`, its word of `out` at `%rd2`, `in` at `%rd0`.
fn kernel(count: u32, statements: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
         .visible .entry test(.param .u64 in, .param .u64 out)\n{{\n.reg .pred %p<9>;\n.reg .b32 %r<30>;\n\
         .reg .b64 %rd<20>;\n.shared .align 8 .b64 bar;\n.shared .align 512 .b8 data[512];\n\
         mov.u32 %r0, %tid.x;\nmov.u32 %r20, bar;\nmov.u32 %r21, data;\nld.param.u64 %rd0, [in];\n\
         ld.param.u64 %rd1, [out];\nsetp.eq.u32 %p0, %r0, 0;\n\
         @%p0 mbarrier.init.shared.b64 [%r20], {count};\n\
         @%p0 fence.mbarrier_init.release.cluster;\nbar.sync 0;\nmad.lo.u32 %r23, %r0, 4, %r21;\n\
         mad.wide.u32 %rd2, %r0, 4, %rd1;\n{statements}\nst.global.u32 [%rd2], %r9;\nret;\n}}\n"
    )
}

/// The hazards of 64 threads.
fn hazards(text: &str) -> Vec<Fault> {
    ran(text, 0).0
}

/// The same with a seed, and what they leave in `out`.
fn ran(text: &str, seed: u64) -> (Vec<Fault>, Vec<u8>) {
    launched(text, seed).expect("it runs")
}

/// The same, or the fault that ends the launch.
fn launched(text: &str, seed: u64) -> Result<(Vec<Fault>, Vec<u8>), Box<Fault>> {
    let module = Arc::new(Module::parse("test.ptx", text).expect("valid PTX"));
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(module).expect("enough memory");
    let input = simulator.alloc("in", 512).expect("enough memory");
    simulator.fill(input, 512, 3).expect("its size");
    let out = simulator.alloc("out", 512).expect("enough memory");
    let launch = Launch::new([1; 3], [64, 1, 1]).seed(seed).arguments([input, out]);
    let watch = Watch { hazards: true, ..Watch::default() };
    let events = match simulator.launch(&loaded, "test", &launch, &watch) {
        Err(simt::LaunchError::Fault(fault)) => return Err(fault),
        events => events.expect("it runs"),
    };
    let mut bytes = [0; 256];
    simulator.read(out, &mut bytes).expect("its size");
    Ok((events.hazards, bytes.to_vec()))
}

const WAIT: &str = "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r20], 0;\n@!%p1 bra WAIT;\n";

/// Each thread writes its word, arrives, and reads that of a thread of the other warp after `wait`.
fn exchange(wait: &str) -> String {
    let statements = format!(
        "st.shared.u32 [%r23], %r0;\nmbarrier.arrive.shared.b64 %rd9, [%r20];\n{wait}\
         xor.b32 %r10, %r23, 128;\nld.shared.u32 %r9, [%r10];"
    );
    kernel(64, &statements)
}

/// One thread begins a bulk copy of 256 bytes; all read it after `wait`.
fn bulk(wait: &str) -> String {
    let statements = format!(
        "@!%p0 bra NEXT;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 256;\n\
         cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r21], [%rd0], 256, [%r20];\n\
         NEXT:\n{wait}ld.shared.u32 %r9, [%r23];"
    );
    kernel(1, &statements)
}

#[test]
fn who_waits_is_ordered_with_who_arrived() {
    for text in [exchange(WAIT), bulk(WAIT)] {
        assert_eq!(hazards(&text), [], "{text}");
    }
}

#[test]
fn who_does_not_wait_races() {
    for text in [exchange(""), bulk("")] {
        let told = hazards(&text);
        let is_race =
            |kind: &FaultKind| matches!(kind, FaultKind::Race(_) | FaultKind::Uninitialised(_));
        assert!(told.iter().any(|fault| is_race(&fault.kind)), "{told:?}\n{text}");
    }
}

/// The copy engine sees a barrier after a fence of the thread that has initialised it, or of the one that begins the copy.
#[test]
fn a_barrier_is_shown_to_the_copy_engine() {
    let with = |fence: &str| {
        hazards(&bulk(WAIT).replace("@%p0 fence.mbarrier_init.release.cluster;", fence))
    };
    for fence in ["fence.mbarrier_init.release.cluster;", "@%p0 fence.proxy.async.shared::cta;"] {
        assert_eq!(with(fence), [], "{fence}");
    }
    let late = bulk(WAIT).replace("@%p0 fence.mbarrier_init.release.cluster;", "");
    let late =
        late.replace("mbarrier.arrive.expect_tx", "fence.proxy.async;\nmbarrier.arrive.expect_tx");
    assert_eq!(hazards(&late), []);
    for fence in ["", "fence.acq_rel.cluster;", "@!%p0 fence.mbarrier_init.release.cluster;"] {
        let told = with(fence);
        assert!(
            matches!(&told[..], [one] if matches!(one.kind, FaultKind::MissingProxyFence(Proxied::Barriers, _))),
            "{fence}: {told:?}"
        );
    }
    // No copy arrives at this one.
    assert_eq!(
        hazards(&exchange(WAIT).replace("@%p0 fence.mbarrier_init.release.cluster;", "")),
        []
    );
}

#[test]
fn a_barrier_is_initialised_by_one_thread() {
    let exchange = exchange(WAIT);
    let by = |lanes: &str| hazards(&exchange.replace("@%p0 mbarrier.init", lanes));
    let told = by("setp.lt.u32 %p5, %r0, 32;\n@%p5 mbarrier.init");
    let [fault] = &told[..] else { panic!("{told:?}") };
    assert!(fault.is_of_model_only() && fault.to_string().contains("several lanes"), "{fault}");
    let told = by("mbarrier.init");
    let is_race = |fault: &Fault| matches!(fault.kind, FaultKind::Race(_));
    assert!(told.iter().any(|fault| is_race(fault) && !fault.is_of_model_only()), "{told:?}");
}

/// Warp 0 reads, one lane arrives for all, and warp 1 writes there after `wait`.
#[test]
fn a_lane_that_arrives_for_its_warp_waits_for_the_others() {
    let told = |between: &str, wait: &str| {
        let statements = format!(
            "mov.u32 %r9, 0;\nst.shared.u32 [%r23], %r0;\nbar.sync 0;\nsetp.ge.u32 %p2, %r0, 32;\n@%p2 bra WRITE;\n\
             ld.shared.u32 %r9, [%r23];\n{between}@%p0 mbarrier.arrive.shared.b64 %rd9, [%r20];\nbra END;\nWRITE:\n\
             {wait}sub.u32 %r10, %r23, 128;\nst.shared.u32 [%r10], %r0;\nEND:"
        );
        hazards(&kernel(1, &statements))
    };
    assert_eq!(told("bar.warp.sync 0xffffffff;\n", WAIT), []);
    let text = |told: &[Fault], is_of_model_only| {
        let [fault] = told else { panic!("{told:?}") };
        assert_eq!(fault.is_of_model_only(), is_of_model_only, "{fault}");
        fault.to_string()
    };
    let found = text(&told("", WAIT), true);
    assert!(found.contains("has not waited for the others") && found.contains("put __syncwarp()"));
    assert!(text(&told("", ""), false).contains("nothing orders them"));
}

/// What is found of bulk copies for which nobody waits.
fn unwaited(text: &str) -> Vec<Unwaited> {
    let told = hazards(text).into_iter().filter_map(|fault| match fault.kind {
        FaultKind::Unwaited(how, _) => Some(how),
        _ => None,
    });
    told.collect()
}

/// A barrier of the block says that the copy has begun, and a phase of the `mbarrier` that it has ended.
#[test]
fn a_barrier_of_the_block_waits_for_no_copy() {
    assert_eq!(unwaited(&bulk("bar.sync 0;\n")), [Unwaited::Read, Unwaited::Ended]);
    assert_eq!(hazards(&bulk(&format!("{WAIT}bar.sync 0;\n"))), []);
    // One waits for all.
    let one = format!("@!%p0 bra MEET;\n{WAIT}MEET:\nbar.sync 0;\n");
    assert_eq!(hazards(&bulk(&one)), []);
}

/// A copy lands some time after it began: one look at the `mbarrier` does not wait for it.
#[test]
fn who_looks_once_does_not_wait() {
    let once = WAIT.replace("@!%p1 bra WAIT;\n", "");
    let finds = |text: &str, seed| {
        let (faults, out) = ran(text, seed);
        let is_unwaited = faults.iter().any(|it| matches!(it.kind, FaultKind::Unwaited(..)));
        (is_unwaited, out != [3; 256])
    };
    let found: Vec<_> = (1..20).map(|seed| finds(&bulk(&once), seed)).collect();
    assert!(found.iter().any(|(hazard, _)| *hazard) && found.iter().any(|(_, wrong)| *wrong));
    for seed in 1..20 {
        assert_eq!(finds(&bulk(WAIT), seed), (false, false), "seed {seed}");
    }
}

/// Each thread writes its word, and one sends all of them to global memory. Then all go on as `rest` says.
fn sent(rest: &str) -> String {
    let statements = format!(
        "st.shared.u32 [%r23], %r0;\nfence.proxy.async.shared::cta;\nbar.sync 0;\nmov.u32 %r9, 0;\nadd.u64 %rd2, %rd2, 256;\n\
         @%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r21], 256;\n{rest}"
    );
    kernel(1, &statements)
}

#[test]
fn what_is_sent_stays_until_its_thread_has_waited_for_it() {
    let (close, wait) =
        ("@%p0 cp.async.bulk.commit_group;\n", "@%p0 cp.async.bulk.wait_group.read 0;\n");
    let store = "bar.sync 0;\nst.shared.u32 [%r23], %r9;\n";
    assert_eq!(hazards(&sent(&format!("{close}{wait}{store}"))), []);
    assert_eq!(unwaited(&sent(&format!("{close}{store}{wait}"))), [Unwaited::Overwritten]);
    for rest in
        [close.to_owned(), wait.to_owned(), format!("{close}{}", wait.replace(" 0;", " 1;"))]
    {
        assert_eq!(unwaited(&sent(&rest)), [Unwaited::Sent], "{rest}");
    }
    // The others know of the barrier, and not of the wait after it.
    let late = format!("{close}bar.sync 0;\n{wait}st.shared.u32 [%r23], %r9;\n");
    assert_eq!(unwaited(&sent(&late)), [Unwaited::Overwritten]);
    let other = wait.replace("@%p0", "@!%p0");
    assert_eq!(unwaited(&sent(&format!("{close}{other}"))), [Unwaited::Sent]);
    // GPUs of today keep a block's memory until it is sent; what a copy brings after the block's end is lost.
    let is_of_model_only = |text: &str| ran(text, 1).0.iter().all(Fault::is_of_model_only);
    assert!(is_of_model_only(&sent(close)) && !is_of_model_only(&bulk("bar.sync 0;\n")));
}

/// A consumer waits for bytes that never come, and so the producer for the consumer.
#[test]
fn the_wait_that_holds_up_the_others_is_named_first() {
    let statements = "add.u32 %r15, %r21, 496;\n@%p0 mbarrier.init.shared.b64 [%r15], 1;\nbar.sync 0;\nmov.u32 %r9, 0;\n\
         setp.ge.u32 %p2, %r0, 32;\n@%p2 bra FULL;\n@!%p0 bra END;\n\
         mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 384;\n\
         cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r21], [%rd0], 256, [%r20];\n\
         EMPTY:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r15], 0;\n@!%p1 bra EMPTY;\nbra END;\n\
         FULL:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r20], 0;\n@!%p1 bra FULL;\n\
         setp.eq.u32 %p3, %r0, 32;\n@%p3 mbarrier.arrive.shared.b64 %rd9, [%r15];\nEND:";
    let text = kernel(1, statements);
    let told = launched(&text, 0).expect_err("it never ends").to_string();
    let empty = 1 + text.lines().position(|line| line == "EMPTY:").expect("a line") + 1;
    let parts = ["of warp 1", "128 more bytes", "lanes 0x00000001 of warp 0 wait at line"];
    let places = parts.map(|part| told.find(part).unwrap_or_else(|| panic!("{part}: {told}")));
    assert!(places.is_sorted() && told.contains(&format!("line {empty} of the PTX")), "{told}");
}

/// All lanes of a warp send to the same place, as kernels do that let a whole warp begin a copy.
#[test]
fn lanes_may_send_the_same_but_nothing_else() {
    let sends = |from: &str| {
        let statements = format!(
            "st.shared.u32 [%r23], %r0;\nfence.proxy.async.shared::cta;\nbar.sync 0;\nmov.u32 %r9, 0;\n\
             add.u64 %rd2, %rd2, 256;\nshl.b32 %r10, %r0, 4;\nand.b32 %r10, %r10, 240;\nadd.u32 %r10, %r10, %r21;\n\
             setp.lt.u32 %p2, %r0, 4;\n@%p2 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [{from}], 16;\n\
             cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;"
        );
        hazards(&kernel(1, &statements))
    };
    assert_eq!(sends("%r21"), []);
    let told = sends("%r10");
    let [fault] = &told[..] else { panic!("{told:?}") };
    let FaultKind::Race(race) = &fault.kind else { panic!("{fault}") };
    assert_eq!([race.first.kind, race.second.kind], [simt::AccessKind::Write; 2], "{fault}");
}

/// Two copies, of which all read the second one.
#[test]
fn bytes_that_nobody_announced_come_too_late() {
    let copies = |bytes: u32, second: u32| {
        let statements = format!(
            "@!%p0 bra NEXT;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], {bytes};\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r21], [%rd0], 256, [%r20];\n\
             add.u32 %r11, %r21, 256;\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r11], [%rd0], {second}, [%r20];\n\
             NEXT:\n{WAIT}ld.shared.u32 %r9, [%r23+256];"
        );
        launched(&kernel(1, &statements), 0).map(|(hazards, _)| hazards)
    };
    assert_eq!(copies(512, 256).expect("all are announced"), []);
    let told = copies(256, 256).expect_err("half of them are");
    assert!(matches!(told.kind, FaultKind::Unannounced(_)), "{told:?}");
    assert!(copies(256, 0).is_ok(), "no bytes need none");
}

/// The second phase ends, and those who read wait for the first one once more.
#[test]
fn who_waits_for_an_earlier_phase_races() {
    let rounds = |parity: u32| {
        let statements = format!(
            "@!%p0 bra NEXT;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 256;\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r21], [%rd0], 256, [%r20];\n\
             NEXT:\n{WAIT}bar.sync 0;\nadd.u32 %r11, %r21, 256;\n@!%p0 bra AGAIN;\n\
             mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 512;\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r11], [%rd0], 256, [%r20];\n\
             AGAIN:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r20], {parity};\n@!%p1 bra AGAIN;\n\
             @%p0 mbarrier.complete_tx.shared::cta.relaxed.cluster.b64 [%r20], 256;\nld.shared.u32 %r9, [%r23+256];"
        );
        hazards(&kernel(1, &statements))
    };
    let told = rounds(0);
    assert!(told.iter().any(|fault| matches!(fault.kind, FaultKind::Race(_))), "{told:?}");
}
