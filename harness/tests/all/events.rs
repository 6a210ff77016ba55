//! `events`, as a user runs it: kernels whose counts are worked out by hand, hazards, and mistakes.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events/small.ptx");
const NOTICE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events/notice.ptx");
const RACY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/simulator/simt/tests/kernels/racy.ptx");

/// Runs `harness events FILE …` with the arguments of a line.
fn events(file: &str, arguments: &str) -> Output {
    let mut command = crate::program();
    command.args(["events", file]).args(arguments.split_whitespace());
    command.env("COLUMNS", "80").output().expect("it runs")
}

/// What it says as data.
fn facts(file: &str, arguments: &str) -> Value {
    let output = events(file, &format!("{arguments} --format json"));
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {error}"))
}

/// Some totals of a launch.
fn totals<const N: usize>(facts: &Value, names: [&str; N]) -> [u64; N] {
    names.map(|name| facts["total"][name].as_u64().unwrap_or_else(|| panic!("{name}: {facts}")))
}

/// Demands an exit code and words on standard error.
fn refused(file: &str, arguments: &str, code: i32, words: &[&str]) {
    let output = events(file, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments} does not say {word:?}: {error}");
    }
    assert!(!error.contains("panicked"), "{error}");
}

#[test]
fn neighbours_share_sectors_and_strides_do_not() {
    let of = |stride: u32| {
        facts(
            SMALL,
            &format!(
                "--entry copy --grid 1 --block 32 --arg f32[32]=uninit --arg f32[1024]=rand \
                 --arg u32={stride}"
            ),
        )
    };
    let names = ["warps", "global_requests", "global_bytes", "global_sectors"];
    // A load and a store of 32 words: 4 sectors each.
    assert_eq!(totals(&of(1), names), [12, 2, 256, 8]);
    // The load's words lie 8 bytes apart: 8 sectors.
    assert_eq!(totals(&of(2), names), [12, 2, 256, 12]);
    // 32 bytes apart: each its own sector.
    let far = of(8);
    assert_eq!(totals(&far, names), [12, 2, 256, 36]);
    let load = far["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .find(|line| line["text"].as_str().is_some_and(|text| text.contains("ld.global.f32")));
    let counts = &load.expect("the load's line")["counts"];
    assert_eq!((counts["global_sectors"].as_u64(), counts["warps"].as_u64()), (Some(32), Some(1)));
}

#[test]
fn lanes_in_one_bank_take_turns() {
    let names = ["shared_requests", "shared_wavefronts"];
    for (stride, passes) in [(1, 1), (2, 2), (3, 1), (8, 8), (32, 32)] {
        let arguments = format!("--entry banks --grid 3 --block 32 --arg u32={stride}");
        assert_eq!(totals(&facts(SMALL, &arguments), names), [3, 3 * passes], "stride {stride}");
    }
}

#[test]
fn the_text_shows_lines_totals_and_the_bound() {
    let output = events(SMALL, "--entry banks --grid 1 --block 32 --arg u32=32");
    assert!(output.status.success(), "no hazard");
    let text = String::from_utf8(output.stdout).expect("text");
    for words in ["st.shared.u32", "32 passes over the banks, 31 of them by conflicts", "◀"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "too wide: {line}");
    }
    assert!(!text.contains("global"), "columns and lines without events are left out: {text}");
}

#[test]
fn a_race_is_told_and_decides_the_exit_code() {
    let arguments = "--entry transpose --grid 1 --block 32,8 --arg i32[1024]=uninit \
                     --arg i32[1024]=iota --arg i32=32";
    let output = events(RACY, arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("hazard:") && text.contains("__syncthreads"), "{text}");
    let hazards = facts(RACY, arguments)["hazards"].as_array().map(Vec::len);
    assert!(hazards.is_some_and(|count| count > 0));
    let unchecked = events(RACY, &format!("{arguments} --no-hazards"));
    assert!(unchecked.status.success());
}

#[test]
fn scheduling_decides_whether_a_spinning_warp_ends() {
    let kernels = Path::new(RACY).with_file_name("spin-wrong.ptx");
    let file = kernels.to_str().expect("a path that is text");
    let zeros = ",0".repeat(32);
    let arguments = format!("--grid 1 --block 32 --arg i32[34]=1,1{zeros}");
    refused(
        file,
        &format!("{arguments} --scheduling lockstep"),
        1,
        &["deadlock", "spin-wrong.cu:12"],
    );
    assert!(events(file, &arguments).status.success(), "every lane makes progress");
    refused(file, &format!("{arguments} --scheduling maybe"), 2, &["maybe", "lockstep"]);
}

#[test]
fn colours_are_for_those_who_want_them() {
    for (variable, coloured) in [("NO_COLOR", false), ("CLICOLOR_FORCE", true)] {
        let mut command = crate::program();
        command.env_remove("NO_COLOR").env(variable, "1").args(["events", SMALL]);
        command.args(["--entry", "banks", "--grid", "1", "--block", "32", "--arg", "u32=1"]);
        let output = command.output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout).contains('\u{1b}'), coloured);
    }
}

#[test]
fn mistakes_are_answered_with_what_would_be_right() {
    let launch = "--grid 1 --block 32";
    let with = |rest: &str| format!("{launch} {rest}");
    refused(SMALL, launch, 2, &["--entry NAME", "copy", "banks"]);
    refused(SMALL, &with("--entry bank"), 2, &["`bank`", "did you mean `banks`?"]);
    let wanted = ["takes 3 arguments", "given 1 times", "1: 8 bytes", "3: 4 bytes", "f32[1024]"];
    refused(SMALL, &with("--entry copy --arg u32=1"), 2, &wanted);
    refused(SMALL, &with("--entry banks --arg u64=1"), 2, &["4 bytes as argument 1", "8 were"]);
    refused(SMALL, &with("--entry banks --arg u8=300"), 2, &["u8", "0 to 255"]);
    refused(SMALL, &with("--entry banks --arg f32[4]=@absent.bin"), 2, &["4 bytes"]);
    refused(SMALL, &with("--entry banks --arg u32=1 --const n=u32=1"), 2, &["no __constant__"]);
    refused(SMALL, &with("--entry banks --arg u32=1 --gpu voodoo"), 2, &["voodoo"]);
    refused(SMALL, "--grid 0 --block 32", 2, &["at least 1"]);
    refused(SMALL, "--grid 1 --block 2048 --entry banks --arg u32=1", 1, &["1024 threads"]);
    let much = "--entry banks --arg u32=1 --shared 60000 --gpu tesla-c2050";
    refused(SMALL, &with(much), 1, &["shared memory", "C2050"]);
    refused(SMALL, &with("--entry banks --arg u32=64"), 1, &["out of bounds", "4096 bytes"]);
    refused("absent.cu", launch, 1, &["absent.cu"]);
    refused(RACY, &with("--entry bytes --arg u8[4]=@absent.bin"), 2, &["takes 3 arguments"]);
}

#[test]
fn what_only_shows_in_another_order_of_blocks_is_found() {
    let of = |kernel: &str| {
        let arguments =
            "--grid 2 --block 1 --arg u32[2]=zero --arg out=u32[1]=uninit --expect out=7";
        facts(NOTICE, &format!("--entry {kernel} {arguments}"))
    };
    let [ordered, unordered] = ["ordered", "unordered"].map(of);
    assert_eq!(ordered["hazards"].as_array().map(Vec::len), Some(0), "{ordered}");
    let hazard = unordered["hazards"][0].as_str().unwrap_or_default();
    assert!(
        hazard.contains("in another order of the blocks: out[0] is 0 in place of 7"),
        "{hazard}"
    );
    let different = |facts: &Value| facts["expected"][0]["different"].as_u64();
    assert_eq!(
        [&ordered, &unordered].map(different),
        [Some(0); 2],
        "what is shown is of the first run"
    );
}
