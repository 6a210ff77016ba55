//! What the other pictures say, and what they never show.

use report::Outcome;
use report::scaling::Series;
use report::synthetic::{self, scaled, scaling};

use super::legible::{check, elements, number, texts};
use super::{of, picture, says};

#[test]
fn each_picture_says_what_it_is_for() {
    let sweep = synthetic::sweep();
    for name in ["ladder", "bounds", "roofline", "accuracy", "sizes", "spread"] {
        let first = ["MEASURED", "2026-11-20 · revision 0123456789ab", "on GPU <A&B>"];
        says(&picture(&sweep, name), &first);
    }
    let said = ["issue binds", "FP32 peak", "MUFU", "clock seen: 1965 MHz"];
    says(&picture(&sweep, "bounds"), &said);
    says(
        &picture(&sweep, "roofline"),
        &[
            "07-unroll executes 27.6 of 66.9·10¹² FP32 operations per second, 41",
            "instructions of 07-unroll allow",
            "L2 12.0·10¹² B/s",
            "DRAM 4.80·10¹² B/s",
            "FP32 peak, 66.9\n",
            "MUFU bound, 71.4\nFP32 pipe bound, 56.1\nissue bound, 42.1\n",
            "Too slow to be shown: 01-one-thread",
        ],
    );
    let said = ["10⁹ pairs/s", "milliseconds for one evaluation", "at 1\u{2009}000\u{2009}000"];
    says(&picture(&sweep, "sizes"), &said);
    let said = ["n = 131\u{2009}072, 30 samples, 2 suspect", "+3.06\u{2009}%"];
    says(&picture(&sweep, "spread"), &said);
    let said =
        ["The block size changes a step's rate by 1.2", "occupancy: resident", "1434 at 256"];
    says(&picture(&synthetic::blocks(), "blocks"), &said);
    let said = ["UNROLL changes a step's rate by", "-DUNROLL"];
    says(&picture(&synthetic::tuning(), "tuning"), &said);
}

#[test]
fn bounds_of_a_cpu_are_drawn_as_those_of_a_gpu() {
    let picture = picture(&synthetic::host(), "bounds");
    let title = "08-threads, the fastest, reaches 72\u{2009}% of its nearest bound: multiply";
    says(&picture, &[title, "multiply binds", "1/√ estimate", "clock seen: 3700 MHz"]);
    assert!(!picture.words.contains("05x-gcc"), "it was not counted");
}

/// A whole bar is 100 pixels at least, 50 where the picture is shown 800 wide.
#[test]
fn bars_are_wide_enough_and_names_of_bounds_whole() {
    let svg = picture(&synthetic::sweep(), "bounds").svg;
    let rects = elements(&svg, "rect").filter(|it| it.starts_with(" x="));
    let rects = rects.map(|it| ["x", "y", "width", "height"].map(|name| number(it, name)));
    // Below the box that says what was measured; neither the card nor lines of one pixel.
    let bars: Vec<[f64; 4]> = rects.filter(|it| it[1] > 150.0 && it[3] > 4.0).collect();
    assert!(bars.len() > 80, "{}", bars.len());
    // Each bar is a track with what is full of it drawn over.
    for pair in bars.chunks(2) {
        let (track, full) = (pair[0], pair[1]);
        assert!(track[2] >= 100.0 && track[3] >= 10.0, "{track:?}");
        assert!(full[0] == track[0] && full[1] == track[1] && full[2] <= track[2], "{full:?}");
    }
    for text in texts(&svg) {
        assert!(!text.text.contains('…'), "{text:?}");
        let is_apart = |[x, y, wide, high]: &[f64; 4]| {
            let beyond = text.right <= *x || text.left >= x + wide;
            beyond || text.bottom <= *y || text.top >= y + high
        };
        assert!(bars.iter().all(is_apart), "{text:?} lies over a bar");
    }
}

/// A chip whose data stays in L2 has no marks for DRAM; without a peak there is no roof.
#[test]
fn the_roofline_has_the_chips_own_peak() {
    let mut report = synthetic::sweep();
    assert!(!picture(&report, "roofline").words.contains("DRAM has no marks"));
    for row in &mut report.rows {
        let limits = row.limits.as_mut().expect("limits");
        limits.dram_bytes = 0.0;
        limits.bounds.retain(|bound| bound.name != "DRAM");
    }
    says(&picture(&report, "roofline"), &["DRAM has no marks: all data stays in the L2 cache"]);
    for row in &mut report.rows {
        row.limits.as_mut().expect("limits").peak_flop_per_second = None;
    }
    assert!(of(&report).iter().all(|picture| picture.name != "roofline"));
}

#[test]
fn what_was_not_verified_is_in_no_picture_but_the_ladder() {
    let mut report = synthetic::sweep();
    report.rows[3].outcome = Outcome::Failed;
    for picture in of(&report).iter().filter(|picture| picture.name != "ladder") {
        assert!(!picture.svg.contains(&report.rows[3].step), "{}", picture.name);
    }
    for mut report in [report, synthetic::blocks(), synthetic::tuning()] {
        report.rows.iter_mut().for_each(|row| row.outcome = Outcome::Wrong);
        assert!(of(&report).iter().all(|picture| picture.name == "ladder"));
    }
}

#[test]
fn strong_and_weak_scaling_are_drawn_with_the_ideal() {
    let mut scaling = scaling(vec![
        scaled("14-pairs", 1, Series::Strong, 1000, 2.0),
        scaled("20-pairs-divided", 1, Series::Strong, 1000, 2.1),
        scaled("20-pairs-divided", 2, Series::Strong, 1000, 1.1),
        scaled("20-pairs-divided", 2, Series::Weak, 768, 1.3),
    ]);
    let picture = crate::scaling(&scaling).expect("there is something to draw");
    check(&picture);
    says(&picture, &["20-pairs-divided: 1.82×", "ideal", "a time step with all exchanges"]);
    scaling.rows.retain(|row| row.gpus == 1);
    scaling.relate();
    assert!(crate::scaling(&scaling).is_none());
}
