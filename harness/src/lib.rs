//! The program behind `cargo run -p harness`.
