//! What kernels print, as `events` shows it.

use std::process::Output;

const PRINTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/simulator/simt/tests/kernels/prints.ptx");

/// Runs `harness events` for a kernel with `out`, `in` and `n`.
fn events(kernel: &str, block: u32, n: u32, format: &str) -> Output {
    let arguments = format!(
        "--entry {kernel} --grid 2 --block {block} --format {format} --arg i32[64]=zero --arg i32[64]=iota --arg i32={n}"
    );
    let mut command = crate::program();
    command.args(["events", PRINTS]).args(arguments.split_whitespace());
    command.env("COLUMNS", "80").output().expect("it runs")
}

#[test]
fn what_a_kernel_prints_is_shown_and_in_the_data() {
    let lines =
        [0, 1].map(|b| format!("block {b} thread 0\nblock {b} thread 16\nblock {b} ends\n"));
    let json = events("order", 32, 0, "json").stdout;
    let facts: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(facts["printed"].as_str(), Some(lines.concat().as_str()));
    let text = String::from_utf8(events("order", 32, 0, "table").stdout).expect("text");
    assert!(text.contains(&format!("\nPrinted\n{}", lines.concat())), "{text}");
}

#[test]
fn what_came_before_a_fault_is_shown_with_it() {
    let output = events("asserts", 36, 0, "table");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    for word in ["before 35\n", "block: [1,0,0], thread: [34,0,0] Assertion `x < 70"] {
        assert!(error.contains(word), "{word:?}: {error}");
    }
}

#[test]
fn what_is_left_on_the_heap_is_told() {
    let text = String::from_utf8(events("keep", 8, 10, "table").stdout).expect("text");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("16 blocks of 640 bytes are not freed; the first was allocated at"),
        "{text}"
    );
}
