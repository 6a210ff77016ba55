//! Every step climbs on the simulator, and broken kernels do not.

use std::fs;

use device::{CodeRoute, SimulatorDevice};
use ladder::climb::Prepared;
use ladder::{Climb, workspace};
use report::{Outcome, Replacement, Request, Row, Variant};
use simt::model::Gpu;

use crate::*;

/// The size that is timed.
const SIZE: u64 = 1000;

/// The row of a step, with its committed PTX as it is or with one piece of it replaced.
fn row(step: &Step, broken: Option<(&str, &str)>) -> Row {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let replacement = broken.map(|(from, to)| {
        let kernels = workspace::root().expect("the workspace").join("kernels").join(LADDER.name);
        let committed = kernels.join(format!("{}.ptx", step.name));
        let ptx = fs::read_to_string(committed).expect("its PTX");
        assert!(ptx.contains(from), "{}: no `{from}`", step.name);
        let file = folder.path().join("broken.ptx");
        fs::write(&file, ptx.replacen(from, to, 1)).expect("written");
        Replacement { file, step: step.name.to_owned() }
    });
    row_of(step, Request { size: Some(SIZE), replacement, ..Request::default() })
}

fn row_of(step: &Step, request: Request) -> Row {
    let mut climb = Climb::new(&LADDER, request).expect("a climb");
    let gpu = Gpu::named("h200").expect("a known GPU");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    match climb.prepare(&step.facts(), &Variant::default(), &mut device, &mut |_| {}) {
        Prepared::Row(row) => *row,
        Prepared::Ready(_) => panic!("the simulator's times are modelled"),
    }
}

#[test]
fn every_step_climbs() {
    for step in LADDER.steps {
        let row = row(step, None);
        assert_eq!(row.outcome, Outcome::Simulated, "{}: {:?}", step.name, row.reason);
        let timed = row.main().expect("timed");
        assert_eq!((timed.n, timed.work, timed.accuracy.rms), (SIZE, 8000.0, Some(0.0)));
    }
}

/// Each is found, in these words.
#[test]
fn broken_kernels_are_found() {
    for (step, from, to, outcome, words) in [
        (
            &PAGEABLE,
            "setp.ge.s32 \t%p1",
            "setp.gt.s32 \t%p1",
            Outcome::Failed,
            "out of bounds: global read",
        ),
        (
            &PINNED,
            "st.global.f32",
            "// st.global.f32",
            Outcome::Wrong,
            "which is what results hold that no kernel has written",
        ),
        (
            &TWO_STREAMS,
            "fma.rn.f32 \t%f65, %f64, %f1, %f2",
            "mov.f32 \t%f65, %f64",
            Outcome::Wrong,
            "elements at n = 1: element 0 got",
        ),
        (
            &FOUR_STREAMS,
            "mov.u32 \t%r5, %ctaid.x",
            "mov.u32 \t%r5, 0",
            Outcome::Wrong,
            "element 256 is NaN",
        ),
    ] {
        let row = row(step, Some((from, to)));
        let reason = row.reason.unwrap_or_default();
        assert_eq!(row.outcome, outcome, "{}, `{to}`: {reason}", step.name);
        assert!(reason.contains(words), "{}, `{to}`: {reason}", step.name);
        assert!(row.timed.is_empty());
    }
}

/// By the model: each step gains what it is about.
#[test]
fn each_step_is_faster_than_its_parent() {
    let seconds = |step: &Step| row_of(step, Request::default()).main().expect("timed").seconds;
    let all: Vec<f64> = LADDER.steps.iter().map(seconds).collect();
    assert!(all.windows(2).all(|pair| pair[1] < 0.95 * pair[0]), "{all:?}");
}
