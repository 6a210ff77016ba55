//! What compiles kernels, and what it says where no NVRTC is found: run both without one and with one.

mod exercises;
#[cfg(unix)]
mod grade;
#[cfg(unix)]
mod messages;
mod new;
mod sources;
mod sweep;
#[cfg(unix)]
#[path = "../all/watching.rs"]
mod watching;

/// The program.
fn program() -> std::process::Command {
    std::process::Command::new(env!("CARGO_BIN_EXE_harness"))
}
