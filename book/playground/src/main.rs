//! Checks what a reader types into the book's playground, as the program `harness` does in a terminal.
//!
//! It reads a [`Request`](request::Request) from standard input and writes an [`Answer`](answer::Answer) to standard output, both as JSON.
//! The page runs it as WebAssembly, in a worker and with the workbook's files in memory; what compiles CUDA C++ there is
//! clang as WebAssembly ([`compiler`]). With the word `digest` it writes the SHA-256 of what it reads.

mod answer;
mod compiler;
mod events;
mod exercise;
mod kernel;

mod request;

use std::env;
use std::io::{self, Read, Write};

use answer::Answer;
use request::Request;
use sha2::{Digest, Sha256};

/// Seconds of CPU time after which a launch in the page is taken for endless: twice as many as in a terminal, since WebAssembly
/// does half as much in one.
const LAUNCH_LIMIT: u32 = 10;

fn main() -> io::Result<()> {
    if env::args().nth(1).is_some_and(|word| word == "digest") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes)?;
        return io::stdout().write_all(digest(&bytes).as_bytes());
    }
    if cfg!(target_family = "wasm") {
        compiler::provide();
        device::choose_launch_limit(LAUNCH_LIMIT);
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let answer = match serde_json::from_str::<Request>(&text) {
        Ok(request) => request.answer(),
        Err(error) => {
            Answer::impossible(format!("the page asks what cannot be understood: {error}"))
        }
    };
    io::stdout().write_all(serde_json::to_string(&answer)?.as_bytes())
}

/// The digest by which the page knows what it fetched. Browsers have one too, but only for pages that came over HTTPS.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
