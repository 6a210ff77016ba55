//! What no run can have written is refused, with the name of the field.

use std::path::Path;

use report::Report;
use serde_json::{Value, json};

/// A report with everything that the schema can hold.
const GOOD: &str = include_str!("../data/report.json");

fn read(text: &str) -> Result<Report, String> {
    Report::from_json(text.as_bytes(), Path::new("r.json")).map_err(|error| error.to_string())
}

/// A whole report: nothing below is refused for another reason than its own.
#[test]
fn the_good_one_is_read_and_written_as_it_is() {
    let report = read(GOOD).expect("a report");
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    assert_eq!(json(&report.to_json()), json(GOOD));
}

/// Runs did not tell the chip's peak at first.
#[test]
fn limits_without_the_peak_are_read() {
    let mut old: Value = serde_json::from_str(GOOD).expect("JSON");
    let limits = old["rows"][0]["limits"].as_object_mut().expect("limits");
    assert!(limits.remove("peak_flop_per_second").is_some());
    let report = read(&old.to_string()).expect("a report");
    let limits = report.rows[0].limits.as_ref().expect("limits");
    assert_eq!(limits.peak_flop_per_second, None);
}

/// Nor how near steps on the CPU come to its limit.
#[test]
fn rows_without_limits_of_the_cpu_are_read() {
    let mut old: Value = serde_json::from_str(GOOD).expect("JSON");
    for row in old["rows"].as_array_mut().expect("rows") {
        assert!(row.as_object_mut().expect("a row").remove("cpu_limits").is_some());
    }
    let report = read(&old.to_string()).expect("a report");
    assert!(report.rows.iter().all(|row| row.cpu_limits.is_none()));
}

#[test]
fn every_impossible_value_is_named() {
    let good: Value = serde_json::from_str(GOOD).expect("JSON");
    let timed = "/rows/1/timed/0";
    let within = |field: &str| format!("{timed}/{field}");
    let cases: Vec<(String, Value, &str)> = vec![
        ("/schema".into(), json!(4), "r.json has schema 4"),
        ("/date".into(), json!("today"), "date is `today`"),
        ("/date".into(), json!("2026-1ü-0"), "date is"),
        ("/machine/cores".into(), json!(0), "machine.cores is 0"),
        ("/machine/cores".into(), json!(-1), "machine.cores: invalid value"),
        ("/device/launch_limit_seconds".into(), json!(0), "device.launch_limit_seconds"),
        ("/rows".into(), json!({}), "rows: invalid type"),
        ("/rows/1/ladder".into(), json!(""), "row 2 (05-rsqrt): ladder is empty"),
        ("/rows/1/step".into(), json!(""), "row 2: step is empty"),
        ("/rows/1/step".into(), json!(7), "row 2: step: invalid type"),
        ("/rows/1/block".into(), json!(0), "row 2 (05-rsqrt): block is 0"),
        ("/rows/1/block".into(), json!(128), "row 3 (05-rsqrt) repeats row 2"),
        ("/rows/1/outcome".into(), json!("fine"), "row 2: outcome: unknown variant `fine`"),
        ("/rows/1/outcome".into(), json!("failed"), "reason is missing"),
        ("/rows/1/outcome".into(), json!("simulated"), "time_source is a clock"),
        ("/rows/1/time_source".into(), json!("model"), "time_source is a model"),
        ("/rows/1/time_source".into(), json!(null), "time_source is missing"),
        ("/rows/1/device".into(), json!(null), "device is missing"),
        ("/rows/1/timed".into(), json!([]), "timed is missing"),
        ("/rows/1/after".into(), json!(null), "parent is there though"),
        ("/rows/1/times_first".into(), json!(-2.0), "times_first is -2"),
        ("/rows/1/ladder".into(), json!("other"), "figures has nothing of the ladder `other`"),
        ("/figures/cpu/scale".into(), json!(0), "figures.cpu: scale is 0"),
        ("/figures/cpu/flop".into(), json!(-1), "figures.cpu: flop is -1"),
        ("/rows/1/extras/0/value".into(), json!(-1e-9), "energy drift is"),
        ("/rows/3/outcome".into(), json!("skipped"), "wrong is there"),
        ("/rows/3/reason".into(), json!(""), "row 4 (05x-two-loops): reason is missing"),
        ("/rows/3/times_first".into(), json!(2.0), "times_first is there"),
        ("/rows/3/timed".into(), good["rows"][1]["timed"].clone(), "timed is there"),
        ("/rows/3/wrong/n".into(), json!(0), "wrong.n is 0"),
        ("/rows/3/wrong/worst".into(), json!(-1), "wrong.worst is -1"),
        ("/rows/0/end_to_end/upload_seconds".into(), json!(-1), "end_to_end.upload_seconds"),
        ("/rows/0/occupancy/warps".into(), json!(65), "occupancy.warps is 65"),
        ("/rows/0/occupancy/block".into(), json!(0), "occupancy.block is 0"),
        ("/rows/0/limits/n".into(), json!(5), "limits.n is 5 and nothing was timed there"),
        ("/rows/0/limits/clock_mhz".into(), json!(0), "limits.clock_mhz"),
        ("/rows/0/limits/peak_flop_per_second".into(), json!(0), "limits.peak_flop_per_second"),
        ("/rows/0/limits/peak_flop_per_second".into(), json!(null), ""),
        ("/rows/0/limits/l2_bytes".into(), json!(-1), "limits.l2_bytes"),
        ("/rows/0/limits/bounds/0/seconds".into(), json!(0), "limits.bounds are not in order"),
        ("/rows/0/limits/bounds/1/fraction".into(), json!(-1), "limits.bounds[1].fraction"),
        ("/rows/0/cpu_limits".into(), good["rows"][5]["cpu_limits"].clone(), "both there"),
        ("/rows/3/cpu_limits".into(), good["rows"][5]["cpu_limits"].clone(), "cpu_limits is there"),
        ("/rows/5/threads".into(), json!(1), "cpu_limits.threads is 2 and not the row's"),
        ("/rows/5/cpu_limits/n".into(), json!(5), "cpu_limits.n is 5 and nothing was timed there"),
        ("/rows/5/cpu_limits/threads".into(), json!(0), "cpu_limits.threads is 0"),
        ("/rows/5/cpu_limits/clock_mhz".into(), json!(-1), "cpu_limits.clock_mhz"),
        ("/rows/5/cpu_limits/clock_mhz".into(), json!(null), ""),
        ("/rows/5/cpu_limits/peak_flop_per_second".into(), json!(0), "cpu_limits.peak_flop"),
        ("/rows/5/cpu_limits/vectors".into(), json!(""), "cpu_limits.vectors is empty"),
        ("/rows/5/cpu_limits/lanes".into(), json!(0), "cpu_limits.lanes is 0"),
        ("/rows/5/cpu_limits/rates/mixed".into(), json!(0), "cpu_limits.rates.mixed"),
        ("/rows/5/cpu_limits/rates/mixed".into(), json!(null), "rates.mixed: invalid type"),
        ("/rows/5/cpu_limits/executed/load".into(), json!(-1), "cpu_limits.executed.load"),
        ("/rows/5/cpu_limits/executed/counted_n".into(), json!(0), "executed.counted_n is 0"),
        ("/rows/5/cpu_limits/executed".into(), json!(null), "bounds are there though executed"),
        ("/rows/5/cpu_limits/bounds/0/seconds".into(), json!(0), "bounds are not in order"),
        ("/rows/5/cpu_limits/bounds/1/fraction".into(), json!(-1), "bounds[1].fraction"),
        (within("n"), json!(0), "at n = 0: n is 0"),
        (within("n"), json!(4096), "accuracy.n is 131072"),
        (within("n"), json!(1e300), "row 2: timed[0].n: invalid type: floating point"),
        ("/rows/1/timed/1".into(), good["rows"][1]["timed"][0].clone(), "is there twice"),
        (within("passes"), json!(0), "passes is 0"),
        (within("whole/count"), json!(0), "whole.count is 0"),
        (within("seconds"), json!(0.0), "at n = 131072: seconds is 0"),
        (within("seconds"), json!("NaN"), "row 2: timed[0].seconds: invalid type: string"),
        (within("seconds"), json!(1e-320), "work / seconds is inf"),
        (within("seconds"), json!(0.5), "interval is from"),
        (within("whole/seconds"), json!(-0.1), "whole.seconds is -0.1"),
        (within("interval"), json!(null), ""),
        (within("interval/low"), json!(1.0), "interval is from 1 to"),
        (within("interval/high"), json!(0), "interval.high is 0"),
        (within("whole/interval/low"), json!(1.0), "whole.interval is from 1 to"),
        (within("spread"), json!(-0.1), "spread is -0.1"),
        (within("accuracy/tolerance"), json!(-1), "accuracy.tolerance is -1"),
        (within("accuracy/tolerance"), json!(0), "above its tolerance"),
        (within("accuracy/rms"), json!(1.0), "above its tolerance"),
        (within("parent/ratio"), json!(0), "parent.ratio is 0"),
        (within("parent/interval/low"), json!(1.97), "parent.interval is from 1.97"),
        (within("parent/verdict"), json!("slower"), "parent.verdict is `slower`"),
        (within("parent/verdict"), json!("best"), "unknown variant `best`"),
        (within("samples/clock_mhz"), json!([]), ""),
        (within("samples/clock_mhz"), json!([1980]), "samples.clock_mhz has 1 values"),
        (within("samples/round/3"), json!(2), "samples.round does not rise"),
        (within("samples/round/3"), json!(-2), "row 2: timed[0].samples.round[3]: invalid value"),
        (within("samples/seconds/3"), json!(0), "samples.seconds[3] is 0"),
        (within("samples/power_w/3"), json!(-1), "samples.power_w[3] is -1"),
        (within("samples/suspects/0/sample"), json!(8), "suspects[0].sample is 8"),
        (within("samples/suspects/0/reason"), json!(""), "suspects[0].reason is empty"),
        (within("samples/suspects/0/why"), json!(""), "unknown field `why`"),
    ];
    for (pointer, value, said) in cases {
        let mut bad = good.clone();
        match bad.pointer_mut(&pointer) {
            Some(place) => *place = value,
            None => {
                let (parent, field) = pointer.rsplit_once('/').expect("a path");
                bad.pointer_mut(parent).expect("its parent")[field] = value;
            }
        }
        assert_ne!(bad, good, "{pointer} changes something");
        match read(&bad.to_string()) {
            Ok(_) => assert!(said.is_empty(), "{pointer} was accepted; expected: {said}"),
            Err(error) => assert!(
                !said.is_empty() && error.starts_with("r.json ") && error.contains(said),
                "{pointer}: {said}: {error}"
            ),
        }
    }
}

/// A time that is not among the samples that it is said to be the median of.
#[test]
fn times_and_samples_belong_together() {
    let mut bad: Value = serde_json::from_str(GOOD).expect("JSON");
    bad["rows"][1]["timed"][0]["interval"] = json!(null);
    bad["rows"][1]["timed"][0]["seconds"] = json!(0.5);
    let error = read(&bad.to_string()).expect_err("bad");
    assert!(error.contains("seconds is 0.5 though its samples are from 0.01"), "{error}");
}

#[test]
fn what_is_no_json_is_refused() {
    for (text, said) in [
        (String::new(), "EOF"),
        ("[".repeat(100_000), "invalid type"),
        (format!("{{\"schema\": 3, \"x\": {}", "[".repeat(100_000)), "EOF"),
        (GOOD.replace("\"seed\": 7", "\"seed\": NaN"), "expected value"),
        (GOOD.replace("\"seed\": 7", "\"seed\": 1e999"), "number out of range"),
        (format!("{GOOD}{GOOD}"), "trailing characters"),
        (format!("\u{feff}{GOOD}"), "expected value"),
    ] {
        let error = read(&text).expect_err("no report");
        assert!(error.starts_with("r.json is not a report: ") && error.contains(said), "{error}");
    }
}
