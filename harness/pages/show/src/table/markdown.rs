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
        let heads: Vec<String> =
            columns().map(|it| escaped(&it.head.replace('\u{ad}', ""))).collect();
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

/// Text that is not taken for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn cell(cell: &Cell) -> String {
    let Cell { text, link, code, rest, tone, .. } = cell;
    let plain = escaped(text);
    let text = match link {
        Some(address) => format!("[{plain}]({address})"),
        // Between backticks nothing is HTML.
        None if *code && !text.contains('`') => format!("`{text}`"),
        None if *tone == Tone::Best && !text.is_empty() => format!("**{plain}**"),
        None => plain,
    };
    text + &escaped(rest)
}

/// A line of a Markdown table.
fn line(cells: &[String]) -> String {
    let cells: Vec<String> =
        cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use crate::table::{Cell, Field, Table, tests::table};

    #[test]
    fn names_are_marked_or_linked_and_bars_escaped() {
        let expected = "| name | what it says | 10⁹ interesting/s | verdict |\n\
                        |:--|:--|--:|:--|\n\
                        | `a\\|b` (so) | the first | 131072 | faster |\n\
                        | [c](c.md) (so) | another one of them | – | faster |\n";
        assert_eq!(table().markdown(), expected);
        assert_eq!(Table::default().markdown(), "");
    }

    /// Names and reasons come from files that anyone may have written.
    #[test]
    fn html_is_text() {
        let evil = "<img src=x onerror=alert(1)>&";
        let fields = vec![
            Field::text("<b>", |it: &&str| (*it).to_owned()),
            Field::text("name", |it: &&str| Cell::name(*it, None).then(*it)),
            Field::text("tick", |it: &&str| Cell::name(format!("`{it}"), None)),
            Field::text("link", |it: &&str| Cell::name(*it, Some("a.md".to_owned()))),
        ];
        let text = "&lt;img src=x onerror=alert(1)&gt;&amp;";
        let expected = format!("| {text} | `{evil}`{text} | `{text} | [{text}](a.md) |\n");
        let table = Table::of(&[evil], fields).markdown();
        assert!(table.starts_with("| &lt;b&gt; |") && table.ends_with(&expected), "{table}");
    }
}
