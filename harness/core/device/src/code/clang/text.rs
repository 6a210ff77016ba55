//! What clang writes, in the form of what NVRTC writes.

/// The version in the first line of `clang --version`, e.g. "22.1.8".
pub(super) fn release(said: &str) -> Option<&str> {
    let (_, rest) = said.lines().find_map(|line| line.split_once("clang version "))?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest.starts_with(|c: char| c.is_ascii_digit()).then_some(rest[..end].trim_end_matches('.'))
}

/// The architectures in a list of processors, from Maxwell on, without those that run on one GPU only, ascending.
pub(super) fn architectures(known: &str) -> Vec<u32> {
    let numbers = known.lines().filter_map(|line| line.trim().strip_prefix("sm_")?.parse().ok());
    let mut numbers: Vec<u32> = numbers.filter(|number| *number >= 50).collect();
    numbers.sort_unstable();
    numbers
}

/// A log whose messages begin with `FILE(LINE): `, with an empty line between two, and a mark that is one character wide.
pub(super) fn log(said: &str) -> String {
    let kinds = ["): error: ", "): fatal error: ", "): warning: ", "): note: "];
    let mut text = String::new();
    for line in said.lines() {
        let is_mark = line.contains('^') && line.chars().all(|c| matches!(c, ' ' | '^' | '~'));
        if !text.is_empty() && kinds.iter().any(|kind| line.contains(kind)) {
            text.push('\n');
        }
        match is_mark {
            true => text += line.replace('~', " ").trim_end(),
            false => text += line,
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_every_makers_words() {
        for (said, expected) in [
            ("clang version 22.1.8\nTarget: x", Some("22.1.8")),
            ("Debian clang version 19.1.7 (3)", Some("19.1.7")),
            ("Apple clang version 17.0.0 (clang-1700.0.13.5)", Some("17.0.0")),
            ("gcc (Debian 12.2.0) 12.2.0", None),
            ("clang version ", None),
        ] {
            assert_eq!(release(said), expected, "{said}");
        }
    }

    #[test]
    fn architectures_are_those_that_later_gpus_run_too() {
        let known = "Available CPUs for this target:\n\n\tsm_100\n\tsm_90a\n\tsm_35\n\tsm_50\n";
        assert_eq!(architectures(known), [50, 100]);
        assert!(architectures("error: unable to create target").is_empty());
    }

    #[test]
    fn messages_stand_apart_with_one_mark_each() {
        let said = "a.cu(1): error: no\n  x = y;\n  ~~^~~\na.cu(2): error: nor this\n2 errors\n";
        let expected =
            "a.cu(1): error: no\n  x = y;\n    ^\n\na.cu(2): error: nor this\n2 errors\n";
        assert_eq!(log(said), expected);
    }
}
