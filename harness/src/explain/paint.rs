//! Emphasis and figures, written alike wherever counts are shown.

use anstyle::{AnsiColor, Style};

use report::format;

/// Counts below this are written out: they can be checked by hand.
const WRITTEN_OUT: u64 = 10_000_000;

/// Bold, line by line: a style must not run over the end of a cell's line.
pub fn bold(text: &str) -> String {
    let bold = Style::new().bold();
    let lines: Vec<String> = text.lines().map(|line| format!("{bold}{line}{bold:#}")).collect();
    lines.join("\n")
}

/// What stands back.
pub fn dim(text: &str) -> String {
    let dim = Style::new().dimmed();
    format!("{dim}{text}{dim:#}")
}

/// The head of a part.
pub fn section(title: &str) -> String {
    let paint = AnsiColor::Cyan.on_default().bold();
    format!("\n{paint}{title}{paint:#}\n")
}

/// A count: exact while it is short, else with three digits and a unit.
pub fn count(events: u64) -> String {
    if events < WRITTEN_OUT {
        return events.to_string();
    }
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M")];
    let value = events as f64;
    let (unit, name) = units.into_iter().find(|(unit, _)| value >= *unit).unwrap_or((1.0, ""));
    format!("{} {name}", format::significant(value / unit))
}

/// A percentage without its sign: at most one decimal.
pub fn percent(value: Option<f64>) -> String {
    decimal(value, 1)
}

/// A ratio of events: at most two decimals.
pub fn ratio(value: Option<f64>) -> String {
    decimal(value, 2)
}

/// At most so many decimals, none where the value is whole; nothing where there is no value.
fn decimal(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value else { return String::new() };
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of events.
pub fn amount(events: f64) -> String {
    if events == 0.0 { "0".to_owned() } else { format::significant(events) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_exact_where_they_can_be() {
        assert_eq!(count(9_999_999), "9999999");
        assert_eq!(count(12_345_678), "12.3 M");
        assert_eq!(count(2_500_000_000), "2.50 G");
        assert_eq!(percent(Some(100.0)), "100");
        assert_eq!(percent(Some(12.54)), "12.5");
        assert_eq!(ratio(Some(16.5)), "16.5");
        assert_eq!(ratio(None), "");
    }
}
