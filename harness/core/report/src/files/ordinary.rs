//! What is no ordinary file is neither read nor replaced.

use std::io;
use std::path::Path;

/// Refuses what is there and is no ordinary file: a folder, and also a device or a pipe, which a
/// file put in its place would replace, and which cannot be read twice.
///
/// # Errors
/// In words; or the system's reason why nothing is known of `file`.
pub fn check_ordinary(file: &Path) -> io::Result<()> {
    if file.metadata()?.is_file() { Ok(()) } else { Err(no_ordinary_file()) }
}

/// The error.
pub(super) fn no_ordinary_file() -> io::Error {
    io::Error::other("it is there and is no ordinary file")
}
