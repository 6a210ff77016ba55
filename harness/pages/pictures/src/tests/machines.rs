//! Several machines over each other.

use report::published::Published;
use report::synthetic::{GPU, report, row, sweep, timed};
use report::{Outcome, Report};

use super::legible::check;
use super::{published, says};
use crate::{Picture, machines};

/// A report of another GPU.
fn other(name: &str) -> (String, Report) {
    let mut other = sweep();
    other.device.as_mut().expect("a device").name = name.to_owned();
    (format!("reports/{name}"), other)
}

fn drawn(own: &Report, others: &[(String, Report)], published: &Published) -> Picture {
    let picture = machines(own, others, published).expect("a picture");
    check(&picture);
    picture
}

/// 0.83 · 1.015 · … along the slides, and each factor with its n.
#[test]
fn published_ratios_keep_their_n() {
    let picture = drawn(&sweep(), &[], &published());
    says(
        &picture,
        &[
            "7781× n not stated",
            "1.015× n = 1000",
            // 12150 · 0.82 · 0.971 · 1.64.
            "GPU Two (CC 3.0) 15\u{2009}900×, over different n",
            "Published: A. Author, A Talk.",
            "published n = 100\u{2009}000",
            "05x-two-loops",
            "on 3 machines: ",
            "measured",
        ],
    );
    assert!(!picture.words.contains("10-fast-math"), "no report has it");
}

#[test]
fn partial_and_like_ladders_are_drawn() {
    let long = other("a GPU with a name that takes more than three lines of a column, surely");
    let picture = drawn(&sweep(), &[other(GPU), long], &published());
    says(&picture, &[&format!("{GPU} (reports/{GPU}) ")]);
    let part = report(
        vec![
            timed("05-rsqrt", Some("04-constant-params"), 1000, 2e-3),
            timed("06-shared-blocking", Some("05-rsqrt"), 1000, 1e-3),
            row("07-unroll", Some("06-shared-blocking"), Outcome::Wrong),
        ],
        true,
    );
    let own = report(vec![timed("my-own", None, 77, 1.0)], false);
    for (report, other) in [(&part, &own), (&own, &part), (&own, &own)] {
        drawn(report, &[("b".to_owned(), other.clone())], &Published::default());
    }
    let words = drawn(&part, &[], &published()).words;
    assert!(words.contains("2.00×") && !words.contains("07-unroll"), "the wrong one: {words}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let error = |own: &Report, others: &[(String, Report)]| {
        machines(own, others, &published()).expect_err("refused").to_string()
    };
    let (name, mut foreign) = other("x");
    foreign.options.ladder = "cpu".to_owned();
    assert_eq!(error(&sweep(), &[(name, foreign)]), "reports/x climbs another ladder: cpu");
    let empty = report(vec![], false);
    assert!(error(&empty, &[]).contains("no timings"));
    assert_eq!(error(&sweep(), &[("e".to_owned(), empty)]), "e has no timings; choose another run");
    let many = ["a", "b", "c", "d"].map(other);
    assert!(error(&sweep(), &many).contains("7 machines are more than"));
}
