//! The program `cargo run -p harness`: see [`harness::cli`].

fn main() -> std::process::ExitCode {
    harness::cli::main()
}
