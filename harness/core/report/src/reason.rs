//! Reasons that are too long for a table: a compiler may say a hundred kilobytes.

use std::fs;
use std::path::Path;

use crate::files::write_whole;

/// The length in bytes up to which a reason stays whole.
const MOST: usize = 2000;

/// How the name of a file that holds a whole reason ends.
const ENDING: &str = ".reason.txt";

/// A reason as a report shows it. Of a long one that is the beginning; the whole goes to a file in the report's
/// folder, which is named after its `subject` and in what is shown.
pub fn shorten(reason: &str, folder: &Path, subject: &str) -> String {
    if reason.len() <= MOST {
        return reason.to_owned();
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let name = subject.replace(|c| !is_plain(c), "-") + ENDING;
    let rest = match write_whole(&folder.join(&name), |out| out.write_all(reason.as_bytes())) {
        Ok(()) => format!("all {} bytes are in {name}", reason.len()),
        Err(error) => {
            format!("all {} bytes could not be kept in {name}: {}", reason.len(), error.source)
        }
    };
    // What is shortened stays as it is if it is shortened again.
    let room = MOST.saturating_sub(rest.len() + 8);
    let room = (0..=room).rev().find(|&at| reason.is_char_boundary(at)).unwrap_or(0);
    // A whole line, unless that would leave little.
    let end = reason[..room].rfind('\n').filter(|end| *end > room / 2).unwrap_or(room);
    format!("{}\n… ({rest})", reason[..end].trim_end())
}

/// Removes the files of an earlier run's reasons, which `reasons` do not name.
pub fn remove_others<'r>(folder: &Path, reasons: impl Iterator<Item = &'r str> + Clone) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(ENDING) && !reasons.clone().any(|reason| reason.contains(&name)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_reason_is_in_a_file_and_its_beginning_in_the_report() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shown = |reason: &str| shorten(reason, folder.path(), "06-a block=64 X=2");
        let file = folder.path().join("06-a-block-64-X-2.reason.txt");
        assert_eq!(shown("short"), "short");
        assert!(!file.exists());
        for reason in ["error: line\n".repeat(9000), "é".repeat(60_000)] {
            let short = shown(&reason);
            assert!(short.len() <= MOST && short.len() > MOST / 2, "{}", short.len());
            assert!(short.contains("06-a-block-64-X-2.reason.txt"), "{short}");
            assert!(reason.starts_with(short.lines().next().expect("a line")));
            assert_eq!(fs::read_to_string(&file).expect("the file"), reason);
            assert_eq!(shown(&short), short);
        }
        let kept = shown(&"x".repeat(3000));
        remove_others(folder.path(), [kept.as_str()].into_iter());
        assert!(file.exists());
        remove_others(folder.path(), ["short"].into_iter());
        assert!(!file.exists());
    }

    #[test]
    fn what_cannot_be_kept_is_said() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let short = shorten(&"x".repeat(3000), &folder.path().join("absent"), "06-a");
        assert!(short.len() <= MOST && short.contains("could not be kept"), "{short}");
    }
}
