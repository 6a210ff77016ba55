//! Builds the book: `cargo run -p book`.

fn main() {}
