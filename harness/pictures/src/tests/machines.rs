//! Several machines over each other.

use ::report::{Outcome, Report};

use super::legible::{check, texts};
use crate::plot::{Plot, machines};
use crate::published::{self, Line};
use crate::synthetic::{GPU, report, row, sweep, timed};

fn published() -> Vec<Line> {
    published::committed().unwrap()
}

/// A report of another GPU.
fn other(name: &str) -> (String, Report) {
    let mut other = sweep();
    other.device.as_mut().unwrap().name = name.to_owned();
    (format!("reports/{name}"), other)
}

fn words(plot: &Plot) -> Vec<String> {
    texts(&plot.svg().unwrap()).into_iter().map(|text| text.text).collect()
}

/// 0.83 · 1.015 · … along the slides, and each factor with its n.
#[test]
fn published_ratios_keep_their_n() {
    let plot = machines(&sweep(), &[], &published()).unwrap();
    check(&plot);
    let words = words(&plot);
    let has = |wanted: &str| words.iter().any(|text| text.contains(wanted));
    for wanted in [
        "×7781",
        "n not stated",
        "×1.015",
        "n = 1000",
        "GeForce GTX 680 (CC 3.0) ×54\u{2009}300, over different n",
        "Published: M. Burtscher, CUDA Optimization Tutorial",
        "n = 300\u{2009}000",
        "05x-two-loops",
        "10-fast-math",
        "on 4 machines: ×",
        "published",
        "measured",
    ] {
        assert!(has(wanted), "{wanted} in {words:?}");
    }
    assert!(plot.words().contains("Tesla C2050 (CC 2.0), published, times the parent, at n = 100\u{2009}000 unless noted: 02-n-threads ×6495 (n not stated), 03-soa ×0.96,"), "{}", plot.words());
}

#[test]
fn machines_of_one_name_are_told_apart() {
    let others = [
        other(GPU),
        other("a GPU with a name that takes more than three lines of a column, surely"),
    ];
    let plot = machines(&sweep(), &others, &published()).unwrap();
    check(&plot);
    assert!(plot.words().contains(&format!("{GPU} (reports/{GPU}), measured")), "{}", plot.words());
    let again = machines(&sweep(), &others, &published()).unwrap();
    assert_eq!(plot.svg().unwrap(), again.svg().unwrap());
}

/// A few steps only, other steps, and equal ones.
#[test]
fn partial_ladders_are_drawn() {
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
        let plot = machines(report, &[("b".to_owned(), other.clone())], &[]).unwrap();
        check(&plot);
    }
    let plot = machines(&part, &[], &published()).unwrap();
    check(&plot);
    // The wrong one has a line of the published ones, but no factor of this report.
    let own = plot.words().lines().nth(1).unwrap().to_owned();
    assert!(own.contains("06-shared-blocking ×2.00") && !own.contains("07-unroll"), "{own}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let error = |own: &Report, others: &[(String, Report)]| {
        machines(own, others, &published()).err().expect("refused").to_string()
    };
    let (name, mut foreign) = other("x");
    foreign.options.ladder = "cpu".to_owned();
    assert_eq!(error(&sweep(), &[(name, foreign)]), "reports/x climbs another ladder: cpu");
    let empty = report(vec![], false);
    assert!(error(&empty, &[]).contains("nothing was timed"));
    assert_eq!(error(&sweep(), &[("e".to_owned(), empty)]), "e has no times");
    let many = ["a", "b", "c"].map(other);
    assert!(error(&sweep(), &many).contains("7 machines are more than"));
}
