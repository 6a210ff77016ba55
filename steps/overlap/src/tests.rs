//! Every step climbs on the simulator, and broken kernels do not.

use std::fs;

use device::{CodeRoute, SimulatorDevice};
use ladder::climb::Prepared;
use ladder::{Climb, Ladder, workspace};
use report::{Outcome, Replacement, Request, Row, Variant};
use simt::model::Gpu;

use crate::{FOUR_STREAMS, LADDER, PAGEABLE, PINNED, Step, TWO_STREAMS};

/// The row of a step; its PTX is changed by `change`.
fn row(step: &Step, change: impl FnOnce(String) -> String) -> Row {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kernels = workspace::root().expect("the workspace").join("kernels").join(LADDER.name());
    let ptx = fs::read_to_string(kernels.join(format!("{}.ptx", step.name))).expect("its PTX");
    let file = folder.path().join("changed.ptx");
    let changed = change(ptx.clone());
    let replacement =
        (changed != ptx).then(|| Replacement { file: file.clone(), step: step.name.to_owned() });
    fs::write(&file, changed).expect("written");
    let request = Request { size: Some(1000), replacement, ..Request::default() };
    let mut climb = Climb::new(&LADDER, request).expect("a climb");
    let gpu = Gpu::named("h200").expect("a known GPU");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let step = LADDER.step(step.name).expect("a step of the ladder");
    match climb.prepare(&step, &Variant::default(), &mut device, &mut |_| {}) {
        Prepared::Row(row) => *row,
        Prepared::Ready(_) => panic!("the simulator's times are modelled"),
    }
}

/// The text with one line changed, of which it has exactly one or more; all are changed.
fn replaced(ptx: String, from: &str, to: &str) -> String {
    assert!(ptx.contains(from), "no `{from}` in the PTX");
    ptx.replace(from, to)
}

#[test]
fn every_step_climbs() {
    for step in [PAGEABLE, PINNED, TWO_STREAMS, FOUR_STREAMS] {
        let row = row(&step, |ptx| ptx);
        assert_eq!(row.outcome, Outcome::Simulated, "{}: {:?}", step.name, row.reason);
        let timed = row.main().expect("timed");
        assert_eq!((timed.n, timed.work, timed.accuracy.rms), (1000, 8000.0, Some(0.0)));
    }
}
