//! The program as a user runs it: every mistake gets a short answer with its remedy and the right
//! exit code, and nothing is half-written.

use std::fs;
use std::process::Output;

/// Runs the program without a GPU's driver in sight of the test's expectations.
fn harness(arguments: &[&str]) -> Output {
    let mut command = crate::program();
    command.args(arguments).output().expect("it runs")
}

/// Demands an exit code, words on standard error, and nothing on standard output.
fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = crate::program();
    command.args(arguments);
    if arguments[0] == "run" && !arguments.contains(&"--out") {
        // Tests run at once, and a folder takes one run at a time.
        command.arg("--out").arg(folder.path());
    }
    let output = command.output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?} wrote to standard output");
    for word in words {
        assert!(error.contains(word), "{arguments:?} does not say {word:?}: {error}");
    }
    assert!(!error.contains("panicked"), "{error}");
}

#[test]
fn unknown_names_get_the_nearest_and_all() {
    refused(&["run", "nbdy"], 2, &["`nbdy`", "did you mean `nbody`?"]);
    refused(&["run", "--steps", "rsqr"], 2, &["did you mean `rsqrt`?", "10-fast-math"]);
    refused(&["watch", "absent.cu", "--as", "06"], 2, &["no absent.cu", "cp kernels/nbody/06"]);
    refused(&["watch", "Cargo.toml", "--as", "06"], 2, &["Cargo.toml", ".cu"]);
    refused(&["watch", "Cargo.toml", "cpu", "--as", "01"], 2, &["watch is for kernels"]);
    refused(&["run", "--steps", "01..77"], 2, &["`77`", "01-one-thread"]);
    refused(&["run", "--steps", "06..01"], 2, &["backwards"]);
    refused(&["run", "--device", "simt", "--gpu", "voodoo"], 2, &["voodoo", "harness gpus"]);
    refused(&["run", "--device", "gpu"], 2, &["gpu", "cuda:N"]);
    refused(&["run", "--code", "nvcc"], 2, &["nvcc", "committed"]);
    refused(&["run", "--format", "xml"], 2, &["xml", "json"]);
    refused(&["ptx", "--check"], 2, &["cargo run -p maintain -- ptx"]);
}

#[test]
fn sizes_are_counts_within_reach() {
    refused(&["run", "--size", "0"], 2, &["at least 1"]);
    refused(&["run", "--size", "many"], 2, &["64k"]);
    refused(&["run", "--size", "-5"], 2, &["-5"]);
    refused(&["run", "--size", "5000M"], 2, &["5000000000", "at most", "bodies"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out").display().to_string();
    let too_many = ["run", "--device", "simt", "--size", "2000M", "--out", &out];
    refused(&too_many, 2, &["MiB", "smaller"]);
    refused(&["run", "--time-steps", "0"], 2, &["at least one"]);
}

#[test]
fn files_are_looked_at_before_the_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    refused(&["run", "--kernel", "a.cu"], 2, &["--as"]);
    refused(&["run", "--as", "06"], 2, &["--kernel"]);
    refused(&["run", "--kernel", &path("absent.cu"), "--as", "06"], 1, &["absent.cu"]);
    fs::write(folder.path().join("kernel.txt"), "").expect("a file");
    refused(&["run", "--kernel", &path("kernel.txt"), "--as", "06"], 1, &[".cu", ".ptx"]);
    fs::write(folder.path().join("k.ptx"), "").expect("a file");
    refused(
        &["run", "--kernel", &path("k.ptx"), "--as", "06", "--steps", "05"],
        2,
        &["leaves out"],
    );
    refused(&["run", "--bodies", &path("absent.csv")], 2, &["absent.csv"]);
    let rows = "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,0,NaN,0,0,0,0\n";
    fs::write(folder.path().join("bad.csv"), rows).expect("a file");
    refused(&["run", "--bodies", &path("bad.csv")], 2, &["bad.csv", "3"]);
    refused(&["run", "--save", &path("absent/out.csv")], 2, &["out.csv"]);
    fs::write(folder.path().join("one.csv"), &rows[..rows.len() - 16]).expect("a file");
    let size = ["run", "--bodies", &path("one.csv"), "--size", "5"];
    refused(&size, 2, &["--size 5", "a file", "leave --size out"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_found_out_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    let below = file.join("reports").display().to_string();
    refused(&["run", "--device", "simt", "--out", &below], 1, &["--out"]);
}

#[test]
fn cuda_without_cuda_is_no_usage_error() {
    if device::survey().driver.is_some() {
        eprintln!("skipped: this machine has an NVIDIA driver");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().display().to_string();
    refused(&["run", "--device", "cuda", "--out", &out], 1, &["driver", "--device simt"]);
    assert_eq!(
        fs::read_dir(folder.path()).expect("the folder").count(),
        0,
        "something was written"
    );
}

/// A program that carries nothing finds the clone that it was built in; what it writes is the user's.
#[test]
fn outside_of_a_clone_a_ladder_runs_and_its_report_is_here() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = crate::program();
    let command = command.current_dir(folder.path()).env_remove("CARGO_MANIFEST_DIR");
    let output = command.args(["run", "02", "--device", "simt", "--size", "64"]).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("reports/local/nbody").is_dir());
}

/// What a command prints on a terminal of 80 columns. A path or a command stays whole.
fn check_width(arguments: &[&str]) {
    let output = crate::program().args(arguments).env("COLUMNS", "80").output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let wide = |line: &&str| {
        line.chars().count() > 80 && !line.contains("get it: ") && !line.contains('/')
    };
    let wide: Vec<&str> = text.lines().filter(wide).collect();
    assert!(output.status.success() && wide.is_empty(), "{arguments:?}: {wide:#?}");
}

#[test]
fn lines_break_at_words() {
    for arguments in [&["list"][..], &["doctor"], &["gpus"], &["gpus", "h200"]] {
        check_width(arguments);
    }
}

#[test]
fn what_is_listed_is_there_as_data_too() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        let output = harness(&[arguments, &["--format", "json"]].concat());
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).expect("JSON and nothing else")
    };
    let ladders = json(&["list"]);
    assert_eq!(ladders.as_array().expect("ladders").len(), ladders::LADDERS.len());
    assert_eq!(ladders[0]["steps"][1]["after"], "01-one-thread");
    let found = json(&["doctor"]);
    let names = found.as_array().expect("findings").iter().map(|it| it["name"].as_str());
    assert!(names.flatten().any(|name| name.contains("NVRTC")) && found[0]["found"].is_boolean());
    let gpus = json(&["gpus"]);
    assert!(gpus.as_array().expect("GPUs").iter().any(|gpu| gpu["gpu"] == "h200"), "{gpus}");
    let clock = &json(&["gpus", "h200"])["figures"]["chip"]["clock_mhz"];
    assert!(clock["value"].as_f64() > Some(100.0) && clock["source"].is_string(), "{clock}");
}

#[test]
fn names_that_are_mistyped_have_a_nearest() {
    for (arguments, near) in [
        (&["swep"][..], "'sweep'"),
        (&["explian", "06"], "'explain'"),
        (&["run", "--stps", "05"], "--steps"),
        (&["run", "--device", "simt", "--gpu", "h20"], "h200"),
        (&["run", "nbdy"], "nbody"),
        (&["explain", "transpos", "02"], "transpose"),
    ] {
        refused(arguments, 2, &[near]);
    }
}

#[test]
fn colours_and_news_are_for_those_who_want_them() {
    let coloured = |arguments: &[&str]| harness(arguments).stdout.contains(&0x1b);
    assert!(coloured(&["list", "--color", "always"]) && !coloured(&["list"]));
    assert!(!coloured(&["list", "--color", "never"]));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().display().to_string();
    let run = ["run", "-q", "-d", "simt", "-s", "05", "-n", "64", "-o", &out];
    let output = harness(&run);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(String::from_utf8_lossy(&output.stdout).contains("05-rsqrt"));
}

#[test]
fn shells_can_complete() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = String::from_utf8(harness(&["completions", shell]).stdout).expect("text");
        for word in ["explain", "details", "bodies", "quiet"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn list_names_every_step_and_its_parent() {
    let output = crate::program().arg("list").env("COLUMNS", "200").output().expect("it runs");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    for step in ladders::LADDERS.iter().flat_map(|ladder| ladder.steps()) {
        assert!(text.contains(report::split(step.name).1), "{}", step.name);
        assert!(text.contains(step.changes), "{}", step.changes);
    }
    assert!(!text.contains('\u{1b}'), "colours in a pipe");
}

/// The simulator has no silent errors, and it takes a moment to run the first step.
#[test]
fn a_device_is_screened_for_silent_errors() {
    let doctor = |arguments: &[&str]| {
        let mut command = crate::program();
        command.arg("doctor").args(arguments).output().expect("it runs")
    };
    let output = doctor(&["--gpu-check", "1", "--device", "simt"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("no difference in") && !said.contains(" 0 passes"), "{said}");
    for wrong in
        [&["--gpu-check", "0"][..], &["--gpu-check", "--device", "cpu"], &["--device", "cuda"]]
    {
        assert_eq!(doctor(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn doctor_answers_on_any_machine() {
    let output = harness(&["doctor"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    for word in ["NVIDIA", "NVRTC", "Processor"] {
        assert!(text.contains(word), "{text}");
    }
    // Whatever is missing comes with what it adds and how to get it.
    assert_eq!(text.matches("missing:").count(), text.matches("adds:").count(), "{text}");
}

#[test]
fn help_teaches_by_examples() {
    for arguments in
        [&["--help"][..], &["run", "--help"], &["explain", "--help"], &["events", "--help"]]
    {
        let output = harness(arguments);
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains("Examples"));
    }
}

#[test]
fn a_worker_without_a_request_says_so() {
    refused(&["worker"], 1, &["request"]);
}

#[test]
fn a_refused_run_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("new/out").display().to_string();
    let arguments = ["run", "--device", "simt", "--gpu", "voodoo", "--out", &out];
    refused(&arguments, 2, &["voodoo"]);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn what_is_no_file_is_neither_read_nor_replaced() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().display().to_string();
    refused(&["run", "--bodies", &folder], 2, &[&folder, "ordinary file"]);
    refused(&["run", "--save", &folder], 2, &[&folder, "ordinary file"]);
    let kernel = format!("{folder}/a.cu");
    fs::create_dir(&kernel).expect("a folder");
    refused(&["run", "--kernel", &kernel, "--as", "06"], 1, &["a.cu", "ordinary file"]);
    if cfg!(unix) {
        refused(&["run", "--save", "/dev/null"], 2, &["/dev/null", "ordinary file"]);
    }
}

#[test]
fn help_fits_a_narrow_terminal() {
    for command in ["run", "explain", "events", "gpus", "list", "doctor"] {
        let output = harness(&[command, "-h"]);
        let text = String::from_utf8_lossy(&output.stdout);
        let examples = text.split("\nExamples").nth(1).unwrap_or_default();
        let wide: Vec<&str> = examples.lines().filter(|line| line.chars().count() > 79).collect();
        assert!(output.status.success() && wide.is_empty(), "{command}: {wide:?}");
    }
}

#[test]
fn quiet_leaves_out_what_was_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let report = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/h200/report.json");
    fs::copy(report, folder.path().join("report.json")).expect("a copy");
    let drawn = folder.path().display().to_string();
    let said = |arguments: &[&str]| {
        let output = harness(arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(said(&["report", &drawn]).starts_with("wrote "));
    assert_eq!(said(&["--quiet", "report", &drawn]), "");
}

#[test]
fn common_options_have_one_letter_everywhere() {
    for (command, letters) in [("scale", "sndgfo"), ("compare", "f"), ("events", "gf")] {
        let output = harness(&[command, "-h"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for letter in letters.chars() {
            assert!(text.contains(&format!("  -{letter}, --")), "{command} has no -{letter}");
        }
    }
}
