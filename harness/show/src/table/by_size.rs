//! What was timed at many sizes, as Markdown tables for README and book.

use std::collections::BTreeSet;

use report::{Report, Row, Timed};

use super::figures;
use super::markdown::line;
use crate::names;

/// A step at each size at which it was timed: how long, how fast, and how it compares with its
/// parent there.
pub fn step(row: &Row) -> String {
    let head = ["n", "time", "10⁹ interactions/s", "× parent", "95% interval", "verdict"];
    let mut text = line(&head.map(str::to_owned));
    text += "|--:|--:|--:|--:|--:|:--|\n";
    let mut sizes: Vec<&Timed> = row.timed.iter().collect();
    sizes.sort_by_key(|timed| timed.n);
    for timed in sizes {
        let parent = timed.parent;
        let interval = parent.and_then(|parent| parent.interval);
        let verdict = parent.map_or(figures::NONE, |parent| parent.verdict.words());
        text += &line(&[
            timed.n.to_string(),
            figures::time(Some(timed.seconds)),
            figures::rate(Some(timed.interactions_per_second())),
            parent.map_or_else(|| figures::NONE.to_owned(), |p| figures::near_one(p.ratio)),
            figures::interval(interval),
            verdict.to_owned(),
        ]);
    }
    text
}

/// The rates of all steps that were verified, with a column for each size: 10⁹ interactions per
/// second. `link` gives the address behind a step's slug.
pub fn rates(report: &Report, link: &dyn Fn(&Row) -> Option<String>) -> String {
    all(report, link, &|timed| figures::rate(timed.map(Timed::interactions_per_second)))
}

/// How long a whole time step takes with each of them, in the same way.
pub fn time_steps(report: &Report, link: &dyn Fn(&Row) -> Option<String>) -> String {
    all(report, link, &|timed| figures::time(timed.map(|timed| timed.step_seconds)))
}

/// A line for each step that was verified, a column for each size.
fn all(
    report: &Report,
    link: &dyn Fn(&Row) -> Option<String>,
    cell: &dyn Fn(Option<&Timed>) -> String,
) -> String {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| !row.timed.is_empty()).collect();
    let sizes: BTreeSet<u64> =
        rows.iter().flat_map(|row| row.timed.iter().map(|timed| timed.n)).collect();
    let head = ["n =".to_owned()].into_iter().chain(sizes.iter().map(u64::to_string));
    let mut text = line(&head.collect::<Vec<_>>());
    text += &format!("|:--|{}\n", "--:|".repeat(sizes.len()));
    for row in rows {
        let cells = sizes.iter().map(|n| cell(row.at(*n)));
        let cells = [name(row, link)].into_iter().chain(cells);
        text += &line(&cells.collect::<Vec<_>>());
    }
    text
}

/// The slug, linked, in a sweep with its variant.
fn name(row: &Row, link: &dyn Fn(&Row) -> Option<String>) -> String {
    let slug = names::split(&row.step).1;
    let variant = row.variant().behind();
    match link(row) {
        Some(address) => format!("[{slug}]({address}){variant}"),
        None => format!("`{slug}`{variant}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn a_step_is_compared_at_each_size_from_the_smallest_on() {
        let report = synthetic::sweep();
        let row = report.rows.iter().find(|row| row.step == "07-unroll").expect("a step");
        let text = step(row);
        let sizes: Vec<u64> = text
            .lines()
            .skip(2)
            .map(|line| line.split('|').nth(1).expect("a cell").trim().parse().expect("a size"))
            .collect();
        assert_eq!(sizes.len(), row.timed.len());
        assert!(sizes.is_sorted(), "{sizes:?}");
        let at = row.at(131_072).and_then(|timed| timed.parent).expect("it has a parent there");
        let own = text.lines().find(|line| line.starts_with("| 131072 |")).expect("its line");
        assert!(own.ends_with(&format!(" | {} |", at.verdict.words())), "{own}");
        assert!(own.contains(&figures::interval(at.interval)), "{own}");
    }

    #[test]
    fn a_step_without_a_parent_is_compared_with_nothing() {
        let text = step(&synthetic::timed("01-one-thread", None, 1000, 0.5));
        assert_eq!(text.lines().last(), Some("| 1000 | 500 ms | 0.00200 | – | – | – |"));
    }

    #[test]
    fn rates_have_a_column_for_each_size_and_a_dash_where_none_was_timed() {
        let mut fast = synthetic::timed("02-n-threads", Some("01-one-thread"), 2000, 0.002);
        fast.timed.push(synthetic::at(1000, 0.001));
        let slow = synthetic::timed("01-one-thread", None, 1000, 1.0);
        let failed = synthetic::row("03-soa", None, report::Outcome::Failed);
        let report = synthetic::report(vec![slow, fast, failed], false);
        let text = rates(&report, &|row| Some(format!("{}.md", row.step)));
        assert_eq!(
            text,
            "| n = | 1000 | 2000 |\n|:--|--:|--:|\n\
             | [one-thread](01-one-thread.md) | 0.00100 | – |\n\
             | [n-threads](02-n-threads.md) | 1.00 | 2.00 |\n"
        );
    }
}
