//! A faulty kernel in the place of step 06: it costs its own row, with the reason. Where it could cost more, there is
//! a good step before it and one after.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use report::Outcome;

use super::program::{broken, errors, outcomes, printed, written};

/// The step alone, and with its neighbours.
const ALONE: &str = "06";
const AMONG: &str = "05,06,07";

/// Runs `kernel` in the place of step 06, which is one of `steps`.
fn run(kernel: &Path, steps: &str, out: &Path) -> Command {
    let mut command = crate::program();
    command.args(["run", "nbody", "--device", "simt", "--size", "64", "--format", "json"]);
    command.args(["--steps", steps, "--as", "06", "--kernel"]).arg(kernel).arg("--out").arg(out);
    command
}

/// The reason that the row of step 06 gives; the others are as if nothing had happened.
fn reason(output: &Output, out: &Path) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", errors(output));
    let report = printed(output);
    assert_eq!(written(out), report);
    let expected = [
        ("05-rsqrt", Outcome::Simulated),
        ("06-shared-blocking", Outcome::Failed),
        ("07-unroll", Outcome::Simulated),
    ];
    let place = report.rows.len() / 2;
    let expected = if place == 0 { &expected[1..2] } else { &expected[..] };
    assert_eq!(outcomes(&report.rows), expected, "{}", errors(output));
    assert!(report.rows[place].seconds().is_none(), "what failed is not timed");
    report.rows[place].reason.clone().expect("a reason")
}

fn reason_of(kernel: &Path, steps: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = run(kernel, steps, folder.path()).args(more).output().expect("it runs");
    reason(&output, folder.path())
}

/// What the simulator says of a kernel, with the line of its source.
fn is_fault(name: &str, steps: &str, line: &str, words: &[&str]) {
    let reason = reason_of(&broken(&format!("{name}.ptx")), steps, &[]);
    let source = fs::read_to_string(broken(&format!("{name}.cu"))).expect("the source");
    let number = source.lines().position(|text| text.contains(line)).expect(line) + 1;
    for word in words.iter().copied().chain([format!("{name}.cu:{number}").as_str()]) {
        assert!(reason.contains(word), "{name} does not name {word}: {reason}");
    }
}

#[test]
fn an_illegal_address() {
    let words = ["null pointer", "0x10", "thread (0,0,0)"];
    is_fault("illegal-address", AMONG, "reinterpret_cast", &words);
}

#[test]
fn a_write_far_outside_a_buffer() {
    is_fault("far-outside", ALONE, "1ll << 30", &["out of bounds", "write of 4 bytes"]);
}

#[test]
fn a_write_one_element_behind_a_buffer() {
    is_fault("one-behind", ALONE, "accx[n]", &["out of bounds", "0 bytes after", "`accx`"]);
}

#[test]
fn a_write_one_element_before_a_buffer() {
    is_fault("one-before", ALONE, "accx[-1]", &["out of bounds", "4 bytes before", "`accx`"]);
}

#[test]
fn more_shared_memory_than_there_is() {
    let reason = reason_of(&broken("too-much-shared.ptx"), ALONE, &[]);
    assert!(reason.contains("shared memory") && reason.contains("4198400 bytes"), "{reason}");
}

#[test]
fn more_memory_than_the_device_has() {
    let reason = reason_of(&broken("hoard.ptx"), ALONE, &[]);
    assert!(reason.contains("out of memory: `hoard` needs 4294967296 bytes"), "{reason}");
}

/// The simulator has as much, and the computer does not give it.
#[test]
fn more_memory_than_the_system_gives() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kernel = folder.path().join("hoard.ptx");
    let ptx = fs::read_to_string(broken("hoard.ptx")).expect("the PTX");
    fs::write(&kernel, ptx.replace("hoard[4294967296]", "hoard[1610612736]")).expect("a file");
    let out = folder.path().join("out");
    // `ulimit -v` counts KiB.
    let run = run(&kernel, AMONG, &out);
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 1048576; exec \"$0\" \"$@\""])
        .arg(run.get_program())
        .args(run.get_args())
        .output()
        .expect("it runs");
    let reason = reason(&output, &out);
    let told = "out of memory: this computer does not give 1610612736 bytes for `hoard`";
    assert!(reason.contains(told), "{reason}");
}

#[test]
fn a_kernel_that_never_ends() {
    let began = Instant::now();
    let reason = reason_of(&broken("endless.ptx"), ALONE, &["--deadline", "1"]);
    assert!(reason.contains("endless loop") && reason.contains("verify"), "{reason}");
    assert!(began.elapsed() < Duration::from_secs(60), "it was not ended in time");
}
