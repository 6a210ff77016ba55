//! What compiles kernels, and what it says where no compiler is found: run without any, with NVRTC and with clang
//! (`LADDER_COMPILER=clang`, which the tests of exercises follow).

mod clang;
mod exercises;
#[cfg(unix)]
mod grade;
#[cfg(target_os = "linux")]
mod host;
#[cfg(unix)]
mod messages;
mod new;
mod rust;
mod sources;
mod sweep;
#[cfg(unix)]
#[path = "../all/watching.rs"]
mod watching;

/// The program.
fn program() -> std::process::Command {
    std::process::Command::new(env!("CARGO_BIN_EXE_harness"))
}
