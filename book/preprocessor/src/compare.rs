//! Sets the modelled times of one report next to the measured times of another.

use std::path::Path;

use ::report::{Report, Row, format};
use anyhow::{Context, Result, ensure};
use show::table::{Cell, Field, Table};

use crate::report::{caption, pages, read};

/// Every step of `measured` that `modelled` has at the same n: both times and how far they are apart.
/// `above` leads from the page up to `book/src`.
pub fn table(root: &Path, measured: &str, modelled: &str, above: &str) -> Result<String> {
    let (clock, model) = (read(root, measured)?, read(root, modelled)?);
    let table = rows(&clock, &model, above)
        .with_context(|| format!("cannot compare reports/{measured} with reports/{modelled}"))?;
    Ok(format!("{}\n\n{}\n\n{table}", caption(&clock), caption(&model)))
}

fn rows(clock: &Report, model: &Report, above: &str) -> Result<String> {
    let pairs: Vec<_> = clock
        .rows
        .iter()
        .filter_map(|row| Some((row, model.rows.iter().find(|other| same(row, other))?)))
        .collect();
    ensure!(!pairs.is_empty(), "no step was run with the same n in both");
    for (row, other) in &pairs {
        ensure!(
            !row.is_modelled() && other.is_modelled(),
            "{} is not measured in the one and modelled in the other: name the measured report first",
            row.step
        );
    }
    type Pair<'r> = (&'r Row, &'r Row);
    let link = pages(above);
    let ratio = |(row, other): &Pair| Some(other.seconds()? / row.seconds()?);
    let fields = vec![
        Field::text("step", |(row, _): &Pair| {
            Cell::name(row.title.clone(), link(&row.ladder, &row.step))
        }),
        Field::number("n", |(row, _): &Pair| format::count(row.n())),
        Field::number("measured", |(row, _): &Pair| format::time(row.seconds())),
        Field::number("modelled", |(_, other): &Pair| format::time(other.seconds())),
        Field::number("modelled ÷ measured", |pair: &Pair| format::number(ratio(pair))),
    ];
    Ok(Table::all(&pairs, fields).markdown())
}

fn same(row: &Row, other: &Row) -> bool {
    (&row.ladder, &row.step, row.n()) == (&other.ladder, &other.step, other.n())
        && row.n().is_some()
}

#[cfg(test)]
mod tests {
    use ::report::TimeSource;

    use super::*;

    /// The committed run at n = 4096, and what a model that is off by two would make of it.
    fn reports() -> (Report, Report) {
        let root = ladder::workspace::root().expect("the workspace");
        let mut clock = read(&root, "h200-n4096").expect("a committed report");
        clock.rows.retain(|row| row.n().is_some());
        let mut model = clock.clone();
        for row in &mut model.rows {
            row.time_source = Some(TimeSource::Model);
            row.timed.iter_mut().for_each(|timed| timed.seconds *= 2.0);
        }
        (clock, model)
    }

    #[test]
    fn a_line_has_both_times_and_their_ratio() {
        let (clock, model) = reports();
        let table = rows(&clock, &model, "../").unwrap();
        assert_eq!(table.lines().count(), 2 + clock.rows.len());
        let line = table.lines().find(|line| line.contains("](../nbody/05-rsqrt.md)")).unwrap();
        assert!(line.contains("| 4096 |") && line.ends_with("| 2.00 |"), "{line}");
    }

    #[test]
    fn only_equal_sizes_are_compared() {
        let (clock, mut model) = reports();
        model.rows.iter_mut().skip(1).for_each(|row| row.timed[0].n = 1000);
        assert_eq!(rows(&clock, &model, "").unwrap().lines().count(), 3);
        model.rows[0].timed.clear();
        assert!(rows(&clock, &model, "").unwrap_err().to_string().contains("same n"));
    }

    #[test]
    fn a_model_is_never_shown_as_a_measurement() {
        let (clock, model) = reports();
        for (first, second) in [(&model, &clock), (&clock, &clock), (&model, &model)] {
            let message = rows(first, second, "").unwrap_err().to_string();
            assert!(message.contains("name the measured report first"), "{message}");
        }
    }
}
