//! What a climb refuses before any device is asked, and what becomes of times by a clock that the test
//! sets. Climbs on devices as they are are tested where the steps are known.

mod timing;

use std::path::Path;

use super::*;
use crate::verify::{Errors, Tolerance};
use report::Outcome;

const LADDER: Ladder = Ladder { name: "toy", title: "Toy", steps: &[], short_launches: &[] };

const STEP: Step = Step {
    name: "01-a",
    after: None,
    detour: false,
    title: "an idea",
    changes: "one line",
    code: crate::Code::Cuda { file: "01-a", options: &[] },
    layout: crate::Layout::ScalarArrays,
    padding: 1,
    parameters: crate::Parameters::Arguments,
    threads: crate::Threads::One,
    scratch: &[],
    needs: (5, 0),
    bits: crate::F32_BITS,
    reproducible: true,
    division: None,
    run: crate::Run::Launches,
};

fn refusal(request: Request) -> String {
    match Climb::new(&LADDER, request) {
        Ok(_) => panic!("the request was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn impossible_sizes_and_time_steps_are_refused() {
    let with_size = |size| Request { size: Some(size), ..Request::default() };
    assert!(refusal(with_size(0)).contains("at least one body"));
    assert!(refusal(with_size(1 << 40)).contains("at most"));
    let none = Request { time_steps: Some(0), ..Request::default() };
    assert!(refusal(none).contains("at least one time step"));
    assert!(Climb::new(&LADDER, with_size(1)).is_ok());
}

#[test]
fn bad_files_are_refused_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("two.csv");
    let text = "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n";
    std::fs::write(&file, text).expect("written");
    let of_file = |size| Request { bodies: Some(file.clone()), size, ..Request::default() };
    assert!(Climb::new(&LADDER, of_file(None)).is_ok());
    assert!(Climb::new(&LADDER, of_file(Some(2))).is_ok());
    assert!(refusal(of_file(Some(3))).contains("no more than 2"));
    std::fs::write(&file, &text[..text.len() - 5]).expect("written");
    assert!(refusal(of_file(None)).contains("two.csv: line 3, column 6"));
    for far in ["1,0,0,1e16,0,0,0", "1,0,0,0,-1e16,0,0", "2e30,0,0,0,0,0,0"] {
        std::fs::write(&file, format!("{text}{far}\n")).expect("written");
        let message = refusal(of_file(None));
        assert!(message.contains("two.csv: body 2") && message.contains("units"), "{message}");
    }
    let save = folder.path().join("absent").join("out.csv");
    assert!(refusal(Request { save: Some(save), ..Request::default() }).contains("absent"));
}

/// A reader's kernel stands in for its own step only, and keeps that step's options.
#[test]
fn a_readers_kernel_takes_one_steps_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mine.cu");
    std::fs::write(&file, "// mine").expect("written");
    let replacement = Some(crate::Replacement { file, step: "01-a".to_owned() });
    let climb = Climb::new(&LADDER, Request { replacement, ..Request::default() });
    let climb = climb.unwrap_or_else(|error| panic!("{error}"));
    let fast =
        Step { code: crate::Code::Cuda { file: "01-a", options: &["--use_fast_math"] }, ..STEP };
    let source = climb.source(&fast, &Variant::default()).expect("the reader's file");
    assert_eq!(source.cuda.as_deref(), Some("// mine"));
    assert_eq!(source.options, ["--use_fast_math"]);
    let error = climb
        .source(&Step { name: "02-b", ..STEP }, &Variant::default())
        .expect_err("no such kernel");
    assert!(error.to_string().contains("kernels"), "{error}");
}

#[test]
fn problems_become_outcomes_with_reasons() {
    let outcome = |problem: Problem| {
        let mut row = Row::new("toy", &STEP, Outcome::Failed, None);
        row::explain(&mut row, &problem);
        let report = report::Report::new(&Request::default(), None, vec![row.clone()]);
        let read = report::Report::from_json(report.to_json().as_bytes(), Path::new("r"));
        assert!(read.is_ok(), "{read:?}");
        row
    };
    let skipped = device::Error::Skipped { reason: "edited".into(), remedy: "get it".into() };
    let row = outcome(skipped.into());
    assert_eq!((row.outcome, row.reason.as_deref()), (Outcome::Skipped, Some("edited; get it")));
    let row = outcome(device::Error::Fault("out of bounds".into()).into());
    assert_eq!((row.outcome, row.reason.as_deref()), (Outcome::Failed, Some("out of bounds")));
    let mismatch = crate::verify::Mismatch {
        quantity: "accelerations",
        n: 257,
        body: 256,
        got: [f64::NAN; 3],
        expected: [1.0; 3],
        errors: Errors { rms: f64::INFINITY, worst: f64::INFINITY, worst_index: 256 },
        tolerance: Tolerance { rms: 1e-6, worst: 2e-6 },
    };
    let row = outcome(crate::verify::Wrong::Mismatch(mismatch).into());
    assert_eq!((row.outcome, row.n()), (Outcome::Wrong, Some(257)));
    let wrong = row.wrong.expect("what was found");
    assert_eq!((wrong.rms, wrong.worst, wrong.tolerance), (None, None, 1e-6));
}
