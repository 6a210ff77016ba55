//! A report's rows as a Markdown table, for README and book.

use report::{Report, Row};

use super::figures;
use crate::names;

const HEAD: [&str; 8] =
    ["step", "outcome", "n", "time", "10⁹ interactions/s", "× parent", "× first", "error"];

/// The table of all rows.
pub fn markdown(report: &Report) -> String {
    linked(report, &|_| None)
}

/// The same with links: `link` gives the address behind a step's slug.
pub fn linked(report: &Report, link: &dyn Fn(&Row) -> Option<String>) -> String {
    let mut text = line(&HEAD.map(str::to_owned));
    text += "|:--|:--|--:|--:|--:|--:|--:|--:|\n";
    for row in &report.rows {
        text += &line(&[
            name(row, link(row)),
            row.outcome.to_string(),
            figures::count(row.n()),
            figures::time(row.seconds()),
            figures::rate(row.interactions_per_second()),
            figures::ratio(row.parent().map(|(_, parent)| parent).as_ref()),
            figures::times(row.times_first),
            figures::error(row.accuracy().and_then(|errors| errors.rms)),
        ]);
    }
    text
}

/// The slug, linked, and what the step changes; a detour is said to be one.
fn name(row: &Row, link: Option<String>) -> String {
    let slug = names::split(&row.step).1;
    let slug = link.map_or_else(|| format!("`{slug}`"), |address| format!("[{slug}]({address})"));
    let detour = if row.detour { " (detour)" } else { "" };
    format!("{slug}{detour}: {}", row.changes)
}

/// A line of a Markdown table.
pub fn line(cells: &[String]) -> String {
    let cells: Vec<String> =
        cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}
