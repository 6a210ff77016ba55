//! The program of the book's page "Host code" in Rust, with cudarc and nothing of this workbook: `cargo run -p device --example host`.
//! It needs a GPU.

#[allow(unsafe_code)] // launches: nobody checks that a kernel's arguments are what it takes
mod program;

fn main() {
    if !program::has_driver() {
        return println!("There is no NVIDIA driver here, which this program needs.");
    }
    if let Err(error) = program::run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}
