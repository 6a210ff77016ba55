//! The program's process: its standard output, and how it ends.

use std::io::Write;
use std::process::exit;

/// Ends the program with exit code 1, after a message on standard error.
pub(crate) fn leave(message: &str) -> ! {
    eprintln!("harness exec: {message}");
    exit(1)
}

/// Ends this process when `parent`, which started it, has ended for whatever reason. Otherwise a kernel that spins would
/// keep running for nobody.
#[cfg(target_os = "linux")]
pub(crate) fn end_with_parent(parent: Option<u32>) {
    let is_parent = || {
        // SAFETY: it only returns a number.
        let own = unsafe { libc::getppid() };
        u32::try_from(own).ok() == parent
    };
    // A process in between, such as a shell script, ends what it starts itself.
    if is_parent() {
        // SAFETY: it changes what the system does later, and no memory.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        // The parent may have ended before the call.
        if !is_parent() {
            leave("the harness has ended");
        }
    }
}

/// Other systems have no such signal.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with_parent(_: Option<u32>) {}

/// Prints text in the order of the program's own output, part of which may still be in C's buffer.
pub(crate) fn print(text: &str) {
    // SAFETY: a null stream stands for all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let mut out = std::io::stdout().lock();
    // Whether anybody still reads is the program's concern.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
