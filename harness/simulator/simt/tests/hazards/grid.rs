//! Blocks that wait for each other: clean as the n-body ladder has them, racy without any barrier or fence of theirs.

use std::fs;
use std::path::Path;

use super::fixture::{Run, set, zeros};
use simt::{Fault, FaultKind, Launch, Missing, RaceScope, Simulator};

const N: u32 = 150;
const BLOCKS: u32 = 3;

fn text() -> String {
    let path = "../../../../kernels/nbody/13x-one-launch.ptx";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(path).expect("the step's PTX")
}

/// The hazards of two time steps of equal bodies, so that results are right in any order.
fn hazards_of_steps(text: &str, threads: usize) -> Vec<Fault> {
    let simulator = Simulator::new(1 << 24).with_threads(threads);
    let run = Run {
        text,
        kernel: "run",
        launch: Launch::new([BLOCKS, 1, 1], [1024, 1, 1]).cooperative(true),
    };
    run.hazards(&simulator, |loaded| {
        set(&simulator, loaded, "n", &N.to_le_bytes());
        for name in ["epssq", "dtime", "dthf"] {
            set(&simulator, loaded, name, &0.0025f32.to_le_bytes());
        }
        for name in ["body", "velocity", "acceleration", "meeting"] {
            let bytes = if name == "meeting" { 4 } else { 16 * u64::from(N) };
            set(&simulator, loaded, name, &zeros(&simulator, name, bytes));
        }
        vec![0u32.to_le_bytes().into(), 2u32.to_le_bytes().into()]
    })
}

/// Whether blocks race.
fn has_race_of_blocks(hazards: &[Fault]) -> bool {
    let is = |fault: &Fault| matches!(&fault.kind, FaultKind::Race(race) if race.scope == RaceScope::Grid);
    hazards.iter().any(is)
}

#[test]
fn blocks_that_meet_do_not_race() {
    for threads in [1, 2, 3] {
        assert_eq!(hazards_of_steps(&text(), threads), [], "{threads} CPU threads");
    }
}

#[test]
fn without_any_barrier_or_fence_of_their_meeting_they_do() {
    let text = text();
    let places = |what| text.match_indices(what).map(|(at, what): (usize, &str)| (at, what));
    let all: Vec<(usize, &str)> = places("bar.sync").chain(places("membar.gl")).collect();
    assert_eq!(all.len(), 8);
    for (at, what) in all {
        for threads in [1, 3] {
            let mut racy = text.clone();
            // A comment takes its place, up to the end of the line.
            racy.replace_range(at..at + what.len(), &format!("// {what}"));
            let hazards = hazards_of_steps(&racy, threads);
            assert!(
                has_race_of_blocks(&hazards),
                "{what} at {at}, {threads} CPU threads: {hazards:?}"
            );
        }
    }
}

#[test]
fn neither_fences_of_their_own_nor_none_at_all_order_blocks() {
    for fence in ["membar.cta", "//"] {
        let hazards = hazards_of_steps(&text().replace("membar.gl", fence), 1);
        assert!(has_race_of_blocks(&hazards), "{fence}: {hazards:?}");
    }
}

const MESSAGE: &str = "
    .version 7.8
    .target sm_70
    .address_size 64
    .visible .entry k(.param .u64 data, .param .u64 flag) {
        .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [data];
        ld.param.u64 %rd2, [flag];
        mov.u32 %r1, %ctaid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra WAIT;
        mov.u32 %r2, 7;
        st.global.u32 [%rd1], %r2;
        st.release.gpu.global.u32 [%rd2], %r2;
        bra END;
    WAIT:
        ld.acquire.gpu.global.u32 %r3, [%rd2];
        setp.eq.u32 %p2, %r3, 0;
        @%p2 bra WAIT;
        ld.global.u32 %r4, [%rd1];
        st.global.u32 [%rd1+4], %r4;
    END:
        ret;
    }";

/// Each block adds to a sum that a lock guards.
const LOCK: &str = "
    .version 7.8
    .target sm_70
    .address_size 64
    .visible .entry k(.param .u64 data, .param .u64 flag) {
        .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [data];
        ld.param.u64 %rd2, [flag];
    WAIT:
        atom.global.cas.b32 %r1, [%rd2], 0, 1;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra WAIT;
        membar.gl; // taken
        ld.global.u32 %r2, [%rd1];
        add.u32 %r2, %r2, 1;
        st.global.u32 [%rd1], %r2;
        membar.gl; // to be given back
        atom.global.exch.b32 %r3, [%rd2], 0;
        ret;
    }";

/// The hazards of two blocks of one thread.
fn hazards_of_pair(text: &str, threads: usize) -> Vec<Fault> {
    let simulator = Simulator::new(1 << 20).with_threads(threads);
    let run =
        Run { text, kernel: "k", launch: Launch::new([2, 1, 1], [1, 1, 1]).cooperative(true) };
    run.hazards(&simulator, |_| {
        ["data", "flag"].map(|name| zeros(&simulator, name, 8).into()).into()
    })
}

#[test]
fn messages_and_locks_order_blocks_only_with_all_their_fences() {
    for threads in [1, 2] {
        assert_eq!(hazards_of_pair(MESSAGE, threads), []);
        assert_eq!(hazards_of_pair(LOCK, threads), []);
        for (text, what) in [
            (MESSAGE, "st.release.gpu"),
            (MESSAGE, "ld.acquire.gpu"),
            (LOCK, "membar.gl; // taken"),
            (LOCK, "membar.gl; // to be given back"),
        ] {
            let weaker = match what.split_once('.') {
                Some((access @ ("st" | "ld"), _)) => format!("{access}.relaxed.gpu"),
                _ => String::new(),
            };
            let hazards = hazards_of_pair(&text.replace(what, &weaker), threads);
            assert!(has_race_of_blocks(&hazards), "{what}, {threads} CPU threads: {hazards:?}");
        }
    }
}

/// What the races of two blocks lack.
fn missing(text: &str) -> Vec<Missing> {
    let races = hazards_of_pair(text, 1).into_iter().filter_map(|fault| match fault.kind {
        FaultKind::Race(race) if race.scope == RaceScope::Grid => Some(race.missing),
        _ => None,
    });
    let mut missing: Vec<Missing> = races.collect();
    missing.dedup();
    missing
}

#[test]
fn what_is_missing_between_two_blocks_is_named() {
    let message = |from, to| MESSAGE.replace(from, to);
    let fenced = MESSAGE
        .replace("st.release.gpu", "membar.gl; st.volatile")
        .replace("bra WAIT;\n        ld.global", "bra WAIT; membar.gl;\n        ld.global")
        .replace("ld.acquire.gpu", "ld.volatile");
    assert_eq!(missing(&fenced), []);
    for (text, expected) in [
        (message("st.release.gpu", "st.relaxed.gpu"), Missing::Release),
        (message("ld.acquire.gpu", "ld.relaxed.gpu"), Missing::Acquire),
        (fenced.replacen("membar.gl", "membar.cta", 1), Missing::Release),
        (fenced.replace("WAIT; membar.gl", "WAIT; membar.cta"), Missing::Acquire),
        (fenced.replace("WAIT; membar.gl", "WAIT; bar.sync 0"), Missing::Acquire),
        // A flag of the scope of the block is none for another, not even with the fences.
        (message("st.release.gpu", "st.release.cta"), Missing::Order),
        (message("ld.acquire.gpu", "ld.acquire.cta"), Missing::Order),
        (LOCK.replace("membar.gl; // taken", ""), Missing::Acquire),
        (LOCK.replace("membar.gl; // to be given back", ""), Missing::Release),
    ] {
        assert!(missing(&text).contains(&expected), "{expected:?}: {:?} in {text}", missing(&text));
    }
}

#[test]
fn atomics_of_the_scope_of_their_block_are_not_atomic_for_another() {
    let text = LOCK.replace("atom.global.cas", "atom.cta.global.cas");
    assert!(missing(&text).contains(&Missing::Scope), "{:?}", missing(&text));
    let wide = LOCK.replace("atom.global", "atom.relaxed.sys.global");
    assert_eq!(missing(&wide), []);
}

#[test]
fn a_strong_write_replaces_what_was_released_and_an_atomic_adds_to_it() {
    // Between the message and who reads it another block writes the flag: what block 0 released is no longer there.
    let between = |write: &str| {
        let relay = format!(
            "setp.ne.u32 %p3, %r1, 1; @%p3 bra LAST; RELAY: ld.relaxed.gpu.global.u32 %r3, [%rd2]; setp.eq.u32 %p2, %r3, 0;
             @%p2 bra RELAY; {write}; bra END; LAST:
             ld.relaxed.gpu.global.u32 %r3, [%rd2]; setp.lt.u32 %p2, %r3, 8; @%p2 bra LAST;
             ld.acquire.gpu.global.u32 %r3, [%rd2];"
        );
        let (begin, rest) = MESSAGE.split_once("        ld.acquire.gpu").expect("its wait");
        let (_, end) = rest.split_once("@%p2 bra WAIT;").expect("its loop");
        format!("{begin}{relay}{end}")
    };
    let hazards = |write: &str| {
        let simulator = Simulator::new(1 << 20).with_threads(1);
        let text = between(write);
        let launch = Launch::new([3, 1, 1], [1; 3]).cooperative(true);
        let run = Run { text: &text, kernel: "k", launch };
        run.hazards(&simulator, |_| {
            ["data", "flag"].map(|name| zeros(&simulator, name, 8).into()).into()
        })
    };
    assert!(has_race_of_blocks(&hazards("mov.u32 %r5, 9; st.relaxed.gpu.global.u32 [%rd2], %r5")));
    assert_eq!(hazards("atom.global.add.u32 %r5, [%rd2], 1"), []);
}
