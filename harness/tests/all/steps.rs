//! What holds for the steps of every ladder of kernels. That each is right is tested where the ladder is.

use device::{Choice, CodeRoute, Device, SimulatorDevice};
use ladder::problem::Input;
use ladder::screening::noting;
use ladder::testing::verify_silently;
use ladder::verify::{Whose, verify_blocks};
use ladder::{Ladder, OpenProblem, workspace};
use ladders::LADDERS;
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

/// Blocks that are verified alone are right alone, wherever a seed finds them.
#[test]
fn some_blocks_of_large_launches_are_verified_where_blocks_need_nothing_of_each_other() {
    are_right_alone(1, 1);
}

#[test]
#[ignore = "runs in CI: other blocks, and those of all steps"]
fn blocks_of_large_launches_of_all_steps_are_verified() {
    are_right_alone(2, usize::MAX);
}

/// Those of so many steps of each ladder.
fn are_right_alone(seed: u64, steps: usize) {
    let of_ladder = |ladder: &&dyn Ladder| {
        let kernels = workspace::root().expect("a clone").join("kernels").join(ladder.name());
        let mut sampled = 0;
        let request = Request { ladder: ladder.name().to_owned(), seed, ..Request::default() };
        let mut open = ladder.open(&request).expect("a problem");
        for step in ladder.steps().into_iter().filter(|step| step.elsewhere.is_none()) {
            // Each body of a block meets all others.
            let n = if ladder.name() == "nbody" { 1 << 14 } else { 1 << 20 };
            if sampled == steps || open.sampled_blocks(&step, n).is_none() {
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
        (ladder.name(), sampled)
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
    let verified = |late: &dyn Fn(&str) -> String| {
        let mut source = step.source(&kernels).expect("its code");
        source.cuda = None;
        for ptx in &mut source.ptx {
            let store = ptx.text.find("st.global.f32").expect("a store");
            let operands = ptx.text[store..].split_once("], ").expect("an address").1;
            let value = operands.split_once(';').expect("a value").0.to_owned();
            ptx.text.insert_str(store, &late(&value));
        }
        let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu());
        let mut module = device.load(&source).expect("it loads");
        // Cut to what may be made for some blocks.
        let (mut open, how) = (open(*ladder), (1 << 27, Whose::Readers));
        verify_silently(&mut device, &mut *open, &step, &mut module).expect("small launches");
        verify_blocks(&mut device, &mut *open, &step, &mut module, how, &mut |_| {})
            .map_err(|failure| failure.to_string())
    };
    assert_eq!(verified(&|_| String::new()), Ok(None));
    let is_late = ".reg .pred %is_late; .reg .u32 %late; mov.u32 %late, %ctaid.x; \
                   setp.gt.u32 %is_late, %late, 1000;\n";
    let wrong = verified(&|it| format!("{is_late}@%is_late add.f32 {it}, {it}, {it};\n"));
    let wrong = wrong.expect_err("a wrong number");
    assert!(wrong.contains("out by blocks 0, ") && wrong.contains(" at n = 4194304: "), "{wrong}");
    let nothing = verified(&|_| format!("{is_late}@%is_late ret;\n")).expect_err("no number");
    assert!(nothing.contains("elements of out are written by blocks 0, "), "{nothing}");
}

/// What a screening runs computes what the step computes.
#[test]
fn steps_that_note_their_multiprocessors_are_right() {
    are_right_as_screened(1);
}

#[test]
#[ignore = "runs in CI: all steps"]
fn all_steps_that_note_their_multiprocessors_are_right() {
    are_right_as_screened(usize::MAX);
}

/// So many steps of each ladder, the last ones.
fn are_right_as_screened(steps: usize) {
    for ladder in LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()) {
        let kernels = workspace::root().expect("a clone").join("kernels").join(ladder.name());
        let mut open = open(*ladder);
        let here = ladder.steps().into_iter().filter(|step| step.elsewhere.is_none());
        for step in here.rev().take(steps) {
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
