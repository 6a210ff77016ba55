//! Two steps of a toy problem, timed by a clock that the test sets.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use device::Conditions;
use report::statistics::Verdict;
use report::{Outcome, Request, Row, Variant};

use crate::clockwork::Clockwork;
use crate::measure::ROUNDS;
use crate::run::{LadderRun, News, Prepared};
use crate::toy::{self, LADDER};
use crate::{Ladder, record};

/// Climbs both steps; `stop` ends the timing after its first news.
fn rows(device: &mut Clockwork, stop: bool) -> (Vec<Row>, bool) {
    let kernels = tempfile::tempdir().expect("a temporary folder");
    toy::write_kernels(kernels.path());
    rows_of(device, kernels.path(), stop)
}

/// The same with the kernels of a folder.
fn rows_of(device: &mut Clockwork, kernels: &Path, stop: bool) -> (Vec<Row>, bool) {
    let request = Request { size: Some(64), ..Request::default() };
    let mut run = LadderRun::new(&LADDER, request).expect("a run of the ladder");
    run.kernels = kernels.to_path_buf();
    let mut rows = Vec::new();
    let mut ready = Vec::new();
    for step in LADDER.steps() {
        match run.prepare(&step, &Variant::default(), device, &mut |_| {}) {
            Prepared::Row(row) => rows.push(*row),
            Prepared::Ready(step) => ready.push(*step),
        }
    }
    let asked = AtomicBool::new(false);
    run.time(ready, device, &asked, &mut |news| match news {
        News::Row(row) => rows.push(*row),
        News::Progress(..) => asked.store(stop, Ordering::Relaxed),
    });
    let lost = run.device_is_lost();
    (record(&LADDER, &Request::default(), None, rows).rows, lost)
}

/// A clock that drifts by 0.5% a time, and has a little noise.
fn drifting() -> impl FnMut(u32) -> f64 + Send {
    let mut now = 0u32;
    move |launches| {
        now += 1;
        let noise = f64::from(now.wrapping_mul(2_654_435_761) >> 16) / 65_536.0;
        f64::from(launches) * 1e-3 * (1.0 + 0.005 * f64::from(now)) * (1.0 + 1e-4 * noise)
    }
}

#[test]
fn a_write_beside_a_buffer_costs_the_row_of_its_step() {
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    device.harms_at = Some(1);
    let (rows, lost) = rows(&mut device, false);
    assert_eq!(rows[0].outcome, Outcome::Failed);
    let reason = rows[0].reason.as_deref().expect("a reason");
    assert!(reason.contains("memory after `from`") && reason.contains("4 bytes"), "{reason}");
    assert!(lost, "who knows what else was written");
}

#[test]
fn each_round_has_a_sample_of_each_step() {
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    let (rows, _) = rows(&mut device, false);
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!(row.outcome, Outcome::Measured, "{:?}", row.reason);
        let timed = row.main().expect("timed");
        assert_eq!(timed.samples.round, (0..ROUNDS).collect::<Vec<_>>());
        let whole = timed.whole.expect("rounds were timed");
        assert_eq!((timed.seconds, whole.seconds), (1e-3, 2e-3));
        assert_eq!((timed.n, timed.work), (64, 64.0));
        assert!(timed.interval.is_some_and(|i| i.low == 1e-3 && i.high == 1e-3));
        assert!(row.end_to_end.is_some_and(|all| all.seconds() > 0.0 && all.upload_bytes > 0));
    }
}

#[test]
fn a_drift_that_meets_both_steps_is_no_difference() {
    let mut device = Clockwork::new(drifting());
    let (rows, _) = rows(&mut device, false);
    let spread = rows[1].main().and_then(|timed| timed.spread).expect("a spread");
    assert!(spread > 0.1, "the drift does not show: {spread}");
    let (_, parent) = rows[1].parent().expect("compared");
    assert_eq!(parent.verdict, Verdict::NoDifference, "{parent:?}");
}

#[test]
fn an_interrupt_keeps_what_was_sampled() {
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    let (rows, _) = rows(&mut device, true);
    for row in &rows {
        assert!(row.interrupted);
        assert_eq!(row.outcome, Outcome::Measured);
        assert!(row.reason.as_deref().is_some_and(|r| r.contains("after 1 of 24 rounds")));
        assert_eq!(row.main().map(|timed| timed.interval), Some(None));
    }
}

#[test]
fn a_clock_that_goes_backwards_costs_the_row() {
    for wrong in [-1e-3, 0.0, f64::NAN, f64::INFINITY] {
        let mut times = 0;
        let mut device = Clockwork::new(move |launches| {
            times += 1;
            if times == 60 { wrong } else { f64::from(launches) * 1e-3 }
        });
        let (rows, lost) = rows(&mut device, false);
        let failed: Vec<&Row> = rows.iter().filter(|row| row.outcome == Outcome::Failed).collect();
        assert_eq!((rows.len(), failed.len(), lost), (2, 1, false), "{wrong}");
        let reason = failed[0].reason.as_deref().expect("a reason");
        assert!(reason.contains("clock"), "{reason}");
    }
}

#[test]
fn an_impossible_time_is_no_time() {
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-15);
    device.has_floor = true;
    let (rows, _) = rows(&mut device, false);
    for row in &rows {
        assert_eq!((row.outcome, row.timed.len()), (Outcome::Failed, 0));
        let reason = row.reason.as_deref().expect("a reason");
        assert!(reason.contains("impossible") && reason.contains("H200"), "{reason}");
    }
}

#[test]
fn results_that_are_kept_are_found_by_inputs_that_are_new() {
    for (newly, outcome) in
        [(1.0, Outcome::Measured), (1.9, Outcome::Measured), (3.0, Outcome::Failed)]
    {
        let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
        device.newly = newly;
        let (rows, lost) = rows(&mut device, false);
        for row in &rows {
            assert_eq!((row.outcome, lost), (outcome, false), "{newly}: {:?}", row.reason);
            let kept = row.reason.as_deref().is_some_and(|it| it.contains("does it keep results?"));
            assert_eq!(kept, outcome == Outcome::Failed, "{:?}", row.reason);
        }
    }
}

#[test]
fn what_the_device_says_of_itself_is_kept_with_the_samples() {
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    device.conditions = Some(Conditions {
        clock_mhz: Some(1980),
        throttled: vec!["power cap".to_owned()],
        ..Conditions::default()
    });
    let (rows, _) = rows(&mut device, false);
    let samples = &rows[0].main().expect("timed").samples;
    assert_eq!(samples.clock_mhz, vec![1980; ROUNDS as usize]);
    assert!(samples.temperature_c.is_empty(), "it was not told");
    assert_eq!(samples.suspects.len(), ROUNDS as usize, "marked");
    assert_eq!(samples.seconds.len(), ROUNDS as usize, "and not dropped");
}

#[test]
fn a_device_that_is_lost_while_steps_are_timed_costs_one_row() {
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    let (whole, _) = rows(&mut device, false);
    assert_eq!(whole.len(), 2);
    let mut again = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    again.lost_at = Some(device.launches * 9 / 10);
    let (rows, lost) = rows(&mut again, false);
    assert!(lost);
    assert_eq!(rows.len(), 1, "the other is for the next worker");
    assert_eq!(rows[0].outcome, Outcome::Failed);
}

#[test]
fn a_step_that_is_wrong_costs_its_own_row_and_is_not_timed() {
    let kernels = tempfile::tempdir().expect("a temporary folder");
    toy::write_kernels(kernels.path());
    toy::write_broken(kernels.path(), toy::CHILD, "add.s32");
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    let (rows, lost) = rows_of(&mut device, kernels.path(), false);
    let wrong = &rows[1 - rows.iter().position(|row| row.outcome.is_verified()).expect("one")];
    assert_eq!((rows.len(), wrong.outcome, wrong.timed.len()), (2, Outcome::Wrong, 0));
    let reason = wrong.reason.as_deref().expect("a reason");
    assert!(reason.contains("doubles at n = 1: element 0 got 3, expected 2"), "{reason}");
    assert!(!lost);
}

#[test]
fn a_wrong_row_says_whether_kernel_or_chip_is_the_cause() {
    let kernels = tempfile::tempdir().expect("a temporary folder");
    toy::write_kernels(kernels.path());
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    let mut copies = 0;
    device.lie = Some(Box::new(move |name, bytes| {
        if name == "to" {
            copies += 1;
            bytes[0] ^= u8::from(copies == 2 || copies == 9) << 4;
        }
    }));
    let (rows, _) = rows_of(&mut device, kernels.path(), false);
    let row = rows.iter().find(|row| row.outcome == Outcome::Wrong).expect("it is noticed");
    let reason = row.reason.as_deref().expect("a reason");
    for words in
        ["doubles at n = 33", "the GPU is wrong", "GPU-clockwork", "two answers to one question"]
    {
        assert!(reason.contains(words), "{words}: {reason}");
    }
    assert_eq!(rows.iter().filter(|row| row.outcome == Outcome::Measured).count(), 1);

    toy::write_broken(kernels.path(), toy::CHILD, "add.s32");
    let mut device = Clockwork::new(|launches| f64::from(launches) * 1e-3);
    let (rows, _) = rows_of(&mut device, kernels.path(), false);
    let row = rows.iter().find(|row| row.outcome == Outcome::Wrong).expect("it is noticed");
    let reason = row.reason.as_deref().expect("a reason");
    assert!(
        reason.contains("the kernel is wrong: the simulator finds it wrong as well"),
        "{reason}"
    );
}
