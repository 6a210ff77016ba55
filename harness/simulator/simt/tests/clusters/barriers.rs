//! `mbarrier`s that are used before their initialisation is visible to who uses them (PTX ISA, "fence.mbarrier_init",
//! "barrier.cluster").

use std::sync::Arc;

use simt::{Fault, FaultKind, Launch, LaunchError, Module, Simulator, Watch};

use super::fixture::{SYNC, kernel};

const RELAXED: &str = "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n";
const ARRIVE: &str = "barrier.cluster.arrive;\n";
const WAIT: &str =
    "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p9, [%r20], 0;\n@!%p9 bra WAIT;\n";
const COPY: &str =
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd5], 128, [%r9];";

/// What is found in two clusters of two blocks, or in four blocks without clusters, where a thread initialises a barrier and
/// fences it, and after `between` the block uses it. Then all meet.
fn told(cluster: Option<u32>, between: &str, uses: &str, seed: u64) -> Vec<Fault> {
    let meet = if between == ARRIVE { "barrier.cluster.wait;\n" } else { "" };
    let body = format!(
        "mov.u32 %r20, bar;\nsetp.eq.u32 %p0, %r0, 0;\nsetp.eq.u32 %p1, %r0, 32;\nld.param.u64 %rd5, [out];\n\
         xor.b32 %r7, %r2, 1;\nrem.u32 %r7, %r7, %r3;\nmapa.shared::cluster.u32 %r9, bar, %r7;\n\
         mapa.shared::cluster.u32 %r10, data, %r7;\n@%p0 mbarrier.init.shared.b64 [%r20], 1;\n\
         @%p0 fence.mbarrier_init.release.cluster;\n{between}{uses}{meet}{SYNC}"
    );
    let text = kernel("", &body.replace(".aligned", ""));
    let module = Module::parse("test.ptx", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(Arc::new(module)).expect("enough memory");
    let out = simulator.alloc("out", 1024).expect("enough memory");
    simulator.fill(out, 1024, 0).expect("its size");
    let cluster = cluster.map(|size| [size, 1, 1]);
    let launch = Launch::new([4, 1, 1], [64, 1, 1]).cluster(cluster).seed(seed).argument(out);
    let watch = Watch { hazards: true, ..Watch::default() };
    match simulator.launch(&loaded, "test", &launch, &watch) {
        Ok(events) => events.hazards,
        Err(LaunchError::Fault(fault)) => vec![*fault],
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn finds(cluster: Option<u32>, between: &str, uses: &str) {
    let named = |it: &Fault| matches!(it.kind, FaultKind::Race(_) | FaultKind::TooEarly);
    for seed in 0..6 {
        let told = told(cluster, between, uses, seed);
        assert!(told.iter().all(named) && !told.is_empty(), "{between}{uses}seed {seed}: {told:?}");
    }
}

fn passes(cluster: Option<u32>, between: &str, uses: &str) {
    for seed in 0..6 {
        assert_eq!(told(cluster, between, uses, seed), [], "{between}{uses}seed {seed}");
    }
}

/// A barrier of the block shows it to nobody else, and an arrival at that of the cluster waits for nobody.
#[test]
fn other_blocks_wait_for_the_cluster_before_they_use_a_barrier() {
    let arrive = "@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];\n";
    let announce = "mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%r9], 128;\n";
    let copy = format!("@%p1 {announce}@%p1 {COPY}\n{WAIT}");
    let both = format!("{arrive}{WAIT}");
    // The block of rank 1 alone arrives at the barrier of rank 0, which has long begun where it runs first.
    let one = format!(
        "setp.eq.u32 %p2, %r2, 1;\nand.pred %p3, %p1, %p2;\n@%p3{}@%p2 bra END;\n{WAIT}END:\n",
        arrive.replace("@%p1", "")
    );
    for uses in [copy, both, one] {
        for between in ["", "bar.sync 0;\n", ARRIVE] {
            finds(Some(2), between, &uses);
        }
        for between in [RELAXED, SYNC] {
            passes(Some(2), between, &uses);
        }
    }
}

/// Who waits may come before the barrier is initialised, though it sees the end of a phase when it comes later.
#[test]
fn other_warps_meet_the_one_that_begins_a_barrier_before_they_use_it() {
    let own = format!("@%p0 mbarrier.arrive.shared::cta.b64 _, [%r20];\n{WAIT}");
    let other = format!("@%p1 mbarrier.arrive.shared::cta.b64 _, [%r20];\n{WAIT}");
    for cluster in [None, Some(2)] {
        for uses in [&own, &other] {
            for between in ["", ARRIVE] {
                finds(cluster, between, uses);
            }
            for between in ["bar.sync 0;\n", RELAXED, SYNC] {
                passes(cluster, between, uses);
            }
        }
    }
}
