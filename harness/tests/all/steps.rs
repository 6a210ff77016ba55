//! Every step of every ladder of kernels, executed on the simulator and held against its reference, at
//! the awkward sizes that its problem names.

use device::{Choice, CodeRoute, Device, SimulatorDevice};
use harness::ladders::LADDERS;
use ladder::judge::Mismatch;
use ladder::problem::Input;
use ladder::screening::noting;
use ladder::verify::{Failure, Whose, verify, verify_blocks};
use ladder::{Ladder, OpenProblem, Step, workspace};
use rayon::prelude::*;
use report::Request;
use simt::model::Gpu;

fn open(ladder: &dyn Ladder) -> Box<dyn OpenProblem> {
    let request = Request { ladder: ladder.name().to_owned(), ..Request::default() };
    ladder.open(&request).expect("a problem")
}

fn gpu() -> Gpu {
    device::described("h200").expect("a GPU that is known")
}

const BINS: &str = "a block has a thread for each bin";
const REST: &str = "at most three elements are left over, and the compiler unrolls by four";
const FIXED: &str = "the number of its rounds is fixed";
const ROOM: &str = "there is room for more cells than any cluster here needs";
const LARGE: &str = "it takes more bodies than the simulator runs; results are held against f64 at the size that is timed";
const ORDER: &str = "what a tile waits for is mostly there: tiles begin in order";

/// What no verification does of a step: its name, or how names begin, what is said of it, and why that is right.
const NEVER_VERIFIED: &[(&str, &str, &str)] = &[
    ("histogram/02-shared", "the loop at line 16", BINS),
    ("histogram/02-shared", "the loop at line 25", BINS),
    ("histogram/03-per-warp", "the loop at line 29", BINS),
    ("access/06x-records-12", "line 20", REST),
    ("access/06x-records-16", "line 20", REST),
    ("access/07-float2", "line 12", REST),
    ("access/08-float4", "line 12", REST),
    ("transpose/05x-copy", "line 13", REST),
    ("fusion/04-float4", "line 21", REST),
    ("occupancy/04-four-each", "line 12", REST),
    ("histogram/02x-one-value", "the loop at line 16", BINS),
    ("histogram/02x-one-value", "the loop at line 25", BINS),
    ("histogram/03x-match-any", "the loop at line 34", BINS),
    ("histogram/04-wide-loads", "the loop at line 45", BINS),
    ("histogram/04x-runs", "the loop at line 57", BINS),
    ("histogram/05-per-bank", "the loop at line 45", BINS),
    ("histogram/06-two-loads", "the loop at line 55", BINS),
    ("filter/03-shared", "line 15", FIXED),
    ("filter/04-register-window", "line 18", FIXED),
    ("filter/05-compiled-in", "line 18", FIXED),
    ("separable/03-shared-tile", "the loop at line 36", FIXED),
    ("separable/04-register-window", "the loop at line 37", FIXED),
    ("arithmetic/06-power", "line 13", FIXED),
    ("scan/04x-chained", "the loop at line 43", ORDER),
    ("scan/05-look-back", "the loop at line 31", ORDER),
    ("scan/05-look-back", "the loop at line 37", ORDER),
    ("append/05-look-back", "the loop at line 30", ORDER),
    ("append/05-look-back", "the loop at line 36", ORDER),
    ("scan/06-rounds", "line 46 of rounds.cuh", ORDER),
    ("scan/06-rounds", "line 45 of rounds.cuh", ORDER),
    ("scan/07-ahead", "line 45 of rounds.cuh", ORDER),
    ("scan/07-ahead", "line 46 of rounds.cuh", ORDER),
    ("barnes-hut/0", "in `build` lines 33, 34 of insert.cuh", ROOM),
    ("barnes-hut/01x-lock-first", "in `build` lines 42, 43", ROOM),
    ("barnes-hut/07", "in `build` lines 37, 38 of recompute.cuh", ROOM),
    ("barnes-hut/0", "in `build` lines 43, 44 of lock-free.cuh", ROOM),
    ("barnes-hut/10", "in `build` lines 43, 44 of lock-free.cuh", ROOM),
    ("barnes-hut/10x-without", "in `build` lines 14", ROOM),
    ("barnes-hut/10x-24-blocks", "in `summarise` the loop at line 8", LARGE),
    ("barnes-hut/10x-24-blocks", "in `advance` the loop at line 7", LARGE),
    ("barnes-hut/0", "in `force` the loop at line", LARGE),
    ("barnes-hut/10", "in `force` the loop at line", LARGE),
    ("barnes-hut/1", "of radix.cuh", LARGE),
    ("barnes-hut/1", "line 43 of keys.cuh", LARGE),
    ("barnes-hut/1", "line 48 of keys.cuh", LARGE),
    ("barnes-hut/1", "line 38 of nodes.cuh", FIXED),
    ("barnes-hut/1", "line 78 of nodes.cuh", LARGE),
    ("barnes-hut/1", "line 111 of moments.cuh", LARGE),
];

/// Verifies all steps of a ladder; which code of which step that never executed.
fn gaps_of(ladder: &dyn Ladder) -> Vec<(String, String)> {
    let kernels = workspace::root().unwrap().join("kernels").join(ladder.name());
    let steps: Vec<_> = ladder.steps();
    let gaps = steps.par_iter().flat_map(|step| {
        let mut open = open(ladder);
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
        let source = step.source(&kernels).unwrap();
        let mut module = device.load(&source).unwrap_or_else(|e| panic!("{}: {e}", step.name));
        device.note_coverage(true);
        let extras = verify(&mut *device, &mut *open, step, &mut module, &mut |_| {})
            .unwrap_or_else(|failure| panic!("{}: {failure}", step.name));
        let drift = extras.iter().find(|extra| extra.name == "energy drift");
        let moves = ["nbody", "barnes-hut"].contains(&ladder.name());
        assert_eq!(drift.is_some(), moves, "{}: {extras:?}", step.name);
        if let Some(drift) = drift {
            assert!(drift.value < 1e-3, "{}: energy drifts by {:e}", step.name, drift.value);
        }
        let coverage = device.coverage(&module).expect("the simulator notes it");
        let name = format!("{}/{}", ladder.name(), step.name);
        let gaps = if step.elsewhere.is_none() { coverage.gaps() } else { Vec::new() };
        gaps.into_iter().map(|gap| (name.clone(), gap.to_string())).collect::<Vec<_>>()
    });
    gaps.collect()
}

/// Each executes all of its code while it is verified, and two rounds of each of its loops; those of several GPUs do so
/// only there.
#[test]
fn every_step_is_verified_from_its_committed_ptx() {
    let kernels: Vec<_> = LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()).collect();
    let gaps: Vec<(String, String)> =
        kernels.par_iter().flat_map(|ladder| gaps_of(**ladder)).collect();
    let known = |step: &str, gap: &str| {
        NEVER_VERIFIED.iter().any(|(of, what, _)| step.starts_with(of) && gap.contains(what))
    };
    let parts = gaps.iter().flat_map(|(step, gap)| gap.split("; ").map(move |part| (step, part)));
    let unknown: Vec<_> = parts.filter(|(step, part)| !known(step, part)).collect();
    assert!(unknown.is_empty(), "there is code that no verification executes: {unknown:#?}");
    // Whether a tile waits depends on what else the CPU's cores do.
    for &(step, what, why) in NEVER_VERIFIED.iter().filter(|(_, _, why)| *why != ORDER) {
        let is_there = gaps.iter().any(|(name, gap)| name.starts_with(step) && gap.contains(what));
        assert!(is_there, "{step}: {what} is verified by now, though {why}");
    }
}

/// Blocks that are verified alone are right alone, wherever a seed finds them.
#[test]
fn some_blocks_of_large_launches_are_verified_where_blocks_need_nothing_of_each_other() {
    let of_ladder = |ladder: &&dyn Ladder| {
        let kernels = workspace::root().expect("a clone").join("kernels").join(ladder.name());
        let mut sampled = 0;
        for seed in [1, 2] {
            let request = Request { ladder: ladder.name().to_owned(), seed, ..Request::default() };
            let mut open = ladder.open(&request).expect("a problem");
            for step in ladder.steps().into_iter().filter(|step| step.elsewhere.is_none()) {
                // Each body of a block meets all others.
                let n = if ladder.name() == "nbody" { 1 << 14 } else { 1 << 20 };
                if open.sampled_blocks(&step, n).is_none() {
                    continue;
                }
                sampled += 1;
                let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu());
                let source = step.source(&kernels).expect("its code");
                let mut module = device.load(&source).expect("it loads");
                let how = (n, Whose::Readers);
                let found =
                    verify_blocks(&mut device, &mut *open, &step, &mut module, how, &mut |_| {});
                let left_out =
                    found.unwrap_or_else(|it| panic!("{}/{}: {it}", ladder.name(), step.name));
                assert_eq!(left_out, None, "{}/{}", ladder.name(), step.name);
            }
        }
        (ladder.name(), sampled / 2)
    };
    let ladders = LADDERS.par_iter().filter(|ladder| !ladder.is_for_cpu());
    let mut sampled: Vec<(&str, usize)> = ladders.map(of_ladder).filter(|it| it.1 > 0).collect();
    sampled.sort_unstable();
    let names: Vec<&str> = sampled.iter().map(|(name, _)| *name).collect();
    let expected = [
        "access",
        "arithmetic",
        "divergence",
        "filter",
        "fusion",
        "nbody",
        "occupancy",
        "registers",
        "resample",
        "templates",
        "transpose",
    ];
    // A reader's own ladder may be among them.
    let missing: Vec<_> = expected.iter().filter(|name| !names.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {sampled:?}");
}

/// Blocks above 1000 store another number, or none.
#[test]
fn an_array_that_later_blocks_write_wrongly_is_found() {
    let ladder = LADDERS.iter().find(|ladder| ladder.name() == "access").expect("the ladder");
    let kernels = workspace::root().expect("a clone").join("kernels/access");
    let step = ladder.step("05-stride-2").expect("the step");
    let verified = |late: &str| {
        let mut source = step.source(&kernels).expect("its code");
        source.cuda = None;
        for ptx in &mut source.ptx {
            let store = ptx.text.find("st.global.f32").expect("a store");
            ptx.text.insert_str(store, late);
        }
        let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu());
        let mut module = device.load(&source).expect("it loads");
        // Cut to what may be made for some blocks.
        let (mut open, how) = (open(*ladder), (1 << 27, Whose::Readers));
        verify(&mut device, &mut *open, &step, &mut module, &mut |_| {}).expect("small launches");
        verify_blocks(&mut device, &mut *open, &step, &mut module, how, &mut |_| {})
            .map_err(|failure| failure.to_string())
    };
    assert_eq!(verified(""), Ok(None));
    let is_late = ".reg .pred %is_late; .reg .u32 %late; mov.u32 %late, %ctaid.x; \
                   setp.gt.u32 %is_late, %late, 1000;\n";
    let wrong = verified(&format!("{is_late}@%is_late add.f32 %f1, %f1, %f1;\n"));
    let wrong = wrong.expect_err("a wrong number");
    assert!(wrong.contains("out by blocks 0, ") && wrong.contains(" at n = 4194304: "), "{wrong}");
    let nothing = verified(&format!("{is_late}@%is_late ret;\n")).expect_err("no number");
    assert!(nothing.contains("elements of out are written by blocks 0, "), "{nothing}");
}

/// What readers have without a GPU: all of a tree's cells, all accelerations, and the launches of a whole chip.
#[test]
#[ignore = "exhaustive, a minute: CI runs it by its name"]
fn every_step_of_barnes_hut_is_verified_with_ten_thousand_bodies() {
    const N: u64 = 10_000;
    let ladder = LADDERS.iter().find(|ladder| ladder.name() == "barnes-hut").expect("the ladder");
    let kernels = workspace::root().expect("a clone").join("kernels/barnes-hut");
    let steps: Vec<Step> =
        ladder.steps().into_iter().filter(|step| step.elsewhere.is_none()).collect();
    assert!(steps.len() > 20, "{}", steps.len());
    steps.par_iter().for_each(|step| {
        let mut open = open(*ladder);
        let mut device =
            device::open(Choice::Simt, CodeRoute::Committed, "h200").expect("it opens");
        let source = step.source(&kernels).expect("its code");
        let mut module = device.load(&source).expect("it loads");
        let input = Input::timed(N, 1);
        let mut pass = open.place(&mut *device, step, &mut module, input).expect("its place");
        pass.upload(&mut *device).expect("inputs");
        pass.run(&mut *device).unwrap_or_else(|error| panic!("{}: {error}", step.name));
        let checked = pass.check(&mut *device);
        let checked =
            checked.unwrap_or_else(|failure| panic!("{}: {}", step.name, Failure::from(failure)));
        assert!(checked.errors.rms < 5e-3, "{}: {:e}", step.name, checked.errors.rms);
    });
}

/// Pairs of bodies are added up in memory by all blocks: in another order of them sums are rounded otherwise.
#[test]
fn a_step_that_breaks_its_promise_of_the_same_bits_is_wrong() {
    let kernels = workspace::root().unwrap().join("kernels/nbody");
    let ladder = LADDERS.iter().find(|ladder| ladder.name() == "nbody").unwrap();
    let pairs = ladder.step("14-pairs").unwrap();
    assert!(!pairs.reproducible);
    let promising = Step { reproducible: true, ..pairs };
    let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
    let mut module = device.load(&promising.source(&kernels).unwrap()).unwrap();
    let mut open = open(*ladder);
    let failure = verify(&mut *device, &mut *open, &promising, &mut module, &mut |_| {})
        .expect_err("sums in any order");
    let Failure::Wrong(wrong) = failure else { panic!("{failure}") };
    assert!(matches!(wrong, Mismatch::Other { n: 1000, .. }), "{wrong}");
    assert!(wrong.to_string().contains("promises the same bits"), "{wrong}");
}

/// What a screening runs computes what the step computes.
#[test]
fn steps_that_note_their_multiprocessors_are_right() {
    for ladder in LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()) {
        let kernels = workspace::root().expect("a clone").join("kernels").join(ladder.name());
        let mut open = open(*ladder);
        for step in ladder.steps().into_iter().filter(|step| step.elsewhere.is_none()) {
            let mut device = device::open(Choice::Simt, CodeRoute::Auto, "h200").expect("it opens");
            let source = noting(step.source(&kernels).expect("its code"));
            let mut module =
                device.load(&source).unwrap_or_else(|why| panic!("{}: {why}", step.name));
            let input = Input::timed(256, 1);
            let mut pass = open.place(&mut *device, &step, &mut module, input).expect("placed");
            pass.upload(&mut *device).and_then(|()| pass.run(&mut *device)).expect("it runs");
            assert!(pass.check(&mut *device).is_ok(), "{}", step.name);
        }
    }
}
