//! What is wrong with a reader's kernel, on a terminal.

use anstyle::{AnsiColor, Style};

use crate::table::terminal::{bold, wrap};

/// What is wrong with a kernel, in the colours that compilers give it. Its sentences are broken into lines of at most `width`
/// columns, and lines of sources are not.
pub fn painted(text: &str, width: usize) -> String {
    text.lines().map(|line| painted_line(line, width)).collect::<Vec<_>>().join("\n")
}

fn painted_line(line: &str, width: usize) -> String {
    let red = AnsiColor::Red.on_default().bold();
    let blue = AnsiColor::Blue.on_default().bold();
    if let Some(head) = line.strip_prefix("error: ") {
        let head = bold(&wrap(head, width.saturating_sub(7)));
        return format!("{red}error:{red:#} {head}");
    }
    let is_gutter = |c: char| c == ' ' || c.is_ascii_digit();
    let rest = line.trim_start_matches(is_gutter);
    let gutter = &line[..line.len() - rest.len()];
    if let Some((name, fact)) = rest.strip_prefix("= ").and_then(|rest| rest.split_once(": ")) {
        let fact = fact.trim_start();
        let before = line.len() - fact.len();
        let indent = format!("\n{}", " ".repeat(before));
        let spaces = " ".repeat(before - gutter.len() - name.len() - 3);
        // Numbers that stand below others stay there.
        let room = width.saturating_sub(before).max(20);
        let fact = if fact.contains("  ") { fact.to_owned() } else { wrap(fact, room) };
        let fact = fact.replace('\n', &indent);
        return format!("{gutter}{blue}={blue:#} {}{spaces}{fact}", bold(&format!("{name}:")));
    }
    for mark in ["-->", ":::", "|"] {
        let Some(rest) = rest.strip_prefix(mark) else { continue };
        let paint = if rest.trim_start().starts_with('^') { red } else { Style::new() };
        return format!("{blue}{gutter}{mark}{blue:#}{paint}{rest}{paint:#}");
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::painted;

    #[test]
    fn a_messages_sources_stay_whole_and_its_sentences_are_broken() {
        let text = "error: one two three\n   --> a.cu:1:2\n    |\n  7 | x = y | z; // long, and longer still\n    | ^ here\n    = got:  1.0  2.0\n    = help: say what is meant, and mean it too";
        let shown = painted(text, 36);
        let plain = anstream::adapter::strip_str(&shown).to_string();
        assert_ne!(plain, shown);
        assert_eq!(
            plain,
            "error: one two three\n   --> a.cu:1:2\n    |\n  7 | x = y | z; // long, and longer still\n    | ^ here\n    = got:  1.0  2.0\n    = help: say what is meant, and\n            mean it too"
        );
    }
}
