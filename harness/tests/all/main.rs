//! The program and its library as a whole. All in one test program: to link each file alone costs more than it runs.

mod accounting;
mod arrows;
mod broken;
#[cfg(target_os = "linux")]
mod children;
mod class_book;
mod classroom;
mod cli;
mod compare;
#[cfg(target_os = "linux")]
mod confine;
mod cpu;
mod cpu_limits;
mod events;
mod events_launches;
#[cfg(target_os = "linux")]
mod exec;
mod explain;
#[cfg(unix)]
mod foreign;
mod grade;
#[cfg(unix)]
mod hangs;
#[cfg(unix)]
mod hostile_files;
mod kernels;
mod learn;
mod libraries;
mod limits;
mod machine;
mod meter;
mod mutated_reports;
mod new;
mod new_workspace;
mod numbers;
mod one_step;
mod planned;
mod prints;
mod readers;
#[cfg(unix)]
mod reliability;
mod report;
mod run;
mod runs;
#[cfg(unix)]
mod sanitize;
mod scale;
mod seeds;
mod steps;
mod streams;
mod unsafe_code;
#[cfg(unix)]
mod watch;
#[cfg(unix)]
mod watching;
#[cfg(unix)]
mod worker;

/// The program.
fn program() -> std::process::Command {
    std::process::Command::new(env!("CARGO_BIN_EXE_harness"))
}

/// A ladder whose steps are verified in a tenth of a second, and the first of them.
const QUICK: &str = "reduction";
const QUICK_STEPS: [&str; 3] = ["01-atomic", "02-interleaved", "03-sequential"];

/// `run` on the simulator of some of those steps.
fn quick_run(steps: &str, out: &std::path::Path) -> std::process::Command {
    let mut command = program();
    command.args(["run", QUICK, "--device", "simt", "--size", "64", "--steps", steps, "--out"]);
    command.arg(out);
    command
}
