//! Every step climbs on the simulator, and broken kernels do not.

use std::fs;

use device::{CodeRoute, SimulatorDevice};
use ladder::climb::Prepared;
use ladder::{Climb, workspace};
use report::{Outcome, Replacement, Request, Row, Variant};
use simt::model::Gpu;

use crate::*;

/// The size that is timed.
const SIZE: u64 = 100;

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
    let request = Request { size: Some(SIZE), replacement, ..Request::default() };
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
        assert_eq!((timed.n, timed.work, timed.accuracy.rms), (SIZE, 80_000.0, Some(0.0)));
    }
}

/// Each is found, in these words.
#[test]
fn broken_kernels_are_found() {
    for (step, from, to, outcome, words) in [
        (&NAIVE, "setp.ge.s32", "setp.gt.s32", Outcome::Failed, "out of bounds: global read"),
        (
            &NAIVE,
            "st.global.f32",
            "// st.global.f32",
            Outcome::Wrong,
            "which is what results hold that no kernel has written",
        ),
        (
            &NAIVE,
            "mad.lo.s32 \t%r12, %r1, %r3",
            "mad.lo.s32 \t%r12, %r1, %r4",
            Outcome::Failed,
            "out of bounds: global write",
        ),
        (&TILED, "bar.sync", "// bar.sync", Outcome::Failed, "race: write and read"),
        (
            &TILED,
            "st.shared.f32",
            "st.global.f32 [%rd5], 0f00000000; st.shared.f32",
            Outcome::Wrong,
            "input at n = 1",
        ),
        (&PADDED, "bar.sync", "// bar.sync", Outcome::Failed, "race: write and read"),
        (
            &SEVERAL_ELEMENTS,
            "[%rd5+96]",
            "[%rd5+64]",
            Outcome::Wrong,
            "row 24, column 0 of 31 × 31",
        ),
        (
            &SEVERAL_ELEMENTS,
            "setp.ge.s32 \t%p13",
            "setp.gt.s32 \t%p13",
            Outcome::Failed,
            "out of bounds: global write",
        ),
        (&SEVERAL_ELEMENTS, "bar.sync", "// bar.sync", Outcome::Failed, "race: write and read"),
    ] {
        let row = row(step, Some((from, to)));
        let reason = row.reason.unwrap_or_default();
        assert_eq!(row.outcome, outcome, "{}, `{to}`: {reason}", step.name);
        assert!(reason.contains(words), "{}, `{to}`: {reason}", step.name);
        assert!(row.timed.is_empty());
    }
}
