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
        assert_eq!((timed.n, timed.work, timed.accuracy.rms), (SIZE, 1000.0, Some(0.0)));
    }
}

/// Each is found, in these words.
#[test]
fn broken_kernels_are_found() {
    for (step, from, to, outcome, words) in [
        (
            &GLOBAL,
            "setp.ge.u32 \t%p1",
            "setp.gt.u32 \t%p1",
            Outcome::Failed,
            "out of bounds: global read",
        ),
        (&GLOBAL, "setp.lt.u32", "setp.le.u32", Outcome::Failed, "out of bounds: global read"),
        (
            &GLOBAL,
            "st.global.u32",
            "// st.global.u32",
            Outcome::Failed,
            "uninitialised: global read",
        ),
        (
            &GLOBAL,
            "ld.global.u8 \t%r10, [%rd6]",
            "ld.global.u8 \t%r10, [%rd6]; and.b32 %r10, %r10, 127",
            Outcome::Wrong,
            "bins at n =",
        ),
        (
            &SHARED,
            "setp.gt.u32 \t%p1, %r21, 255",
            "setp.gt.u32 \t%p1, %r21, 254",
            Outcome::Failed,
            "uninitialised: shared read",
        ),
        (&SHARED, "bar.sync", "// bar.sync", Outcome::Failed, "race: write and atomic"),
        (&PER_WARP, "bar.sync", "// bar.sync", Outcome::Failed, "race: write and atomic"),
        (
            &PER_WARP,
            "setp.gt.u32 \t%p5, %r1, 255",
            "setp.gt.u32 \t%p5, %r1, 254",
            Outcome::Wrong,
            "bin 255 got 0, expected 1",
        ),
    ] {
        let row = row(step, Some((from, to)));
        let reason = row.reason.unwrap_or_default();
        assert_eq!(row.outcome, outcome, "{}, `{to}`: {reason}", step.name);
        assert!(reason.contains(words), "{}, `{to}`: {reason}", step.name);
        assert!(row.timed.is_empty());
    }
}
