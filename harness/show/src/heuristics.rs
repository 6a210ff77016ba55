//! Rules of thumb for the number of threads of a block, each tested on a sweep over block sizes.
//!
//! The rules are those of NVIDIA's best-practice notes ("Thread and Block Heuristics") and of the
//! tutorial. [`rules`] says of each whether it held for a step, from the rows of the sweep.

mod rules;
mod sweep;

use report::Report;

use crate::table::terminal::{bold, wrap};
use crate::table::{Cell, Field, Table, Tone};
use rules::{Finding, findings};
use sweep::Sweep;

/// The findings of all sweeps over blocks in a report, in lines of at most `width` columns; nothing
/// where there is none.
pub fn text(report: &Report, width: usize) -> String {
    let mut text = String::new();
    for sweep in Sweep::of(report) {
        text += &format!("\n{}\n", bold(&format!("Rules for blocks, {}", sweep.title())));
        for Finding { rule, judgement, figures, .. } in findings(&sweep) {
            let (paint, words) = (judgement.colour(), judgement.words());
            let line = format!("{paint}{words}{paint:#}: {rule} ({figures})");
            text += &format!("{}\n", wrap(&line, width));
        }
    }
    text
}

/// The same as Markdown tables.
pub fn markdown(report: &Report) -> String {
    let tables = Sweep::of(report).into_iter().map(|sweep| {
        let fields = vec![
            Field::text("rule", |found: &Finding| found.rule),
            Field::text("source", |found: &Finding| found.source),
            Field::text("", |found: &Finding| Cell::from(found.judgement.words()).tone(Tone::Best)),
            Field::text("figures", |found: &Finding| found.figures.clone()),
        ];
        format!("{}:\n\n{}", sweep.title(), Table::of(&findings(&sweep), fields).markdown())
    });
    tables.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use report::synthetic;

    use super::*;
    use crate::plain;

    #[test]
    fn every_rule_is_judged_for_every_step() {
        let report = synthetic::blocks();
        let text = plain(&text(&report, 80));
        assert_eq!(text.matches("Rules for blocks").count(), 2, "{text}");
        assert_eq!(text.matches("256 threads everywhere").count(), 2, "{text}");
        let tables = markdown(&report);
        assert_eq!(tables.matches("| **").count(), 12, "{tables}");
        assert!(tables.contains("07-unroll at n = 131072, MEASURED"), "{tables}");
        assert_eq!(super::text(&synthetic::sweep(), 80), "", "no sweep over blocks");
    }
}
