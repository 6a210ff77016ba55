//! Text of strangers, as every file and terminal can hold it: nothing in it moves a cursor, reorders or hides what is
//! written; and what students get to read of it.

use std::borrow::Cow;

use ui::output::is_harmful;

/// Several lines: harmful characters are written as `\u{9b}`.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, is_harmful)
}

/// The same as one line.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_harmful(c) || matches!(c, '\n' | '\t'))
}

fn escaped(text: &str, is_harmful: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match is_harmful(c) {
            true => clean.extend(c.escape_unicode()),
            false => clean.push(c),
        }
    }
    Cow::Owned(clean)
}

/// Without the folders of absolute paths: `/home/ada/class/18.cu:3` becomes `18.cu:3`.
pub fn without_folders(text: &str) -> String {
    let is_of_path = |c: char| !c.is_whitespace() && !"\"'`()<>,;:|=".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let starts = !before.is_alphanumeric() && !"./\\*)]-_~".contains(before);
        let after_drive = match rest.as_bytes() {
            [drive, b':', b'\\' | b'/', ..] if starts && drive.is_ascii_alphabetic() => Some(2),
            [b'/', next, ..]
                if starts && (next.is_ascii_alphanumeric() || b"._".contains(next)) =>
            {
                Some(0)
            }
            _ => None,
        };
        let path = after_drive.map(|start| {
            let end = rest[start..].find(|c| !is_of_path(c)).map_or(rest.len(), |it| start + it);
            &rest[..end]
        });
        // One folder alone may be a division.
        let path = path.filter(|path| path.matches(['/', '\\']).count() > 1);
        let (kept, length) = match path {
            Some(path) => {
                (path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next(), path.len())
            }
            None => (rest.get(..c.len_utf8()), c.len_utf8()),
        };
        out.push_str(kept.unwrap_or_default());
        before = out.chars().next_back().unwrap_or(c);
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_reorders_or_hides() {
        for (raw, clean) in [
            ("ada\u{9b}31m", "ada\\u{9b}31m"),
            ("a\u{1b}[2J\r\nb\tc", "a\\u{1b}[2J\nb\tc"),
            ("\u{202e}ofni\u{2066}\u{200f}", "\\u{202e}ofni\\u{2066}\\u{200f}"),
            ("\u{e0041}\u{feff}\u{2028}\0", "\\u{e0041}\\u{feff}\\u{2028}\\u{0}"),
            ("Łukasz 渡辺 👩‍🚀", "Łukasz 渡辺 👩‍🚀"),
        ] {
            assert_eq!(text(raw), clean);
        }
        assert_eq!(line("a\nb"), "a\\u{a}b");
    }

    #[test]
    fn folders_are_nobodys_business() {
        for (raw, kept) in [
            ("error: /home/ada/hw/18.cu:3:1: no", "error: 18.cu:3:1: no"),
            ("`/tmp/x/`, (C:\\Users\\ada\\a.rs) D:/w/b.rs", "`x`, (a.rs) b.rs"),
            ("see /rustc/a1/library/core/src/num.rs", "see num.rs"),
            (
                "a/b/c, x = a / b / c; // a /* b */ https://x.example/a/b",
                "a/b/c, x = a / b / c; // a /* b */ https://x.example/a/b",
            ),
            ("src/a.cu and ../b/c.cuh", "src/a.cu and ../b/c.cuh"),
            ("x =/b", "x =/b"),
            ("--> /home/é/ü.cu", "--> ü.cu"),
        ] {
            assert_eq!(without_folders(raw), kept);
        }
    }
}
