//! The maintainers' program as a whole.

mod cli;
#[cfg(unix)]
mod hostile_files;
mod mutate;
mod recount;
mod splice;
mod validate;

/// The program.
fn program() -> std::process::Command {
    std::process::Command::new(env!("CARGO_BIN_EXE_maintain"))
}
