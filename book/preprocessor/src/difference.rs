//! The difference between two sources, as HTML that reads without colours too.

use std::fmt::Write;

use launches::explain::difference::{self, Line};

use crate::html::escape;

/// The difference from `old` to `new`, each a name and a text, as [`difference::sources`] finds it; none
/// where their code is equal. Lines of whole files (`is_whole`) have their numbers in the new one.
///
/// Every line is a `span` whose sign is text, so that it survives a printer, a screen reader and eyes
/// that do not see the colours. No line is empty: an empty one would end the HTML block in Markdown.
pub fn html(old: (&str, &str), new: (&str, &str), is_whole: bool) -> Option<String> {
    let lines = difference::sources(old.1, new.1);
    if lines.is_empty() {
        return None;
    }
    let mut out = format!(
        "<figure class=\"difference\">\n<figcaption>{} → {}</figcaption>\n<pre tabindex=\"0\">",
        escape(old.0),
        escape(new.0)
    );
    // A line of the difference is a piece of the text.
    let number = |line: &str| {
        let before = (line.as_ptr() as usize).checked_sub(new.1.as_ptr() as usize)?;
        let number = new.1.get(..before)?.matches('\n').count() + 1;
        is_whole.then_some(number)
    };
    for found in lines {
        match found {
            Line::Removed(text) => line(&mut out, ("removed", "−"), None, text),
            Line::Added(text) => line(&mut out, ("added", "+"), number(text), text),
            Line::Kept(text) => line(&mut out, ("kept", " "), number(text), text),
            Line::Gap => line(&mut out, ("gap", "⋮"), None, ""),
        }
    }
    out.push_str("</pre>\n</figure>");
    Some(out)
}

fn line(out: &mut String, (class, sign): (&str, &str), number: Option<usize>, text: &str) {
    // A style writes it: who copies the text does not want it.
    let number = number.map(|number| format!(" data-line=\"{number}\"")).unwrap_or_default();
    let text = escape(text);
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<span class=\"{class}\"{number}><span class=\"sign\">{sign}</span> <span class=\"text\">{text}</span>\n</span>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sources_have_no_difference() {
        assert_eq!(html(("a", "x\ny\n"), ("b", "x\r\ny\r\n"), true), None);
    }

    #[test]
    fn lines_carry_signs_and_are_escaped() {
        let old = "if (i < n) {\n\n  a = 1;\n}\n";
        let new = "if (i < n) {\n\n  a = b && c;\n}\n";
        let out = html(("01.cu", old), ("02.cu", new), true).unwrap();
        assert!(
            out.contains("<span class=\"kept\" data-line=\"1\"><span class=\"sign\"> </span> <span class=\"text\">if (i &lt; n) {</span>\n"),
            "{out}"
        );
        assert!(
            out.contains("<span class=\"removed\"><span class=\"sign\">−</span> <span class=\"text\">  a = 1;</span>\n"),
            "{out}"
        );
        assert!(
            out.contains(
                "<span class=\"added\" data-line=\"3\"><span class=\"sign\">+</span> <span class=\"text\">  a = b &amp;&amp; c;</span>\n"
            ),
            "{out}"
        );
        assert!(
            out.lines().all(|line| !line.trim().is_empty()),
            "an empty line would end the block: {out}"
        );
    }

    #[test]
    fn far_lines_are_left_out_and_the_gap_is_shown() {
        let body: String = (0..40).map(|line| format!("line {line}\n")).collect();
        let new = body.replace("line 0\n", "first\n").replace("line 39\n", "last\n");
        let out = html(("a", &body), ("b", &new), false).unwrap();
        assert!(!out.contains("line 20"));
        assert_eq!(out.matches("class=\"gap\"").count(), 1);
        assert!(!out.contains("data-line"));
    }
}
