//! Text for the user. A reader that has gone (`harness list | head -1`) is no error, and never a
//! panic.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Error, Result};
use serde::Serialize;
use show::table::terminal::wrap;

/// Writes to standard output, with colours only where they are wanted.
pub fn print(text: &str) -> Result<()> {
    match anstream::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// The text as a pipe gets it: without colours.
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Prints a value as JSON.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    print(&(serde_json::to_string_pretty(value).context("cannot write JSON")? + "\n"))
}

/// Text that stands back.
pub fn dim(text: &str) -> String {
    let dim = Style::new().dimmed();
    format!("{dim}{text}{dim:#}")
}

/// The head of a part.
pub fn section(title: &str) -> String {
    let paint = AnsiColor::Cyan.on_default().bold();
    format!("\n{paint}{title}{paint:#}\n")
}

/// A hazard of a kernel, in lines of at most `width` columns.
pub fn hazard(message: &str, width: usize) -> String {
    let red = AnsiColor::Red.on_default().bold();
    format!("{red}hazard:{red:#} {}\n", wrap(message, width))
}

/// Writes a line to standard error, with colours only where they are wanted.
pub fn say(line: &str) {
    // There is nowhere left to report that this failed.
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on what goes on is not told.
pub fn hush() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether only results, warnings and errors are wanted.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints which files a command left, unless only results, warnings and errors are wanted.
pub fn note(text: &str) -> Result<()> {
    if is_quiet() { Ok(()) } else { print(text) }
}

/// Says which files a command left, on standard error, unless only results, warnings and errors are wanted.
pub fn mention(line: &str) {
    if !is_quiet() {
        say(line);
    }
}

/// A path as it is shortest to read: from the current folder if it lies below.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    below.as_deref().unwrap_or(path).display().to_string()
}

/// Which files were written, by folder: `wrote report.json, ladder.svg in reports/local`.
pub fn wrote(files: &[PathBuf]) -> String {
    let folder = |file: &PathBuf| file.parent().map(Path::to_path_buf).unwrap_or_default();
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let of_folder = |files: &[PathBuf]| {
        let names: Vec<String> = files.iter().map(name).collect();
        let place = shown(&folder(&files[0]));
        let place = if place.is_empty() { ".".to_owned() } else { place };
        format!("{} in {place}", names.join(", "))
    };
    let folders = files.chunk_by(|a, b| folder(a) == folder(b));
    format!("wrote {}", folders.map(of_folder).collect::<Vec<_>>().join("; "))
}

/// An error and its causes on one line. A cause that the error before it already quotes is not said
/// twice.
pub fn explain(error: &Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{explain, wrote};

    #[test]
    fn files_are_told_by_folder() {
        let files = ["a/report.json", "a/report.html", "b/out.csv", "c.csv"].map(Into::into);
        assert_eq!(wrote(&files), "wrote report.json, report.html in a; out.csv in b; c.csv in .");
    }

    #[test]
    fn causes_are_told_once() {
        let cause = std::io::Error::other("disk full");
        let plain = anyhow::Error::new(cause).context("cannot write");
        assert_eq!(explain(&plain), "cannot write: disk full");
        let quoted = plain.context("a.csv: cannot write: disk full; make room");
        assert_eq!(explain(&quoted), "a.csv: cannot write: disk full; make room");
    }
}
