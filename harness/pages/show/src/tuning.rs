//! What a sweep over variants found, as a table for each step.

use report::Report;
use report::format;
use report::tuning::{Rank, Trial, Tuning};

use crate::table::terminal::bold;
use crate::table::{Cell, Field, Table, Tone};

/// The variants of all steps of a report; nothing where there are none.
pub fn tables(report: &Report) -> Vec<Table> {
    Tuning::of(report).iter().map(table).collect()
}

fn table(tuning: &Tuning) -> Table {
    let best = tuning.best().map_or(1.0, |best| best.timed.seconds);
    // What is resident is known at the step's own size.
    let resident =
        |trial: &Trial| trial.row.occupancy.clone().filter(|_| trial.row.n() == Some(tuning.n));
    let rank = |trial: &Trial| {
        let mark = match tuning.rank(trial) {
            Rank::Best => "best",
            Rank::NoSlower => "no slower",
            Rank::Slower => return Cell::default(),
        };
        Cell::from(mark).tone(Tone::Best)
    };
    let fields = vec![
        Field::text("variant", |trial: &Trial| trial.row.variant().to_string()),
        Field::number("time", |trial: &Trial| format::time(Some(trial.timed.seconds))),
        Field::number(tuning.figure.unit.as_str(), |trial: &Trial| {
            format::number(Some(tuning.figure.rate(trial.timed.rate())))
        }),
        Field::number("× best", |trial: &Trial| format::near_one(best / trial.timed.seconds)),
        Field::number("error", |trial: &Trial| format::error(trial.timed.accuracy.rms)).rank(2),
        Field::number("registers", |trial: &Trial| {
            format::count(resident(trial).and_then(|it| it.registers).map(u64::from))
        })
        .rank(3),
        Field::number("resident warps", |trial: &Trial| {
            format::count(resident(trial).map(|it| it.warps.into()))
        })
        .rank(4),
        Field::text("", rank),
    ];
    let caption = "× best: the rate over that of the fastest. No slower: no difference of 1 % to it \
                   was shown.";
    Table::of(&tuning.trials, fields).named(tuning.title(), caption)
}

/// The tables in lines of at most `width` columns where that can be.
pub fn text(report: &Report, width: usize) -> String {
    let tables = tables(report);
    let text = |table: &Table| {
        format!("\n{}\n{}", bold(&format!("Variants of {}", table.title)), table.terminal(width))
    };
    tables.iter().map(text).collect()
}

/// The same as Markdown.
pub fn markdown(report: &Report) -> String {
    let tables = tables(report);
    let tables = tables.iter().map(|table| format!("{}:\n\n{}", table.title, table.markdown()));
    tables.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use report::synthetic;

    use super::*;
    use crate::plain;

    #[test]
    fn reports_without_variants_have_no_table() {
        let report = synthetic::tuning();
        let text = plain(&text(&report, 80));
        assert_eq!(text.matches(" best\n").count(), 2, "{text}");
        let tables = markdown(&report);
        assert_eq!(tables.matches("| **best** |").count(), 2, "{tables}");
        assert!(tables.contains("14-pairs at n = 131072, MEASURED"), "{tables}");
        assert_eq!(
            (super::text(&synthetic::sweep(), 80), markdown(&synthetic::sweep())),
            Default::default()
        );
    }
}
