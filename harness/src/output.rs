//! Text for the user. A reader that has gone (`harness list | head -1`) is no error, and never a
//! panic.

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};

/// Writes to standard output, with colours only where they are wanted.
pub fn print(text: &str) -> Result<()> {
    match anstream::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error, with colours only where they are wanted.
pub fn say(line: &str) {
    // There is nowhere left to report that this failed.
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}
