//! What a run refuses before any device is asked, and what becomes of steps and times on a device
//! whose clock the test sets. Climbs on devices as they are are tested where the steps are known.

mod timing;

use std::path::Path;

use report::{Outcome, Replacement};

use super::*;
use crate::judge::{Errors, Mismatch, Tolerance, ValueMismatch};
use crate::record;
use crate::toy::{LADDER, MOST, PARENT};

fn refusal(request: Request) -> String {
    match LadderRun::new(&LADDER, request) {
        Ok(_) => panic!("the request was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn impossible_sizes_and_options_are_refused() {
    let with_size = |size| Request { size: Some(size), ..Request::default() };
    assert!(refusal(with_size(0)).contains("there must be some elements"));
    assert!(refusal(with_size(MOST + 1)).contains("at most 1048576 elements"));
    let swept = Request { sweep_sizes: vec![1, MOST + 1], ..Request::default() };
    assert!(refusal(swept).contains("at most"));
    let problem = [("rounds".to_owned(), "0".to_owned())].into();
    let none = Request { problem, ..Request::default() };
    assert!(refusal(none).contains("at least one round"));
    let unknown = Request { vectors: "mmx".to_owned(), ..Request::default() };
    assert!(refusal(unknown).contains("--vectors"));
    assert!(LadderRun::new(&LADDER, with_size(1)).is_ok());
    assert!(LadderRun::new(&LADDER, with_size(MOST)).is_ok());
}

/// A reader's kernel stands in for its own step only, and keeps that step's options.
#[test]
fn a_readers_kernel_takes_one_steps_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mine.cu");
    std::fs::write(&file, "// mine").expect("written");
    let replacement = Some(Replacement { file, step: PARENT.name.to_owned() });
    let run = LadderRun::new(&LADDER, Request { replacement, ..Request::default() });
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    let fast =
        Step { code: Code::Cuda { file: PARENT.name, options: &["--use_fast_math"] }, ..PARENT };
    let source = run.source(&fast, &Variant::default()).expect("the reader's file");
    assert_eq!(source.cuda.as_deref(), Some("// mine"));
    assert_eq!(source.options, ["--use_fast_math"]);
    let error = run
        .source(&Step { name: "03-c", ..PARENT }, &Variant::default())
        .expect_err("no such kernel");
    assert!(error.to_string().contains("kernels"), "{error}");
}

#[test]
fn failures_become_outcomes_with_reasons() {
    let outcome = |failure: Failure| {
        let mut row = PARENT.row("toy", Outcome::Failed, None);
        row::explain(&mut row, &failure);
        let report = record(&LADDER, &Request::default(), None, vec![row.clone()]);
        let read = report::Report::from_json(report.to_json().as_bytes(), Path::new("r"));
        assert!(read.is_ok(), "{read:?}");
        row
    };
    let skipped = device::Error::Skipped { reason: "edited".into(), remedy: "get it".into() };
    let row = outcome(skipped.into());
    assert_eq!((row.outcome, row.reason.as_deref()), (Outcome::Skipped, Some("edited; get it")));
    let row = outcome(device::Error::Fault("out of bounds".into()).into());
    assert_eq!((row.outcome, row.reason.as_deref()), (Outcome::Failed, Some("out of bounds")));
    let mismatch = ValueMismatch {
        quantity: "doubles".to_owned(),
        n: 257,
        place: "element 256".to_owned(),
        got: "NaN".to_owned(),
        expected: "1".to_owned(),
        errors: Errors { rms: f64::INFINITY, worst: f64::INFINITY, worst_index: 256 },
        tolerance: Tolerance { rms: 1e-6, worst: 2e-6 },
    };
    let row = outcome(Mismatch::Values(Box::new(mismatch)).into());
    assert_eq!((row.outcome, row.n()), (Outcome::Wrong, Some(257)));
    let wrong = row.wrong.expect("what was found");
    assert_eq!((wrong.rms, wrong.worst, wrong.tolerance), (None, None, 1e-6));
}
