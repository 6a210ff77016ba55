//! `exec`, as a user runs it: a program in C that calls the CUDA runtime as nvcc's programs do, and what it says when it
//! cannot. Without a C compiler the program is left out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::children;

/// A program that registers the PTX of `device.h`, adds numbers up with it, and returns what its first argument says.
const PROGRAM: &str = include_str!("../exec/main.c");

/// `sum` adds the number of every thread up; in `race` all threads store theirs.
const PTX: &str = include_str!("../exec/add.ptx");

/// A fat binary with this PTX as it is, as an array in C.
fn device_code(text: &str) -> String {
    let mut payload = format!("{text}\0").into_bytes();
    payload.resize(payload.len().next_multiple_of(8), 0);
    let mut bytes = vec![0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
    bytes.extend((64 + payload.len() as u64).to_le_bytes());
    bytes.extend([1, 0, 1, 1, 64, 0, 0, 0]);
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend([0; 12]);
    bytes.extend(50_u32.to_le_bytes());
    bytes.extend([0; 32]);
    bytes.extend(payload);
    let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
    format!("static const _Alignas(8) unsigned char device_code[] = {{{}}};", list.join(","))
}

/// What the program links to, as NVIDIA's library has it: functions under a version.
const LIBRARY: &str = "
void __cudaRegisterFatBinary() {} void __cudaRegisterFunction() {} void cudaMalloc() {} void cudaMemset() {}
void cudaMemcpy() {} void cudaLaunchKernel() {} void cudaDeviceSynchronize() {} void cudaImportExternalMemory() {}
void cudaGetErrorName() {}";

/// Compiles the program; none where there is no C compiler.
fn program(folder: &Path) -> Option<PathBuf> {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("main.c", PROGRAM);
    write("device.h", &device_code(PTX));
    write("library.c", LIBRARY);
    write("versions", "libcudart.so.13 { *; };");
    let library = "-shared -fPIC -w -Wl,-soname,libcudart.so.13 -Wl,--version-script,versions library.c -o libcudart.so";
    for line in [library, "main.c libcudart.so -o adds"] {
        let mut compiler = Command::new("cc");
        let Ok(output) = compiler.args(line.split(' ')).current_dir(folder).output() else {
            eprintln!("left out: there is no C compiler `cc`");
            return None;
        };
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    Some(folder.join("adds"))
}

fn exec(arguments: &[&str]) -> Output {
    crate::program().arg("exec").args(arguments).env("COLUMNS", "120").output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_program_runs_and_its_launches_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = program(folder.path()) else { return };
    let program = program.to_str().expect("text");

    // 4 blocks of threads 0 to 63.
    let output = exec(&[program]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{shown}{}", text(&output.stderr));
    assert!(shown.starts_with("cudaSuccess, 8064\n"), "{shown}");
    assert!(shown.contains("NVIDIA H200") && shown.contains("sum "), "{shown}");
    // Its own exit code is the program's.
    assert_eq!(exec(&[program, "7"]).status.code(), Some(7));

    let output = exec(&["--gpu", "a100", "--format", "json", program]);
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    assert!(text(&output.stderr).contains("cudaSuccess, 8064"));
    let kernel = &outcome["kernels"][0];
    assert_eq!((&kernel["kernel"], &kernel["launches"]), (&"sum".into(), &1.into()));
    // 8 warps of 4 instructions; each adds to one sector.
    assert_eq!((&kernel["warp_instructions"], &kernel["global_sectors"]), (&32.into(), &8.into()));
    assert!(outcome["gpu"].as_str().is_some_and(|gpu| gpu.contains("A100")), "{outcome}");
}

/// As nvcc links the runtime by default: the functions that are in the program are not called.
#[test]
#[cfg(target_arch = "x86_64")]
fn a_program_with_the_runtime_in_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    if program(folder.path()).is_none() {
        return;
    }
    std::fs::write(folder.path().join("end.c"), "void end() {}").expect("a file");
    let link = |more: &[&str]| {
        let mut compiler = Command::new("cc");
        compiler.args([
            "-w",
            "-O2",
            "-fno-ipa-icf",
            "main.c",
            "library.c",
            "end.c",
            "-o",
            "linked",
        ]);
        assert!(
            compiler.args(more).current_dir(folder.path()).status().is_ok_and(|it| it.success())
        );
        folder.path().join("linked").to_str().expect("text").to_owned()
    };
    let output = exec(&[&link(&[])]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with("cudaSuccess, 8064\n"), "{shown}{}", text(&output.stderr));
    // Without symbols its own functions run, which do nothing.
    let shown = text(&exec(&[&link(&["-s"])]).stdout);
    assert!(shown.contains("launched no kernel"), "{shown}");
}

#[test]
fn what_is_wrong_with_a_program_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = program(folder.path()) else { return };
    let program = program.to_str().expect("text");

    // A race that the program does not see.
    let output = exec(&[program, "100"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("hazard:") && shown.contains("adds-1.ptx:15"), "{shown}");
    assert_eq!(exec(&["--no-hazards", program, "100"]).status.code(), Some(0));

    // Only the first of three launches is watched; the others still compute.
    let output = exec(&["--watched", "1", "--format", "json", program, "103"]);
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    let race = &outcome["kernels"][1];
    assert_eq!((&race["launches"], &race["unwatched"]), (&3.into(), &2.into()), "{outcome}");
    assert_eq!(outcome["hazards"][0]["launches"], 1);
    let [first, second] = [1, 2].map(|at| &outcome["launches"][at]);
    assert_eq!(first["seconds"], second["seconds"]);
    assert_eq!(first["warp_instructions"], second["warp_instructions"]);

    // With 0 none is, but each has a time.
    let output = exec(&["--watched", "0", "--format", "json", program, "103"]);
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    let race = &outcome["kernels"][1];
    assert_eq!((&race["launches"], &race["unwatched"]), (&3.into(), &3.into()), "{outcome}");
    assert_eq!((output.status.code(), &outcome["hazards"]), (Some(0), &Value::Array(vec![])));
    assert!(race["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{outcome}");

    // A kernel that is stopped: the program gets the error, its author the reason.
    let output = exec(&[program, "101"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.starts_with("cudaErrorIllegalAddress, 0\n"), "{shown}");
    for word in ["out of bounds", "adds-1.ptx:8", "cudaMalloc 1", "to do:"] {
        assert!(shown.contains(word), "no {word:?}: {shown}");
    }

    // A function that is not simulated.
    let output = exec(&[program, "102"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cudaImportExternalMemory, which is not simulated"));

    // The PTX that lines are of can be had.
    let ptx = folder.path().join("ptx");
    exec(&["--ptx", ptx.to_str().expect("text"), program]);
    let written = std::fs::read_to_string(ptx.join("adds-1.ptx")).expect("a file");
    assert_eq!(written, PTX);
}

#[test]
fn what_cannot_be_run_is_refused_with_a_remedy() {
    let refused = |arguments: &[&str], words: &[&str]| {
        let output = exec(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{words:?}: {error}");
    };
    refused(&[], &["PROGRAM"]);
    refused(&["./no-such-program"], &["no-such-program", "no such file"]);
    refused(&["--gpu", "voodoo", "/bin/true"], &["voodoo", "harness gpus"]);
    refused(&["--gpu", "cuda:0", "/bin/true"], &["harness gpus"]);
    // A program without device code simply runs.
    let output = exec(&["/bin/true"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("launched no kernel"));
}

/// Killed as by a system that is out of memory or by an impatient parent, or asked to end: nothing of it goes on.
#[test]
#[ignore = "runs in CI: a program is begun and ended in three ways"]
fn a_program_ends_with_the_harness() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = program(folder.path()) else { return };
    let all = [("-KILL", None), ("-TERM", Some(143)), ("-INT", Some(130))];
    // What a shell starts beside itself ignores Ctrl-C, and so do the processes that it starts.
    let count = if children::ignores_interrupts() { 2 } else { 3 };
    for (signal, code) in &all[..count] {
        let mut command = crate::program();
        command.arg("exec").arg(&program).arg("104");
        let harness = children::start(command, folder.path()).expect("it spins");
        children::ends_all(harness, signal, *code, folder.path());
    }
}
