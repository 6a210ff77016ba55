//! The account of an interaction, against counts worked out from the kernels' loops and against the tutorial's slide.

use ladders::LADDERS;
use launches::accounting::{Accounting, Timed, slide};
use launches::explain::running::{self, Task};
use simt::model::Gpu;

fn account(step: &str, gpu: &str) -> Accounting {
    let kernels = LADDERS[0].kernels().expect("the kernels");
    let gpu = Gpu::named(gpu).expect("a GPU that is known");
    let ladder = LADDERS[0];
    let step = &ladder.step(step).expect("a step");
    let size = if step.name.starts_with("01") { 512 } else { 16_384 };
    let kernels = &kernels;
    let task =
        Task { ladder, step, file: None, kernels, size, gpu: &gpu, timeline: false, whole: false };
    running::run(&task).expect("a run").accounting.expect("operations are counted")
}

/// How many instructions of a kind, and the clocks of each.
fn line(accounting: &Accounting, name: &str) -> (f64, f64) {
    let found = accounting.lines.iter().find(|line| line.name == name);
    found.map_or((0.0, 0.0), |line| (line.number, line.clocks_each))
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 0.01, "{found}, expected {expected}");
}

#[test]
fn the_last_step_executes_what_the_slide_counts() {
    // With multiply-adds in place and subnormal numbers flushed, nothing is left but the slide's
    // 3 + 3 + 6 instructions of one clock and one of eight: on an H200 too, 128 lanes to 16.
    for gpu in ["h200", "tesla-c2050"] {
        let own = account("10-fast-math", gpu);
        close(line(&own, "FP32 add").0, 3.0);
        close(line(&own, "FP32 multiply").0, 3.0);
        close(line(&own, "FP32 multiply-add").0, 6.0);
        close(line(&own, "special function").0, 1.0);
        assert_eq!(line(&own, "special function").1, 8.0);
        close(own.clocks().0, slide::CLOCKS.0);
    }
}

#[test]
fn the_slides_step_costs_what_its_compiler_left_in() {
    let own = account(slide::STEP, "tesla-c2050");
    assert!(slide::is_of(&own));
    // The softening is a sum of its own, and a square a product; two more scale subnormal numbers.
    close(line(&own, "FP32 add").0, 4.0);
    close(line(&own, "FP32 multiply").0, 6.0);
    close(line(&own, "FP32 multiply-add").0, 5.0);
    let (floating, all) = own.clocks();
    close(floating, 15.0 + 8.0);
    assert!(all > slide::CLOCKS.1, "{all}");
    // 14 · 32 lanes at 1.15 GHz, two operations a clock.
    close(own.rates()[0].flop_per_second, 1030.4e9);
    // What was measured lies between all side by side and all one after another.
    let published = Timed { source: "published", flop_per_second: slide::MEASURED.0 * 1e9 };
    let rates = Accounting { timed: published, ..own }.rates();
    assert!(rates[2].reached_percent > 100.0 && rates[3].reached_percent < 100.0, "{rates:?}");
}

#[test]
fn measured_rates_are_below_what_works_side_by_side() {
    // reports/h200: 9.99 ms for 131072 bodies.
    let own = account("10-fast-math", "h200");
    assert_eq!(
        (own.busiest.as_str(), own.arch.as_deref(), own.exact),
        ("issue", Some("sm_90"), true)
    );
    let measured =
        Accounting { timed: Timed::new("measured", 20.0 * 131_072f64.powi(2), 9.99e-3), ..own };
    let rates = measured.rates();
    // The slide's reasoning fails here as it does for the tutorial's own last kernel.
    assert!(rates[1].reached_percent > 100.0, "{rates:?}");
    assert!((70.0..100.0).contains(&rates[3].reached_percent), "{rates:?}");
    close(measured.timed_clocks(), 9.99e-3 * 1.98e9 * 132.0 * 128.0 / 131_072f64.powi(2));
}

#[test]
fn one_thread_leaves_31_lanes_idle() {
    let own = account("01-one-thread", "h200");
    close(own.active_lanes, 1.0);
    let sum: f64 = own.lines.iter().map(|line| line.clocks()).sum();
    close(own.clocks().1, 32.0 * sum);
}

#[test]
fn explain_shows_the_account_and_the_slide_where_it_belongs() {
    let text = |arguments: &[&str]| {
        let mut command = crate::program();
        let output = command.args(arguments).env("COLUMNS", "80").output().expect("it runs");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let slide = text(&["explain", "07", "--gpu", "tesla-c2050", "--size", "8192"]);
    for words in
        ["in clocks of an FP32 lane", "all parts side by side, issue busiest", "slide 49", "675.6"]
    {
        assert!(slide.contains(words), "{words}: {slide}");
    }
    assert!(!text(&["explain", "07", "--size", "4096"]).contains("slide 49"), "another GPU");
    let json =
        text(&["explain", "08", "--gpu", "tesla-c2050", "--size", "4096", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let lines = json["after"]["accounting"]["lines"].as_array().expect("lines");
    assert!(lines.iter().any(|line| line["name"] == "special function"), "{lines:?}");
}
