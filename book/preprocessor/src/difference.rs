//! The difference between two sources, as HTML that reads without colours too.

use std::fmt::Write;

use anyhow::Result;
use launches::explain::difference::{self, Line};

use crate::html::escape;
use crate::notes::{self, Note};

/// Lines of a difference that is not shown whole, above and below a line with a note.
const AROUND: usize = 8;

/// Fewer lines are not worth folding.
const FEW: usize = 6;

/// The difference from `old` to `new`, each a name and a text, as [`difference::sources`] finds it; none
/// where their code is equal. Lines of whole files (`is_whole`) have their numbers in the new one. Where there are `notes`,
/// each stands below its line, and what is far from all of them is folded.
///
/// Every line is a `span` whose sign is text, so that it survives a printer, a screen reader and eyes
/// that do not see the colours. No line is empty: an empty one would end the HTML block in Markdown.
///
/// # Errors
/// A note is about no line of the difference.
pub fn html(
    old: (&str, &str),
    new: (&str, &str),
    is_whole: bool,
    notes: &[Note],
) -> Result<Option<String>> {
    let lines = difference::sources(old.1, new.1);
    if lines.is_empty() {
        return Ok(None);
    }
    let texts: Vec<&str> = lines.iter().map(|line| text(line)).collect();
    let noted = notes::places(notes, &texts)?;
    let is_near = |at: usize| noted.is_empty() || noted.iter().any(|it| at.abs_diff(*it) <= AROUND);
    let near: Vec<bool> = (0..lines.len()).map(is_near).collect();
    let shown: Vec<bool> = near
        .chunk_by(|a, b| a == b)
        .flat_map(|run| vec![run[0] || run.len() < FEW; run.len()])
        .collect();
    let mut out = format!(
        "<figure class=\"difference\">\n<figcaption>{} → {}</figcaption>\n",
        escape(old.0),
        escape(new.0)
    );
    let mut from = 0;
    for run in shown.chunk_by(|a, b| a == b) {
        let (is_folded, count) = (!run[0], run.len());
        if is_folded {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "<details><summary>{count} more lines</summary>");
        }
        out.push_str("<pre tabindex=\"0\">");
        for (at, found) in lines.iter().enumerate().skip(from).take(count) {
            line(&mut out, found, number(found, new.1).filter(|_| is_whole));
            for (place, note) in notes.iter().enumerate().filter(|(place, _)| noted[*place] == at) {
                let says = escape(&note.says);
                let _ = write!(out, "<span class=\"note\">{}. {says}\n</span>", place + 1);
            }
        }
        out.push_str(if is_folded { "</pre></details>\n" } else { "</pre>\n" });
        from += count;
    }
    out.push_str("</figure>");
    Ok(Some(out))
}

fn text<'t>(line: &Line<'t>) -> &'t str {
    match line {
        Line::Removed(text) | Line::Added(text) | Line::Kept(text) => text,
        Line::Gap => "",
    }
}

/// The line's number in the new text, of which it is a piece.
fn number(line: &Line, new: &str) -> Option<usize> {
    let (Line::Added(line) | Line::Kept(line)) = line else { return None };
    let before = (line.as_ptr() as usize).checked_sub(new.as_ptr() as usize)?;
    Some(new.get(..before)?.matches('\n').count() + 1)
}

fn line(out: &mut String, line: &Line, number: Option<usize>) {
    let (class, sign) = match line {
        Line::Removed(_) => ("removed", "−"),
        Line::Added(_) => ("added", "+"),
        Line::Kept(_) => ("kept", " "),
        Line::Gap => ("gap", "⋮"),
    };
    // A style writes it: who copies the text does not want it.
    let number = number.map(|number| format!(" data-line=\"{number}\"")).unwrap_or_default();
    let text = escape(text(line));
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
        assert_eq!(html(("a", "x\ny\n"), ("b", "x\r\ny\r\n"), true, &[]).unwrap(), None);
    }

    #[test]
    fn lines_carry_signs_and_are_escaped() {
        let old = "if (i < n) {\n\n  a = 1;\n}\n";
        let new = "if (i < n) {\n\n  a = b && c;\n}\n";
        let out = html(("01.cu", old), ("02.cu", new), true, &[]).unwrap().unwrap();
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
        let out = html(("a", &body), ("b", &new), false, &[]).unwrap().unwrap();
        assert!(!out.contains("line 20"));
        assert_eq!(out.matches("class=\"gap\"").count(), 1);
        assert!(!out.contains("data-line"));
    }

    #[test]
    fn notes_stand_below_their_lines_and_the_rest_is_folded() {
        let body: String = (0..60).map(|line| format!("line {line};\n")).collect();
        let note = |line: &str| Note { line: line.to_owned(), says: "look & see".to_owned() };
        let show = |notes: &[Note]| html(("a", ""), ("b", &body), true, notes);
        let out = show(&[note("line 30;")]).unwrap().unwrap();
        let (before, after) = out.split_once("<span class=\"note\">1. look &amp; see").unwrap();
        assert!(before.trim_end().ends_with("line 30;</span>\n</span>"), "{before}");
        assert!(before.contains("<summary>22 more lines</summary>"), "{before}");
        assert!(after.contains("<summary>21 more lines</summary>"), "{after}");
        assert!(out.lines().all(|line| !line.trim().is_empty()), "{out}");
        for (line, said) in [("line 3", "several lines"), ("gone", "no line")] {
            let error = show(&[note(line)]).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
