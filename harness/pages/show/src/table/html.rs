//! A table for a page, in a box of its own that scrolls.

use maud::{Markup, html};
use report::format;
use report::statistics::Verdict;

use super::{Cell, Table, Tone};

/// Columns that a page has room for; more are written smaller.
const MOST_COLUMNS: usize = 12;

impl Table {
    /// As HTML, below its caption; the first column names the lines. Nothing where it has no row.
    pub fn html(&self) -> Markup {
        let table = html! {
            table.wide[self.columns.len() > MOST_COLUMNS] aria-label=(self.title) {
                thead {
                    tr {
                        @for column in &self.columns { th scope="col" { (column.head) } }
                    }
                }
                tbody { @for row in &self.rows { tr { (line(row)) } } }
            }
        };
        html! {
            @if !self.is_empty() {
                // Next to the table, not in it: it would be as wide as the table is.
                @if !self.caption.is_empty() { p.muted.small { (self.caption) } }
                (scrolled(&format!("Table: {}", self.title), table))
            }
        }
    }
}

/// A box in which something wide can be scrolled, with the keyboard too.
pub fn scrolled(name: &str, inner: Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(name) { (inner) } }
}

fn line(row: &[Cell]) -> Markup {
    html! {
        @for (place, cell) in row.iter().enumerate() {
            @if place == 0 {
                th scope="row" { (inner(cell)) }
            } @else {
                td class=[class(cell.tone)] { (inner(cell)) }
            }
        }
    }
}

fn inner(cell: &Cell) -> Markup {
    let Cell { text, link, rest, details, .. } = cell;
    // Long whole numbers in groups.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let number = text.parse().ok().filter(|_| digits);
    let text = number.map_or_else(|| text.clone(), format::grouped);
    html! {
        @match link { Some(address) => a href=(address) { (text) }, None => (text) }
        (rest)
        @for detail in details { small { (detail) } }
    }
}

fn class(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain | Tone::Dim => None,
        Tone::Outcome(outcome) => Some(outcome.word()),
        Tone::Verdict(Verdict::Faster) => Some("faster"),
        Tone::Verdict(Verdict::Slower) => Some("slower"),
        Tone::Verdict(Verdict::NoDifference) | Tone::Doubtful => Some("no-difference"),
        Tone::Best => Some("best"),
    }
}

#[cfg(test)]
mod tests {
    use crate::table::tests::table;

    #[test]
    fn cells_have_details_and_texts_are_escaped() {
        let text = table().html().into_string();
        assert!(text.contains("<th scope=\"row\"><a href=\"c.md\">c</a> (so)</th>"), "{text}");
        assert!(text.contains("<td>131\u{2009}072<small>about</small></td>"), "{text}");
        assert!(text.contains("<td class=\"faster\">faster</td>"), "{text}");
        assert!(text.contains("aria-label=\"Table: A table\"") && text.contains("To be read."));
    }
}
