//! What the pictures say, and what they never show.

use ::report::{Outcome, Report};

use super::legible::texts;
use crate::plot::{STEMS, of};
use crate::synthetic;

/// What the picture of that name draws.
fn drawn(report: &Report, stem: &str) -> Vec<String> {
    let plot = of(report).into_iter().find(|plot| plot.stem == stem).unwrap();
    texts(&plot.svg().unwrap()).into_iter().map(|text| text.text).collect()
}

fn contains(report: &Report, stem: &str, wanted: &[&str]) {
    let texts = drawn(report, stem);
    for wanted in wanted {
        assert!(texts.iter().any(|text| text.contains(wanted)), "{stem}: {wanted} in {texts:?}");
    }
}

#[test]
fn each_picture_says_what_it_is_for() {
    let sweep = synthetic::sweep();
    let first = ["MEASURED", "2026-11-20 · revision 0123456789ab", "on GPU <A&B>"];
    for stem in ["ladder", "bounds", "roofline", "accuracy", "sizes", "spread"] {
        contains(&sweep, stem, &first);
    }
    contains(&sweep, "bounds", &["issue binds", "FP32 peak", "MUFU", "clock seen: 1965 MHz"]);
    contains(
        &sweep,
        "roofline",
        &[
            "issue bound",
            "FP32 pipe bound",
            "instructions of 07-unroll allow",
            "07-unroll executes 27.6 of 66.9·10¹² FP32 operations per second, 41",
            "FP32 peak",
            "L2 12.0·10¹² B/s",
            "DRAM 4.80·10¹² B/s",
            "66.9",
        ],
    );
    contains(&sweep, "roofline", &["Too slow to be shown: 01-one-thread"]);
    contains(&sweep, "sizes", &["10⁹ interactions per second", "1000", "1\u{2009}000\u{2009}000"]);
    contains(&sweep, "spread", &["n = 131\u{2009}072, 30 samples, 2 suspect", "+3.06\u{2009}%"]);
    let blocks = synthetic::blocks();
    let title = "06-shared-blocking is fastest with 256 threads a block, 07-unroll with 128";
    contains(&blocks, "blocks", &[title, "1024", "occupancy: resident", "1434 at 256", "100"]);
}

#[test]
fn bounds_of_a_cpu_are_drawn_as_those_of_a_gpu() {
    let host = synthetic::host();
    let title = "08-threads runs at 72\u{2009}% of its nearest bound: multiply";
    contains(&host, "bounds", &[title, "multiply binds", "1/√ estimate", "clock seen: 3700 MHz"]);
    let texts = drawn(&host, "bounds");
    assert!(!texts.iter().any(|text| text.contains("05x-gcc")), "it was not counted: {texts:?}");
}

/// Roofs above the peak are left out but for that of special functions, and a chip whose bodies
/// stay in L2 has no marks for DRAM.
#[test]
fn the_roofline_has_the_chips_own_peak() {
    let mut report = synthetic::sweep();
    let roofs = drawn(&report, "roofline");
    let bounds: Vec<&String> = roofs.iter().filter(|text| text.ends_with(" bound")).collect();
    assert_eq!(bounds, ["MUFU bound", "FP32 pipe bound", "issue bound"]);
    assert!(roofs.iter().any(|text| text == "66.9"), "{roofs:?}");
    assert!(roofs.iter().all(|text| !text.contains("DRAM has no marks")), "{roofs:?}");
    for row in &mut report.rows {
        let limits = row.limits.as_mut().unwrap();
        limits.dram_bytes = 0.0;
        limits.bounds.retain(|bound| bound.name != "DRAM");
        // As it was before the peak was told: of the H200's description, at 1965 MHz.
        limits.peak_flop_per_second = None;
    }
    contains(&report, "roofline", &["66.4", "DRAM has no marks: all bodies stay in the L2 cache"]);
    for row in &mut report.rows {
        row.limits.as_mut().unwrap().gpu = "a GPU that nobody has described".to_owned();
    }
    assert!(of(&report).iter().all(|plot| plot.stem != "roofline"));
}

/// The roofline's ends are what the limits say: 17 operations an interaction, 1/16 byte of L2.
#[test]
fn words_tell_what_is_drawn() {
    let sweep = synthetic::sweep();
    let plots = of(&sweep);
    let words = |stem: &str| {
        let plot = plots.iter().find(|plot| plot.stem == stem).unwrap();
        let svg = plot.svg().unwrap();
        svg.split_once("<desc>").unwrap().1.split_once("</desc>").unwrap().0.to_owned()
    };
    assert!(words("roofline").contains("272 per byte of L2"), "{}", words("roofline"));
    assert!(words("sizes").contains("at 1\u{2009}000\u{2009}000"), "{}", words("sizes"));
    assert!(words("spread").contains("03-soa: n = 131\u{2009}072, 30 samples, 2 suspect"));
    assert!(words("bounds").contains("07-unroll: issue "), "{}", words("bounds"));
}

#[test]
fn what_was_not_verified_is_in_no_picture_but_the_ladder() {
    for mut report in [synthetic::sweep(), synthetic::blocks(), synthetic::tuning()] {
        for row in &mut report.rows {
            row.outcome = Outcome::Wrong;
            row.reason = Some("it is wrong".to_owned());
        }
        let stems: Vec<_> = of(&report).iter().map(|plot| plot.stem).collect();
        assert!(stems.iter().all(|stem| *stem == "ladder"), "{stems:?}");
    }
    let mut report = synthetic::sweep();
    report.rows[3].outcome = Outcome::Failed;
    for plot in of(&report).iter().filter(|plot| plot.stem != "ladder") {
        assert!(!plot.svg().unwrap().contains(&report.rows[3].step), "{}", plot.stem);
    }
}

#[test]
fn the_same_report_gives_the_same_files() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for report in [synthetic::sweep(), synthetic::blocks(), synthetic::tuning()] {
        for plot in of(&report) {
            assert!(STEMS.contains(&plot.stem));
            let [one, two] = dirs.each_ref().map(|dir| plot.write(dir.path()).unwrap());
            for (one, two) in one.iter().zip(&two) {
                let bytes = std::fs::read(one).unwrap();
                assert_eq!(bytes, std::fs::read(two).unwrap(), "{}", one.display());
                assert!(bytes.len() < 200_000, "{}: {}", one.display(), bytes.len());
            }
        }
    }
}
