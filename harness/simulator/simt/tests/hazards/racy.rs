//! Planted races are found, at their lines.

use super::fixture::{Fixture, marked, text};
use simt::{Fault, FaultKind, Race, RaceScope, Scheduling};

/// A kernel of `racy.cu`: its name, grid, block, `n`, and how close the two sides are.
type Planted = (&'static str, [u32; 3], [u32; 3], u32, RaceScope);

const ALL: [Planted; 24] = [
    ("transpose", [2, 2, 1], [32, 8, 1], 64, RaceScope::Block),
    ("block_reduction", [1, 1, 1], [256, 1, 1], 256, RaceScope::Block),
    ("first_barrier", [1, 1, 1], [256, 1, 1], 256, RaceScope::Block),
    ("shuffled_sums", [1, 1, 1], [256, 1, 1], 256, RaceScope::Block),
    ("warp_reduction", [1, 1, 1], [256, 1, 1], 256, RaceScope::Warp),
    ("volatile_reduction", [1, 1, 1], [64, 1, 1], 64, RaceScope::Warp),
    ("histogram", [1, 1, 1], [128, 1, 1], 1000, RaceScope::Block),
    ("increments", [1, 1, 1], [128, 1, 1], 128, RaceScope::Block),
    ("next_tile", [1, 1, 1], [128, 1, 1], 1024, RaceScope::Block),
    ("this_tile", [1, 1, 1], [128, 1, 1], 1024, RaceScope::Block),
    ("named_barriers", [1, 1, 1], [128, 1, 1], 512, RaceScope::Block),
    ("off_by_one", [1, 1, 1], [64, 1, 1], 64, RaceScope::Block),
    ("bytes", [1, 1, 1], [256, 1, 1], 256, RaceScope::Warp),
    ("spin_lock", [1, 1, 1], [96, 1, 1], 96, RaceScope::Block),
    ("scan", [1, 1, 1], [256, 1, 1], 256, RaceScope::Block),
    ("one_winner", [1, 1, 1], [32, 1, 1], 32, RaceScope::Instruction),
    ("found", [1, 1, 1], [64, 1, 1], 64, RaceScope::Block),
    ("flag", [1, 1, 1], [64, 1, 1], 1, RaceScope::Block),
    ("sum_of_all", [2, 1, 1], [1, 1, 1], 2, RaceScope::Grid),
    ("overlap", [4, 1, 1], [64, 1, 1], 256, RaceScope::Grid),
    ("in_place", [4, 1, 1], [64, 1, 1], 256, RaceScope::Grid),
    ("within_a_block", [2, 1, 1], [64, 1, 1], 128, RaceScope::Block),
    ("half_warps", [1, 1, 1], [32, 1, 1], 32, RaceScope::Warp),
    ("hidden_store", [1, 1, 1], [64, 1, 1], 64, RaceScope::Block),
];

fn race(fault: &Fault) -> &Race {
    match &fault.kind {
        FaultKind::Race(race) => race,
        kind => panic!("no race: {kind:?}"),
    }
}

/// The CUDA lines of the two sides.
fn lines(race: &Race) -> Vec<u32> {
    let line = |party: &simt::RacingAccess| party.cuda.as_ref().expect("line information").at.line;
    let mut lines = vec![line(&race.first), line(&race.second)];
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The same for `wild.cu`.
const WILD: [Planted; 6] = [
    ("one_array_for_two", [1, 1, 1], [128, 1, 1], 0, RaceScope::Block),
    ("chain", [1, 1, 1], [128, 1, 1], 200, RaceScope::Block),
    ("partners", [1, 1, 1], [16, 1, 1], 0, RaceScope::Warp),
    ("looks_first", [1, 1, 1], [128, 1, 1], 100, RaceScope::Block),
    ("tagged", [1, 1, 1], [32, 1, 1], 0, RaceScope::Warp),
    ("bare_lock", [4, 1, 1], [32, 1, 1], 0, RaceScope::Grid),
];

#[test]
fn planted_races_are_found_at_their_lines() {
    expect_found("racy", &ALL);
}

#[test]
fn races_that_were_found_in_published_code_are_found_in_ours() {
    expect_found("wild", &WILD);
}

fn expect_found(file: &str, planted: &[Planted]) {
    let source = text(&format!("{file}.cu"));
    for &(kernel, grid, block, n, reach) in planted {
        for seed in 0..3 {
            let fixture = Fixture { seed, ..Fixture::filled(file) };
            let mut found = fixture.hazards(kernel, grid, block, n);
            // What a flag announces too early may be read before it is written.
            found.retain(|fault| !matches!(fault.kind, FaultKind::Uninitialised(_)));
            let expected = marked(&source, kernel);
            assert!(!found.is_empty(), "{kernel}, seed {seed}: nothing was found");
            for fault in &found {
                let found = lines(race(fault));
                assert!(found.iter().all(|line| expected.contains(line)), "{kernel}: {fault}");
            }
            let whole = found.iter().find(|fault| lines(race(fault)) == expected);
            assert!(whole.is_some(), "{kernel}: not both of {expected:?}: {}", found[0]);
            assert!(found.iter().any(|fault| race(fault).scope == reach), "{kernel}: {}", found[0]);
        }
    }
}

#[test]
fn a_race_is_described_in_full() {
    let found = Fixture::filled("racy").hazards("this_tile", [2, 1, 1], [64, 2, 1], 256);
    let [store, load] = marked(&text("racy.cu"), "this_tile")[..] else { panic!("two lines") };
    // Both blocks write the same elements, too.
    let mut faults = found.iter().map(ToString::to_string);
    let fault = faults.find(|fault| fault.contains("shared memory")).expect("a race in a tile");
    for part in [
        "race: write and read of the same bytes of shared memory, at offset ",
        " of `tile`; they are in different warps, and nothing orders them\n  in kernel `this_tile` at racy.ptx:",
        &format!("(/harness/simulator/simt/tests/kernels/racy.cu:{load})\n  by thread ("),
        ") of block (0,0,0)\n  conflicts with the write at racy.ptx:",
        &format!("(/harness/simulator/simt/tests/kernels/racy.cu:{store})\n  by thread ("),
        &format!(
            "to do: put __syncthreads() between /harness/simulator/simt/tests/kernels/racy.cu:{store} and /harness/simulator/simt/tests/kernels/racy.cu:{load}"
        ),
    ] {
        assert!(fault.contains(part), "{part:?} is not in\n{fault}");
    }
    assert!(!fault.contains("next iteration"), "{fault}");
}

#[test]
fn a_barrier_that_is_missing_at_a_loops_end_is_asked_for_there() {
    let found = Fixture::filled("racy").hazards("next_tile", [1, 1, 1], [128, 1, 1], 1024);
    let [store, load] = marked(&text("racy.cu"), "next_tile")[..] else { panic!("two lines") };
    let remedy = found[0].remedy();
    let wanted = format!(
        "racy.cu:{load} and /harness/simulator/simt/tests/kernels/racy.cu:{store} of the next iteration"
    );
    assert!(remedy.contains(&wanted), "{remedy}");
}

#[test]
fn lanes_of_a_warp_cannot_race_in_lockstep_but_within_an_instruction() {
    for (kernel, grid, block, n, reach) in ALL {
        let scheduling = Scheduling::Lockstep;
        let fixture = Fixture { scheduling, ..Fixture::filled("racy") };
        let found = fixture.hazards(kernel, grid, block, n);
        if reach == RaceScope::Warp {
            assert!(found.iter().all(|fault| race(fault).scope != RaceScope::Warp), "{kernel}");
        } else {
            assert!(!found.is_empty(), "{kernel}");
        }
    }
}

#[test]
fn the_same_is_found_whatever_the_number_of_cpu_threads() {
    for (kernel, grid, block, n, _) in
        ALL.into_iter().filter(|(.., reach)| *reach != RaceScope::Grid)
    {
        let found = |threads| {
            let mut fixture = Fixture::filled("racy");
            fixture.simulator = fixture.simulator.with_threads(threads);
            fixture.hazards(kernel, grid, block, n)
        };
        assert_eq!(found(1), found(3), "{kernel}");
    }
}
