//! Steps of made-up speed and error.

use report::{Outcome, Report};

use super::{Accuracies, table, words};
use crate::synthetic::{self, accuracies as report, reaching as step};

fn of(report: &Report) -> Accuracies {
    Accuracies::of(report).expect("steps that were timed")
}

#[test]
fn the_front_is_what_none_beats_in_both() {
    let found = of(&report());
    let front: Vec<&str> = found.front().iter().map(|point| point.step.as_str()).collect();
    assert_eq!(front, ["13-lanes", "14-pairs", "16-tensor-distances", "17-longer-sums"]);
    assert_eq!((found.n, found.points.len()), (10_000, 8));
    assert_eq!(found.absent, [("01-one-thread".to_owned(), 4096)]);
}

/// A third digit is no accuracy: of steps that show the same error the fastest is in front.
#[test]
fn errors_are_compared_as_they_are_shown() {
    let mut report = report();
    report.rows.truncate(4);
    let found = of(&report);
    let front: Vec<&str> = found.front().iter().map(|point| point.step.as_str()).collect();
    assert_eq!(front, ["10-fast-math"], "09x has 5.18e-6, and is slower");
    assert_eq!(found.nearest().unwrap().step, "10-fast-math");
    // Against a bound a third digit counts: 1.04e-6 is more than 1e-6.
    report.rows.push(step("14-pairs", 2900.0, 1.04e-6));
    assert!(of(&report).within(super::BOUND).is_none());
}

#[test]
fn the_sentence_names_the_fastest_of_each_kind() {
    let text = words::sentence(&of(&report()));
    assert_eq!(
        text,
        "at n = 10\u{2009}000, by the relative error (rms) against f64: of at most 1e-6 the fastest is 14-pairs with \
         58.0 TFLOP/s, 2.5e-7; no worse than the tutorial's last step, 10-fast-math (5.2e-6), the \
         fastest is 16-tensor-distances with 80.0 TFLOP/s, 3.0e-6; the fastest of all is \
         17-longer-sums with 88.0 TFLOP/s, 9.0e-6. All at 20 operations an interaction."
    );
    assert_eq!(
        words::message(&of(&report())),
        "14-pairs is the fastest with an error of at most 1e-6: 58.0 TFLOP/s"
    );
}

#[test]
fn where_there_is_none_that_is_said() {
    let mut report = report();
    report.rows.truncate(4);
    let text = words::sentence(&of(&report));
    let none = "none has at most 1e-6, the nearest is 10-fast-math with 34.5 TFLOP/s, 5.2e-6; ";
    assert!(text.contains(none), "{text}");
    assert!(text.contains("(5.2e-6), none is faster than it, 34.5 TFLOP/s."), "{text}");
    assert!(!text.contains("of all"), "{text}");
    report.rows.pop();
    let text = words::sentence(&of(&report));
    assert!(text.contains("last step, 10-fast-math, is not among them"), "{text}");
    assert_eq!(
        words::message(&of(&report)),
        "No step has an error of at most 1e-6: 09x-unroll-128 has 5.2e-6"
    );
    assert!(words::sentence(&of(&report)).contains("09x-unroll-128 (a detour) with 33.2"));
}

/// Its steps have names that the tutorial has too, and are not the tutorial's.
#[test]
fn a_cpu_has_no_last_step_of_the_tutorial() {
    let found = of(&synthetic::host());
    assert_eq!(found.tutorial, None);
    let text = words::sentence(&found);
    assert!(text.contains("the fastest is 08-threads with 3.42 TFLOP/s, 2.0e-7"), "{text}");
    assert!(!text.contains("tutorial"), "{text}");
}

#[test]
fn what_was_not_verified_takes_no_part() {
    let mut report = report();
    report.rows[5].outcome = Outcome::Wrong;
    assert_eq!(of(&report).within(super::BOUND).unwrap().step, "15-tensor-sums");
    report.rows[6].timed[0].accuracy.rms = None;
    assert_eq!(of(&report).within(super::BOUND).unwrap().step, "13-lanes");
    assert!(Accuracies::of(&synthetic::blocks()).is_none());
    assert!(Accuracies::of(&synthetic::report(vec![], false)).is_none());
}

#[test]
fn the_table_marks_the_front() {
    let text = table::markdown(&of(&report()), &|point| {
        Some(format!("{}/{}.md", point.ladder, point.step))
    });
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    let pairs = line("| [pairs](nbody/14-pairs.md): what 14-pairs changes |");
    assert!(pairs.ends_with("| 2900 | 58.0 | 2.5e-7 | 9.0e-6 | ● |"), "{pairs}");
    let detour = line("| [unroll-128](nbody/09x-unroll-128.md) (detour)");
    assert!(detour.ends_with("| 9.0e-6 |  |"), "{detour}");
    assert_eq!(text.lines().count(), 2 + 8);
}
