//! Reports as CSV and Markdown: every number of the report is there, and reads back as it was.

use std::collections::BTreeMap;
use std::path::Path;

use harness::export::{csv, markdown, samples_csv};
use ladder::report::Report;

const REPORT: &str = include_str!("../../ladder/tests/data/report-v2.json");

/// Its rows of the GPU's ladder.
fn report() -> Report {
    let mut report = Report::from_json(REPORT.as_bytes(), Path::new("r.json")).expect("a report");
    report.rows.retain(|row| row.ladder == "nbody");
    report
}

/// Lines as cells by the names of their columns.
fn lines(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let lines = reader.deserialize().map(|line| line.expect("as wide as the head"));
    lines.collect()
}

#[test]
fn csv_has_a_line_for_each_step_and_size() {
    let report = report();
    let lines = lines(&csv(&report).expect("CSV"));
    // Two sizes, two sizes, one, and two steps without a time.
    let keys: Vec<_> =
        lines.iter().map(|line| (&*line["step"], &*line["block"], &*line["n"])).collect();
    assert_eq!(
        keys,
        [
            ("02-n-threads", "", "131072"),
            ("02-n-threads", "", "4096"),
            ("05-rsqrt", "", "131072"),
            ("05-rsqrt", "", "4096"),
            ("05-rsqrt", "128", "131072"),
            ("05x-two-loops", "", "257"),
            ("06-shared-blocking", "", ""),
        ]
    );
    let number = |line: usize, column: &str| lines[line][column].parse::<f64>().ok();
    let main = report.rows[1].main().expect("timed");
    let parent = main.parent.expect("compared");
    for (column, value) in [
        ("seconds", main.seconds),
        ("seconds_low", main.interval.expect("one").low),
        ("step_seconds_high", main.step_interval.expect("one").high),
        ("interactions_per_second", main.interactions_per_second()),
        ("times_parent", parent.ratio),
        ("times_parent_high", parent.interval.expect("one").high),
        ("samples", 8.0),
        ("suspects", 1.0),
        ("error_rms", 9.1e-7),
    ] {
        assert_eq!(number(2, column), Some(value), "{column}");
    }
    assert_eq!((&*lines[2]["verdict"], &*lines[2]["outcome"]), ("faster", "measured"));
    let costs = report.rows[0].end_to_end.expect("known");
    assert_eq!(number(0, "end_to_end_seconds"), Some(costs.seconds()));
    assert_eq!((&*lines[0]["bound"], &*lines[0]["bound_fraction"]), ("issue", "0.465"));
    assert_eq!(
        (&*lines[1]["end_to_end_seconds"], &*lines[1]["bound"]),
        ("", ""),
        "of its own size"
    );
    assert_eq!(lines[5]["reason"], "accelerations at n = 257: body 256 is off");
    assert_eq!((&*lines[5]["seconds"], &*lines[5]["error_worst"]), ("", "4"));
}

#[test]
fn csv_has_a_line_for_each_sample() {
    let report = report();
    let lines = lines(&samples_csv(&report).expect("CSV"));
    assert_eq!(lines.len(), 5 * 8);
    let samples = &report.rows[1].timed[1].samples;
    for (at, line) in lines[24..32].iter().enumerate() {
        assert_eq!(
            (&*line["step"], &*line["n"], &*line["sample"]),
            ("05-rsqrt", "4096", &*at.to_string())
        );
        assert_eq!(line["seconds"].parse::<f64>(), Ok(samples.seconds[at]));
        assert_eq!(line["clock_mhz"].parse::<u32>(), Ok(samples.clock_mhz[at]));
        let reason = if at == 2 { "the GPU lowered its clocks: power cap" } else { "" };
        assert_eq!(line["suspect"], reason);
    }
}

/// Whatever stands in a text: a comma, a quote, the end of a line.
#[test]
fn odd_texts_stay_in_their_cells() {
    let mut report = report();
    let odd = "a, \"b\"\nc | d";
    report.rows[4].reason = Some(odd.to_owned());
    report.rows[0].changes = odd.to_owned();
    assert_eq!(lines(&csv(&report).expect("CSV"))[6]["reason"], odd);
    let page = markdown(&report);
    assert!(page.contains("- `06-shared-blocking` failed: a, \"b\" c | d\n"), "{page}");
    assert!(page.contains("a, \"b\" c \\| d | measured |"), "{page}");
}

#[test]
fn a_page_has_the_steps_all_sizes_and_the_costs() {
    let page = markdown(&report());
    for part in [
        "# The nbody ladder on NVIDIA H200\n",
        "- Driver: 580.159.04\n",
        "\n## All sizes\n\n| step | n | time | time step |",
        "| `05-rsqrt` (128) | 131072 | 10.7 ms |",
        "\n## From end to end\n",
        "| `02-n-threads` | 131072 | 210 ms | 120 µs | 410 µs | 20.4 ms | 390 µs | 231 ms | 12.8 | 13.4 |",
        "- `05x-two-loops` wrong: accelerations at n = 257: body 256 is off\n",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("modelled"), "{page}");
}
