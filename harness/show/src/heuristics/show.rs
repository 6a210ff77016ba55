//! What a sweep says of the rules, for a terminal and for Markdown.

use anstyle::{AnsiColor, Style};
use report::Report;

use super::rules::{Finding, Judgement, findings};
use super::sweep::Sweep;
use crate::table::layout::wrap;

/// The findings of all sweeps over blocks in a report, in lines of at most `width` columns; nothing
/// where there is none.
pub fn text(report: &Report, width: usize) -> String {
    let mut text = String::new();
    for sweep in Sweep::of(report) {
        let bold = Style::new().bold();
        text += &format!("\n{bold}Rules for blocks, {}{bold:#}\n", sweep.title());
        for Finding { rule, judgement, figures, .. } in findings(&sweep) {
            let paint = colour(judgement);
            let words = judgement.words();
            text += &format!(
                "{}\n",
                wrap(&format!("{paint}{words}{paint:#}: {rule} ({figures})"), width)
            );
        }
    }
    text
}

/// The same as Markdown tables.
pub fn markdown(report: &Report) -> String {
    let tables = Sweep::of(report).into_iter().map(|sweep| {
        let head = format!("{}:\n\n", sweep.title());
        let head = head + "| rule | source | | figures |\n|:--|:--|:--|:--|\n";
        findings(&sweep).iter().fold(head, |text, found| {
            let Finding { rule, source, judgement, figures } = found;
            text + &format!("| {rule} | {source} | **{}** | {figures} |\n", judgement.words())
        })
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn colour(judgement: Judgement) -> Style {
    match judgement {
        Judgement::Held => AnsiColor::Green.on_default(),
        Judgement::DidNotHold => AnsiColor::Yellow.on_default(),
        Judgement::CannotBeTold => Style::new().dimmed(),
    }
}

#[cfg(test)]
mod tests {
    use tabled::grid::util::string::get_text_width;

    use super::*;
    use crate::synthetic;

    #[test]
    fn every_rule_is_told_of_every_step() {
        let report = synthetic::blocks();
        for width in [80, 120] {
            let text = anstream::adapter::strip_str(&text(&report, width)).to_string();
            assert!(text.lines().all(|line| get_text_width(line) <= width), "{text}");
            assert_eq!(text.matches("Rules for blocks").count(), 2, "{text}");
            assert_eq!(text.matches("256 threads everywhere").count(), 2, "{text}");
        }
        let tables = markdown(&report);
        assert_eq!(tables.matches("| **").count(), 12, "{tables}");
        assert!(tables.contains("07-unroll at n = 131072, MEASURED"), "{tables}");
        assert_eq!(text(&synthetic::sweep(), 80), "", "no sweep over blocks");
    }
}
