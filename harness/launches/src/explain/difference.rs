//! The difference between two sources, line by line: what the book sets in HTML and what `explain`
//! prints are drawn from this one.

use device::Source;
use similar::{ChangeTag, TextDiff};

/// Unchanged lines kept around a change.
const CONTEXT: usize = 3;

/// A line of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'t> {
    /// Only the old text has it.
    Removed(&'t str),
    /// Only the new text has it.
    Added(&'t str),
    /// Both have it; as the new text writes it.
    Kept(&'t str),
    /// Lines that are equal in both were left out here.
    Gap,
}

/// The difference from `old` to `new`, two CUDA sources; empty where their code is equal.
///
/// The comments at the head of a file speak of that step alone and are left out. A line that is only
/// indented otherwise counts as kept: a removed `if` shows as the removal of that `if`.
pub fn sources<'t>(old: &'t str, new: &'t str) -> Vec<Line<'t>> {
    of_lines(&code(old), &code(new), CONTEXT, |line| line.trim().to_owned())
}

/// The CUDA of a step with those included files in their places that `other` does not include: what both include does not
/// differ. None where the step has only PTX.
pub fn unfolded(own: &Source, other: &Source) -> Option<String> {
    let is_new = |name: &str| other.includes.iter().all(|include| include.name != name);
    let line = |line: &str| {
        let name = line.strip_prefix("#include \"").and_then(|rest| rest.split('"').next());
        let included = own.includes.iter().find(|it| Some(it.name.as_str()) == name);
        match included.filter(|it| is_new(&it.name)) {
            Some(include) => format!("\n{}\n", code(&include.text).join("\n")),
            None => format!("{line}\n"),
        }
    };
    own.cuda.as_ref().map(|text| text.lines().map(line).collect())
}

/// The difference between two lists of lines, with `context` unchanged lines around a change. Lines
/// of equal `key` count as equal.
pub fn of_lines<'t>(
    old: &[&'t str],
    new: &[&'t str],
    context: usize,
    key: impl Fn(&str) -> String,
) -> Vec<Line<'t>> {
    let keys = |lines: &[&str]| lines.iter().map(|line| key(line)).collect::<Vec<String>>();
    let (old_keys, new_keys) = (keys(old), keys(new));
    let (old_keys, new_keys) = (words(&old_keys), words(&new_keys));
    let difference = TextDiff::from_slices(&old_keys, &new_keys);
    let mut lines = Vec::new();
    for hunk in difference.grouped_ops(context) {
        if !lines.is_empty() {
            lines.push(Line::Gap);
        }
        for change in hunk.iter().flat_map(|operation| difference.iter_changes(operation)) {
            let at = |lines: &[&'t str], index: Option<usize>| index.map(|at| lines[at]);
            let line = match change.tag() {
                ChangeTag::Delete => at(old, change.old_index()).map(Line::Removed),
                ChangeTag::Insert => at(new, change.new_index()).map(Line::Added),
                ChangeTag::Equal => at(new, change.new_index()).map(Line::Kept),
            };
            lines.extend(line);
        }
    }
    lines
}

/// Lines as slices of them are compared.
pub(crate) fn words(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

/// The lines of a source from the first that is neither a comment nor empty. Takes CRLF as LF.
fn code(text: &str) -> Vec<&str> {
    text.lines().skip_while(|line| line.starts_with("//") || line.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sources_have_no_difference() {
        assert_eq!(sources("x\ny\n", "x\r\ny\r\n"), []);
    }

    #[test]
    fn headers_are_left_out() {
        let old = "// Changed: a\n\nint n;\n";
        assert_eq!(sources(old, "// Changed: b\n// more\nint n;\n"), []);
        let lines = sources(old, "// Changed: b\nint n; // new\n");
        assert_eq!(lines, [Line::Removed("int n;"), Line::Added("int n; // new")]);
    }

    #[test]
    fn a_removed_test_is_the_only_change() {
        let old = "for (;;) {\n    if (i != j) {\n        a += b;\n    }\n}\n";
        let new = "for (;;) {\n    a += b;\n}\n";
        let expected = [
            Line::Kept("for (;;) {"),
            Line::Removed("    if (i != j) {"),
            Line::Kept("    a += b;"),
            Line::Removed("    }"),
            Line::Kept("}"),
        ];
        assert_eq!(sources(old, new), expected, "indented as the new file has it");
    }

    #[test]
    fn far_lines_are_left_out_and_the_gap_is_shown() {
        let body: String = (0..40).map(|line| format!("line {line}\n")).collect();
        let new = body.replace("line 0\n", "first\n").replace("line 39\n", "last\n");
        let lines = sources(&body, &new);
        assert!(!lines.contains(&Line::Kept("line 20")));
        assert_eq!(lines.iter().filter(|line| **line == Line::Gap).count(), 1);
    }

    #[test]
    fn lines_of_equal_keys_are_equal() {
        let first_word = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
        assert_eq!(of_lines(&["add %f1", "ret"], &["add %f7", "ret"], 3, first_word), []);
    }
}
