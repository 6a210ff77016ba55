// SPDX-License-Identifier: MIT OR Apache-2.0
//! The difference between two sources, as HTML that reads without colours too.

use std::fmt::Write;

use similar::{ChangeTag, TextDiff};

use crate::html::escape;

/// Unchanged lines kept around a change.
const CONTEXT: usize = 3;

/// The unified difference from `old` to `new`, each a name and a text; none where their code is equal.
///
/// The comments at the head of a file speak of that step alone and are left out. A line that is only
/// indented otherwise counts as kept: a removed `if` shows as the removal of that `if`.
///
/// Every line is a `span` whose sign is text, so that it survives a printer, a screen reader and eyes
/// that do not see the colours. No line is empty: an empty one would end the HTML block in Markdown.
pub fn html(old: (&str, &str), new: (&str, &str)) -> Option<String> {
    let (old_lines, new_lines) = (code(old.1), code(new.1));
    let (old_words, new_words) = (trimmed(&old_lines), trimmed(&new_lines));
    let difference = TextDiff::from_slices(&old_words, &new_words);
    let hunks = difference.grouped_ops(CONTEXT);
    if hunks.is_empty() {
        return None;
    }
    let mut out = format!(
        "<figure class=\"difference\">\n<figcaption>{} → {}</figcaption>\n<pre tabindex=\"0\">",
        escape(old.0),
        escape(new.0)
    );
    for (index, hunk) in hunks.iter().enumerate() {
        if index > 0 {
            line(&mut out, "gap", "⋮", "");
        }
        for change in hunk.iter().flat_map(|operation| difference.iter_changes(operation)) {
            let (class, sign) = match change.tag() {
                ChangeTag::Delete => ("removed", "−"),
                ChangeTag::Insert => ("added", "+"),
                ChangeTag::Equal => ("kept", " "),
            };
            let kept_or_added = change.new_index().map(|at| new_lines[at]);
            let text = kept_or_added.or(change.old_index().map(|at| old_lines[at])).unwrap_or("");
            line(&mut out, class, sign, text);
        }
    }
    out.push_str("</pre>\n</figure>");
    Some(out)
}

/// The lines of a source from the first that is neither a comment nor empty. Takes CRLF as LF.
fn code(text: &str) -> Vec<&str> {
    text.lines().skip_while(|line| line.starts_with("//") || line.trim().is_empty()).collect()
}

fn trimmed<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    lines.iter().map(|line| line.trim()).collect()
}

fn line(out: &mut String, class: &str, sign: &str, text: &str) {
    let text = escape(text);
    // Writing to a String cannot fail.
    let _ =
        write!(out, "<span class=\"{class}\"><span class=\"sign\">{sign}</span> {text}\n</span>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sources_have_no_difference() {
        assert_eq!(html(("a", "x\ny\n"), ("b", "x\r\ny\r\n")), None);
    }

    #[test]
    fn headers_are_left_out() {
        let (old, new) = ("// Changed: a\n\nint n;\n", "// Changed: b\n// more\nint n;\n");
        assert_eq!(html(("a", old), ("b", new)), None);
        let out = html(("a", old), ("b", "// Changed: b\nint n; // new\n")).unwrap();
        assert!(!out.contains("Changed") && out.contains("int n; // new"), "{out}");
    }

    #[test]
    fn lines_carry_signs_and_are_escaped() {
        let old = "if (i < n) {\n\n  a = 1;\n}\n";
        let new = "if (i < n) {\n\n  a = b && c;\n}\n";
        let out = html(("01.cu", old), ("02.cu", new)).unwrap();
        assert!(
            out.contains("<span class=\"kept\"><span class=\"sign\"> </span> if (i &lt; n) {\n"),
            "{out}"
        );
        assert!(
            out.contains("<span class=\"removed\"><span class=\"sign\">−</span>   a = 1;\n"),
            "{out}"
        );
        assert!(
            out.contains(
                "<span class=\"added\"><span class=\"sign\">+</span>   a = b &amp;&amp; c;\n"
            ),
            "{out}"
        );
        assert!(
            out.lines().all(|line| !line.trim().is_empty()),
            "an empty line would end the block: {out}"
        );
    }

    #[test]
    fn a_removed_test_is_the_only_change() {
        let old = "for (;;) {\n    if (i != j) {\n        a += b;\n    }\n}\n";
        let new = "for (;;) {\n    a += b;\n}\n";
        let out = html(("a", old), ("b", new)).unwrap();
        assert!(
            out.contains("<span class=\"sign\"> </span>     a += b;\n"),
            "as the new file has it: {out}"
        );
        assert_eq!((out.matches("removed").count(), out.matches("added").count()), (2, 0), "{out}");
    }

    #[test]
    fn far_lines_are_left_out_and_the_gap_is_shown() {
        let body: String = (0..40).map(|line| format!("line {line}\n")).collect();
        let new = body.replace("line 0\n", "first\n").replace("line 39\n", "last\n");
        let out = html(("a", &body), ("b", &new)).unwrap();
        assert!(!out.contains("line 20"));
        assert_eq!(out.matches("class=\"gap\"").count(), 1);
    }
}
