//! The program's process: its standard output, and how it ends.

use std::io::Write;
use std::process::exit;

/// Ends the program with exit code 1, after a message on standard error.
pub(crate) fn leave(message: &str) -> ! {
    eprintln!("harness exec: {message}");
    exit(1)
}

/// Prints text in the order of the program's own output, part of which may still be in C's buffer.
pub(crate) fn print(text: &str) {
    // SAFETY: a null stream stands for all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let mut out = std::io::stdout().lock();
    // Whether anybody still reads is the program's concern.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
