//! A table for README and book.

use super::{Align, Cell, Table, Tone};

impl Table {
    /// As Markdown; nothing where it has no row.
    pub fn markdown(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let shown = self.narrow();
        let columns = || shown.iter().map(|&at| &self.columns[at]);
        let heads: Vec<String> = columns().map(|it| it.head.replace('\u{ad}', "")).collect();
        let rules = columns().map(|column| match column.align {
            Align::Left => ":--|",
            Align::Right => "--:|",
            Align::Centre => ":-:|",
        });
        let mut text = format!("{}|{}\n", line(&heads), rules.collect::<String>());
        for row in &self.rows {
            text += &line(&shown.iter().map(|&at| cell(&row[at])).collect::<Vec<_>>());
        }
        text
    }
}

fn cell(cell: &Cell) -> String {
    let Cell { text, link, code, rest, tone, .. } = cell;
    let text = match link {
        Some(address) => format!("[{text}]({address})"),
        None if *code => format!("`{text}`"),
        None if *tone == Tone::Best && !text.is_empty() => format!("**{text}**"),
        None => text.clone(),
    };
    text + rest
}

/// A line of a Markdown table.
fn line(cells: &[String]) -> String {
    let cells: Vec<String> =
        cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use crate::table::{Table, tests::table};

    #[test]
    fn names_are_marked_or_linked_and_bars_escaped() {
        let expected = "| name | what it says | 10⁹ interesting/s | verdict |\n\
                        |:--|:--|--:|:--|\n\
                        | `a\\|b` (so) | the first | 131072 | faster |\n\
                        | [c](c.md) (so) | another one of them | – | faster |\n";
        assert_eq!(table().markdown(), expected);
        assert_eq!(Table::default().markdown(), "");
    }
}
