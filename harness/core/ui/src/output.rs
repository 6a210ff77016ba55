//! Text for the user. A reader that has gone (`harness list | head -1`) is no error, and never a
//! panic.

use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Error, Result};
use serde::Serialize;

use crate::call::{BY_CARGO, called};
use show::table::terminal::wrap;

/// Writes to standard output, with colours only where they are wanted, and commands as the user types them.
pub fn print(text: &str) -> Result<()> {
    print_data(&as_typed(text))
}

/// The same of what other programs read: nothing in it is changed.
pub fn print_data(text: &str) -> Result<()> {
    let text = if io::stdout().is_terminal() { harmless(text) } else { text.into() };
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
    print_data(&(serde_json::to_string_pretty(value).context("cannot write JSON")? + "\n"))
}

/// Dimmed text.
pub fn dim(text: &str) -> String {
    let dim = Style::new().dimmed();
    format!("{dim}{text}{dim:#}")
}

/// A section heading.
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
    let line = as_typed(line);
    let line = if io::stderr().is_terminal() { harmless(&line) } else { line };
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// The text with commands as the user types them: messages are written for those who start this program by cargo.
pub fn as_typed(text: &str) -> Cow<'_, str> {
    let called = called();
    if called == BY_CARGO || !text.contains("cargo run -p harness") {
        return text.into();
    }
    let short = format!(" (`harness` is short for `{BY_CARGO}`)");
    let text = text.replace(&short, "").replace(BY_CARGO, &called);
    text.replace("cargo run -p harness", &called).into()
}

/// The text without what would make a terminal do more than write in colours: names of files and what kernels print may
/// hold anything.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find(is_harmful) {
        clean.push_str(&rest[..place]);
        rest = &rest[place..];
        let kept = if rest.starts_with("\r\n") { 2 } else { colour_bytes(rest) };
        if kept > 0 {
            clean.push_str(&rest[..kept]);
            rest = &rest[kept..];
        } else if let Some(harmful) = rest.chars().next() {
            clean.extend(harmful.escape_unicode());
            rest = &rest[harmful.len_utf8()..];
        }
    }
    Cow::Owned(clean + rest)
}

/// Whether a character moves the cursor, reorders or hides text: controls but the end of a line and tabs (C0 and C1, so
/// U+009B), marks of writing direction, invisible tags, and what no XML may hold.
pub fn is_harmful(c: char) -> bool {
    let reorders = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(
        c,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
    );
    let hides = matches!(c, '\u{e0000}'..='\u{e007f}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || reorders || breaks || hides
}

/// Bytes of the change of colour with which a text begins; 0 if it begins with something else.
fn colour_bytes(text: &str) -> usize {
    let Some(codes) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = codes.find(|c: char| !c.is_ascii_digit() && c != ';');
    end.filter(|&end| codes[end..].starts_with('m')).map_or(0, |end| 2 + end + 1)
}

static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses progress output from now on.
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
    use anstyle::AnsiColor;

    use super::{explain, harmless, wrote};

    #[test]
    fn a_terminal_gets_colours_and_nothing_else_that_it_obeys() {
        let red = AnsiColor::Red.on_default().bold();
        let coloured = format!("{red}a\tb{red:#}\r\nü");
        assert_eq!(harmless(&coloured), coloured);
        for (text, clean) in [
            ("a\u{9b}31mb", "a\\u{9b}31mb"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{1b}[2J\u{1b}[1mx", "\\u{1b}[2J\u{1b}[1mx"),
            ("cu.\u{202e}txt\u{1b}[", "cu.\\u{202e}txt\\u{1b}["),
            ("50 %\r100 %", "50 %\\u{d}100 %"),
        ] {
            assert_eq!(harmless(text), clean);
        }
    }

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
