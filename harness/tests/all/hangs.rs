//! What never ends is stopped: a driver that does not answer, and kernels that loop for ever.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Runs the program to its end, which must come in time, and returns its exit code and all that it says.
fn ended(mut command: Command) -> (Option<i32>, String) {
    let began = Instant::now();
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    assert!(began.elapsed() < Duration::from_secs(60), "{command:?}: {:?}", began.elapsed());
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(!said.contains("panicked"), "{command:?}: {said}");
    (output.status.code(), said)
}

#[test]
fn a_driver_that_hangs_is_an_error_of_every_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let compiler = match toolchain::cc::Compiler::find() {
        Ok(compiler) => compiler,
        Err(error) => return println!("SKIPPED: {error}"),
    };
    let file = folder.path().join("driver.c");
    let mut text = "#include <stdlib.h>\n#include <unistd.h>\n\
                    static void hang(void) { for (;;) pause(); }\n\
                    int cuInit(unsigned flags) { atexit(hang); hang(); }\n"
        .to_owned();
    // The list is the words of a text: those after it are no names.
    let list = include_str!("../../core/device/src/cuda/driver.rs")
        .split_once("const FUNCTIONS: &str = \"");
    let (list, _) = list.and_then(|(_, rest)| rest.split_once('"')).expect("the list");
    for name in list.split_whitespace().filter(|name| *name != "cuInit") {
        text += &format!("int {name}(void) {{ return 999; }}\n");
    }
    fs::write(&file, text).expect("a file");
    let mut compile = Command::new(compiler.program);
    compile.args(["-shared", "-fPIC", "-o"]).arg(folder.path().join("libcuda.so")).arg(file);
    assert!(compile.status().expect("it compiles").success());
    let check = |line: &str, code| {
        let mut command = crate::program();
        command.args(line.split_whitespace());
        if line.contains("--size") {
            command.arg("--out").arg(folder.path().join(&line[..3]));
        }
        command.env("LD_LIBRARY_PATH", folder.path()).env("LADDER_DRIVER_SECONDS", "1");
        let (ended, said) = ended(command);
        assert_eq!(ended, Some(code), "{line}: {said}");
        for word in ["did not answer within 1 s", "nvidia-smi", "LADDER_DRIVER_SECONDS", "simt"] {
            assert!(said.contains(word), "{line} does not say {word:?}: {said}");
        }
    };
    // Side by side: all that each does is to wait.
    thread::scope(|scope| {
        for (line, code) in [
            ("doctor", 0),
            ("gpus cuda:0", 2),
            ("run --steps 06 --size 256", 1),
            ("scale --size 256", 1),
            ("explain 06 --gpu cuda", 2),
        ] {
            let check = &check;
            scope.spawn(move || check(line, code));
        }
    });
}

/// A loop without an end that does this.
fn endless(body: &str) -> String {
    format!(
        ".version 7.8\n.target sm_50\n.address_size 64\n\
         .visible .entry spin(.param .u64 p)\n{{\n\
         .reg .u64 %a;\n.reg .u32 %n;\nld.param.u64 %a, [p];\nmov.u32 %n, 0;\n\
         L:\nadd.u32 %n, %n, 1;\n{body}\nbra L;\n}}\n"
    )
}

#[test]
fn an_endless_kernel_is_stopped_at_its_loop() {
    is_stopped("st.global.u32 [%a], %n;", "--grid 1 --block 64");
}

#[test]
#[ignore = "runs in CI: each is stopped after a second"]
fn endless_kernels_are_stopped_whatever_they_do() {
    is_stopped("", "--grid 4 --block 1024");
    is_stopped("", "--grid 1 --block 32 --no-hazards");
    is_stopped("atom.global.add.u32 %n, [%a], 1;", "--grid 4 --block 32 --no-hazards");
}

/// A loop without an end that does this is stopped where it is.
fn is_stopped(body: &str, options: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("spin.ptx");
    fs::write(&file, endless(body)).expect("a file");
    let mut command = crate::program();
    command.arg("events").arg(&file).args(["--arg", "u32[1]=0"]);
    command.args(options.split_whitespace()).args(["--launch-limit", "1"]);
    let (code, said) = ended(command);
    assert_eq!(code, Some(1), "{body}: {said}");
    let place = format!("kernel `spin` at {}:1", file.display());
    for word in ["finished within 1 s", &place, "--launch-limit 600"] {
        assert!(said.contains(word), "{body}: does not say {word:?}: {said}");
    }
}

#[test]
#[ignore = "runs in CI: two commands that loop for a second on all cores"]
fn a_readers_endless_kernel_is_stopped_at_its_loop() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken/endless.ptx");
    for line in ["explain 06", "run --as 06 --device simt --format json"] {
        let mut command = crate::program();
        command.args(line.split_whitespace()).args(["--kernel", file]);
        match line.starts_with("run") {
            true => command.args(["--launch-limit", "1", "--out"]).arg(folder.path()),
            false => command.env("LADDER_LAUNCH_SECONDS", "1"),
        };
        let (code, said) = ended(command);
        assert_eq!(code, Some(1), "{line}: {said}");
        assert!(said.contains("finished within 1 s") && said.contains("endless.cu:24"), "{said}");
    }
}
