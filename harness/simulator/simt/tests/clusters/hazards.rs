//! Blocks of a cluster that do not wait for each other.

use simt::{Fault, FaultKind, RaceScope, Unwaited, Watch};

use super::copies::{STORE, stores};
use super::fixture::{SYNC, Shape, kernel};
use crate::events::machine::MACHINE;

const TWO: Shape = Shape { blocks: 4, threads: 64, cluster: Some(2) };

/// Each thread writes its word, and reads that of the other block after `before`; then comes `after`.
fn exchange(before: &str, after: &str) -> String {
    let body = format!(
        "mov.u32 %r6, data;\nmad.lo.u32 %r6, %r0, 4, %r6;\nst.shared.u32 [%r6], %r1;\n{before}\nxor.b32 %r7, %r2, 1;\n\
         mapa.shared::cluster.u32 %r9, %r6, %r7;\nld.shared::cluster.u32 %r8, [%r9];\n{after}\nst.global.u32 [%rd0], %r8;"
    );
    kernel("", &body)
}

fn scopes(told: &[Fault]) -> Vec<RaceScope> {
    let race = |fault: &Fault| match &fault.kind {
        FaultKind::Race(race) => Some(race.scope),
        _ => None,
    };
    told.iter().filter_map(race).collect()
}

#[test]
fn who_waits_for_the_cluster_is_ordered() {
    assert_eq!(TWO.hazards(&exchange(SYNC, SYNC)), []);
    let in_parts =
        "barrier.cluster.arrive.release;\nmov.u32 %r30, 1;\nbarrier.cluster.wait.acquire;";
    assert_eq!(TWO.hazards(&exchange(in_parts, SYNC)), []);
    assert_eq!(Shape { threads: 32, ..TWO }.hazards(&stores(STORE, 128, SYNC)), []);
}

#[test]
fn who_does_not_wait_races() {
    for before in ["bar.sync 0;", "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;"] {
        let told = TWO.hazards(&exchange(before, SYNC));
        assert!(scopes(&told).contains(&RaceScope::Cluster), "{before}: {told:?}");
    }
    let told = TWO.hazards(&exchange("bar.sync 0;", SYNC));
    let race = told.iter().find(|it| matches!(it.kind, FaultKind::Race(_))).expect("a race");
    let text = race.to_string();
    assert!(
        text.contains("different blocks of a cluster") && text.contains("cluster.sync()"),
        "{text}"
    );
    assert!(text.contains("`data`"), "{text}");
}

/// Only one block reads, and does so before the other exits, as it happens.
#[test]
fn a_block_that_may_exit_too_early_is_found() {
    let body = format!(
        "mov.u32 %r6, data;\nmad.lo.u32 %r6, %r0, 4, %r6;\nst.shared.u32 [%r6], %r1;\n{SYNC}setp.ne.u32 %p1, %r2, 0;\n\
         @%p1 ret;\nmapa.shared::cluster.u32 %r9, %r6, 1;\nld.shared::cluster.u32 %r8, [%r9];\nst.global.u32 [%rd0], %r8;"
    );
    let told = TWO.hazards(&kernel("", &body));
    assert!(
        matches!(told.as_slice(), [one] if matches!(one.kind, FaultKind::EarlyExit(_))),
        "{told:?}"
    );
    assert!(told[0].to_string().contains("nothing keeps that block from exiting"), "{}", told[0]);
}

#[test]
fn what_no_block_has_written_is_uninitialised() {
    let body = format!(
        "{SYNC}xor.b32 %r7, %r2, 1;\nmapa.shared::cluster.u32 %r9, data, %r7;\nld.shared::cluster.u32 %r8, [%r9];\n{SYNC}\
         st.global.u32 [%rd0], %r8;"
    );
    let told = TWO.hazards(&kernel("", &body));
    assert!(told.iter().all(|it| matches!(it.kind, FaultKind::Uninitialised(_))), "{told:?}");
    assert_eq!(told.len(), 1);
}

/// A thread initialises an `mbarrier`, and all threads of its block arrive there after the barrier of the cluster.
#[test]
fn a_barrier_that_is_fenced_needs_no_release_in_its_own_block_either() {
    let after = |fence: &str, arrive: &str| {
        let body = format!(
            "setp.eq.u32 %p0, %r0, 0;\nmov.u32 %r6, bar;\nmov.u32 %r4, %ntid.x;\n\
             @%p0 mbarrier.init.shared.b64 [%r6], %r4;\n{fence}\n{arrive}\nmov.u32 %r7, 1;\nbarrier.cluster.wait.acquire.aligned;\n\
             mbarrier.arrive.shared.b64 %rd9, [%r6];\n\
             WAIT:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r6], 0;\n@!%p1 bra WAIT;"
        );
        kernel("", &body)
    };
    let fence = "fence.mbarrier_init.release.cluster;";
    let [relaxed, releases] =
        ["relaxed", "release"].map(|how| format!("barrier.cluster.arrive.{how}.aligned;"));
    for shape in [TWO, Shape { cluster: None, ..TWO }] {
        assert_eq!(shape.hazards(&after(fence, &relaxed)), [], "{:?}", shape.cluster);
        assert_eq!(shape.hazards(&after("", &releases)), [], "{:?}", shape.cluster);
        let told = shape.hazards(&after("", &relaxed));
        assert!(!scopes(&told).is_empty(), "{:?}: {told:?}", shape.cluster);
    }
}

/// A thread of each block copies two halves to its own shared memory, and all read the second one when the phase has ended. Copies
/// land at once here, so that the phase of the first one's bytes ends without the second.
#[test]
fn what_a_copy_brings_after_the_phase_is_under_way_in_clusters_too() {
    let copies = |bytes: u32| {
        let body = format!(
            "setp.eq.u32 %p0, %r0, 0;\nmov.u32 %r6, bar;\nmov.u32 %r7, data;\nadd.u32 %r8, %r7, 64;\n\
             ld.param.u64 %rd1, [out];\n@%p0 mbarrier.init.shared.b64 [%r6], 1;\n\
             @%p0 fence.mbarrier_init.release.cluster;\n{SYNC}@!%p0 bra NEXT;\n\
             mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r6], {bytes};\n\
             cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r7], [%rd1], 64, [%r6];\n\
             cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%rd1], 64, [%r6];\n\
             NEXT:\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r6], 0;\n@!%p1 bra WAIT;\n\
             ld.shared.u32 %r9, [%r8];\nadd.u32 %r9, %r9, 1;"
        );
        let watch = Watch { hazards: true, traffic: Some(MACHINE), ..Watch::default() };
        let ran = TWO.try_run(&kernel("", &body), &watch);
        ran.expect("it runs").1.hazards
    };
    assert_eq!(copies(128), []);
    let told = copies(64);
    let reads = |fault: &Fault| matches!(fault.kind, FaultKind::Unwaited(Unwaited::Read, _));
    assert!(told.iter().any(reads), "{told:?}");
}
