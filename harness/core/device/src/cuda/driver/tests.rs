use super::*;

#[test]
fn versions_are_read_as_the_driver_writes_them() {
    assert_eq!(split_version(13000), (13, 0));
    assert_eq!(split_version(12040), (12, 4));
    assert_eq!(split_version(11080), (11, 8));
    for (text, version) in [
        (
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023\nGCC version:  gcc version 12.2.0",
            Some("535.129.03"),
        ),
        (
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build",
            Some("580.95.05"),
        ),
        ("NVRM version: none", None),
        ("", None),
    ] {
        assert_eq!(parse_driver_version(text).as_deref(), version);
    }
}

#[test]
fn a_fault_loses_the_context_and_a_wrong_request_does_not() {
    assert!(is_fatal(DriverError(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS)));
    assert!(is_fatal(DriverError(CUresult::CUDA_ERROR_LAUNCH_TIMEOUT)));
    assert!(!is_fatal(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY)));
    assert!(!is_fatal(DriverError(CUresult::CUDA_ERROR_INVALID_VALUE)));
}

/// Drivers as they should not be: what is wrong with one, C code of functions that behave otherwise than to fail, a function that
/// it lacks, and what is said of it.
#[cfg(unix)]
const BROKEN: [(&str, &str, &str, &str); 5] = [
    (
        "starting hangs, and ending too",
        "static void hang(void) { for (;;) pause(); }
         int cuInit(unsigned flags) { atexit(hang); hang(); }",
        "",
        "did not answer within 1 s",
    ),
    (
        "counting hangs",
        "int cuInit(unsigned flags) { return 0; }
         int cuDeviceGetCount(int *count) { for (;;) pause(); }",
        "",
        "did not answer within 1 s",
    ),
    ("a function lacks", "", "cuMemsetD8_v2", "has no function `cuMemsetD8_v2`"),
    ("the first function lacks", "", "cuInit", "has no function `cuInit`"),
    ("it fails", "", "", "the NVIDIA driver cannot be used"),
];

#[test]
#[cfg(unix)]
fn a_broken_driver_is_an_error_in_time() {
    for (problem, code, lacks, says) in BROKEN {
        let functions = FUNCTIONS.split_whitespace().filter(|name| *name != lacks);
        let functions = functions.filter(|name| !code.contains(&format!("{name}(")));
        let functions: String =
            functions.map(|name| format!("int {name}() {{ return 999; }}\n")).collect();
        let text = format!("#include <stdlib.h>\n#include <unistd.h>\n{code}\n{functions}");
        let Some(said) = said_with("libcuda.so", &text) else { return };
        assert!(said.contains(says) && said.contains("--device simt"), "{problem}: {said}");
        // Another device in its place only where it says itself that it cannot be used.
        assert_eq!(said.contains("opened: the simulator"), problem == "it fails", "{said}");
    }
    let hangs = "#include <unistd.h>\nint nvmlInit_v2(void) { for (;;) pause(); }\n";
    let Some(said) = said_with("libnvidia-ml.so.1", hangs) else { return };
    assert!(said.contains("monitor, did not answer within 1 s"), "{said}");
}

/// What [`a_first_contact`] says in a process that finds this library; none without a C compiler.
#[cfg(unix)]
fn said_with(name: &str, text: &str) -> Option<String> {
    use std::process::Command;
    use std::time::Instant;

    let compiler = match toolchain::cc::Compiler::find() {
        Ok(compiler) => compiler,
        Err(error) => {
            println!("SKIPPED: {error}");
            return None;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.c");
    std::fs::write(&file, text).unwrap();
    let mut compile = Command::new(compiler.program);
    compile.args(["-shared", "-fPIC", "-w", "-o"]).arg(folder.path().join(name)).arg(file);
    assert!(compile.status().unwrap().success(), "{text}");
    let began = Instant::now();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "cuda::driver::tests::a_first_contact", "--ignored", "--nocapture"])
        .env("LD_LIBRARY_PATH", folder.path())
        .env(crate::error::DRIVER_SECONDS, "1")
        .output()
        .unwrap();
    assert!(began.elapsed().as_secs() < 60, "{text}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[ignore = "a helper of the test above"]
fn a_first_contact() {
    let said = |error: Error| error.to_string();
    println!("driver: {}", driver().map_or_else(said, |driver| driver.cuda));
    println!("monitor: {}", monitor::version().unwrap_or_else(|problem| problem));
    match crate::open(crate::Choice::Auto, crate::CodeRoute::Auto, "h200") {
        Ok(device) => println!("opened: the {}", device.info().name),
        Err(error) => println!("not opened: {error}"),
    }
    crate::leave_if_driver_hangs(std::process::ExitCode::SUCCESS);
}

#[test]
#[cfg(target_os = "linux")]
fn every_function_that_is_called_is_looked_for_first() {
    let program = std::env::current_exe().unwrap();
    let Ok(output) = std::process::Command::new("nm").arg("-C").arg(program).output() else {
        println!("SKIPPED: there is no nm, which lists a program's functions");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let called = text.split("cudarc::driver::sys::cu").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest.starts_with(|c: char| c.is_ascii_uppercase()).then(|| format!("cu{}", &rest[..end]))
    });
    let called: std::collections::BTreeSet<String> = called.collect();
    assert!(called.contains("cuInit"), "{called:?}");
    let listed = [
        FUNCTIONS,
        crate::cuda::graph::FUNCTIONS,
        crate::cuda::open::FUNCTIONS,
        crate::cuda::launch::FUNCTIONS,
        crate::cuda::clusters::FUNCTIONS,
        crate::cuda::tensors::FUNCTIONS,
    ]
    .map(str::split_whitespace);
    let listed: Vec<&str> = listed.into_iter().flatten().collect();
    for function in called {
        assert!(listed.contains(&function.as_str()), "{function}");
    }
}
