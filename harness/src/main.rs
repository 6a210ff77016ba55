//! The program `cargo run -p harness`.

fn main() {}
