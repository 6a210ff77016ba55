//! Which mutants verification found.

use report::mutation::{Mutation, Row, Survivor};

use crate::table::{Cell, Field, Table, Tone};
use crate::words;

/// A row a step and one for all of them: mutants by outcome.
pub fn table(report: &Mutation) -> Table {
    let mut rows = report.rows.clone();
    if rows.len() > 1 {
        rows.push(report.total());
    }
    let some = |count: u64| (count > 0).then(|| count.to_string());
    let fields = vec![
        Field::text("step", |row: &Row| Cell::name(row.step.clone(), None)),
        Field::number("mutants", |row: &Row| row.mutants.to_string()),
        Field::number("wrong results", move |row: &Row| some(row.killed.results)).rank(1),
        Field::number("hazard", move |row: &Row| some(row.killed.hazard)).rank(1),
        Field::number("fault", move |row: &Row| some(row.killed.fault)).rank(1),
        Field::number("hang", move |row: &Row| some(row.killed.hang)).rank(1),
        Field::number("refused", move |row: &Row| some(row.killed.refused)).rank(1),
        Field::number("crash", move |row: &Row| some(row.killed.crash)).rank(1),
        Field::number("killed", |row: &Row| row.killed.all().to_string()),
        Field::number("equi\u{ad}valent", move |row: &Row| some(row.equivalent)),
        Field::number("survived", |row: &Row| {
            let tone = if row.survived > 0 { Tone::Doubtful } else { Tone::Plain };
            Cell::from(row.survived.to_string()).tone(tone)
        }),
    ];
    Table::of(&rows, fields).named("Mutants", "")
}

/// A mutant that passed, in a line for its place and one for what it changes, and what is known of it.
pub fn survivor(survivor: &Survivor) -> String {
    let Survivor { mutant, line, source, executed, differs } = survivor;
    let place = source.as_ref().map_or_else(String::new, |source| format!(" ({source})"));
    let changed = if mutant.mutant.is_empty() { "nothing" } else { &mutant.mutant };
    let mut known = Vec::new();
    match executed {
        Some(0) => known.push("never executed while verifying".to_owned()),
        Some(count) => known.push(format!("executed {count} times")),
        None => {}
    }
    match differs {
        Some((0, all)) => known.push(format!("the same bits in all {all} inputs")),
        Some((some, all)) => known.push(format!("other bits in {some} of {all} inputs")),
        None => {}
    }
    let known =
        if known.is_empty() { String::new() } else { format!("\n    {}", known.join("; ")) };
    format!(
        "{} `{}` line {line}{place}: {}\n    {} → {changed}{known}",
        mutant.step, mutant.kernel, mutant.kind, mutant.original
    )
}

/// What came of all mutants, in a sentence.
pub fn sentence(report: &Mutation) -> String {
    let total = report.total();
    let drawn = match report.sample {
        Some(sample) => format!(", at most {sample} a step, drawn with seed {}", report.seed),
        None => String::new(),
    };
    let interrupted = if report.interrupted { " The run was interrupted." } else { "" };
    format!(
        "{} of {}{drawn}. Verification found {}; {} compute the same; {} survived.{interrupted}",
        words::count(total.mutants, "mutant"),
        words::count(report.rows.len() as u64, "step"),
        total.killed.all(),
        total.equivalent,
        total.survived,
    )
}

#[cfg(test)]
mod tests {
    use report::mutation::{Killed, Mutant};

    use super::*;

    #[test]
    fn sums_and_survivors_are_shown() {
        let row = |step: &str, survived| Row {
            step: step.to_owned(),
            revision: None,
            candidates: 90,
            mutants: 6 + survived,
            killed: Killed { results: 5, fault: 1, ..Killed::default() },
            equivalent: 0,
            survived,
        };
        let report = Mutation {
            schema: report::mutation::SCHEMA,
            date: "2026-11-22".to_owned(),
            revision: None,
            ladder: "toy".to_owned(),
            sample: Some(7),
            seed: 3,
            kinds: Vec::new(),
            interrupted: false,
            rows: vec![row("01-a", 0), row("02-b", 1)],
            survivors: Vec::new(),
            equivalents: Vec::new(),
        };
        let text = table(&report).markdown();
        for part in ["wrong results", "fault", "| `all`", "13", "survived"] {
            assert!(text.contains(part), "`{part}` is missing in\n{text}");
        }
        assert!(!text.contains("hazard"), "no mutant was found by one\n{text}");
        let expected = "13 mutants of 2 steps, at most 7 a step, drawn with seed 3. Verification found 12; \
                        0 compute the same; 1 survived.";
        assert_eq!(sentence(&report), expected);
        let dropped = Survivor {
            mutant: Mutant {
                step: "01-a".to_owned(),
                kernel: "k".to_owned(),
                kind: "barrier".to_owned(),
                original: "bar.sync 0;".to_owned(),
                mutant: String::new(),
            },
            line: 9,
            source: Some("a.cu:4".to_owned()),
            executed: Some(0),
            differs: Some((0, 14)),
        };
        let text = survivor(&dropped);
        for part in ["line 9 (a.cu:4)", "bar.sync 0; → nothing", "never executed", "all 14 inputs"]
        {
            assert!(text.contains(part), "`{part}` is missing in\n{text}");
        }
    }
}
