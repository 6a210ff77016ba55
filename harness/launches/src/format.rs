//! Counts of events, their ratios and the shapes of launches as text.

use report::format::significant;

/// Counts below this are written out: they can be checked by hand.
const WRITTEN_OUT: u64 = 10_000_000;

/// A count: exact while it is short, else with three digits and a unit.
pub fn count(events: u64) -> String {
    if events < WRITTEN_OUT {
        return events.to_string();
    }
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M")];
    let value = events as f64;
    let (unit, name) = units.into_iter().find(|(unit, _)| value >= *unit).unwrap_or((1.0, ""));
    format!("{} {name}", significant(value / unit))
}

/// A percentage without its sign: at most one decimal, nothing where there is no value.
pub fn percent(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| short(format!("{value:.1}")))
}

/// A ratio of events: at most two decimals, nothing where there is no value.
pub fn ratio(value: impl Into<Option<f64>>) -> String {
    value.into().map_or_else(String::new, |value| short(format!("{value:.2}")))
}

/// A number without the zeros at its end.
fn short(text: String) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A mean number of events.
pub fn amount(events: f64) -> String {
    if events == 0.0 { "0".to_owned() } else { significant(events) }
}

/// A grid or block as it is shortest to read: `256`, `16 × 16`.
pub fn shape(shape: [u32; 3]) -> String {
    let most = shape.iter().rposition(|&count| count != 1).unwrap_or(0);
    let parts: Vec<String> = shape[..=most].iter().map(u32::to_string).collect();
    parts.join(" × ")
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
        assert_eq!(ratio(16.5), "16.5");
        assert_eq!(ratio(None), "");
    }

    #[test]
    fn shapes_are_written_short() {
        assert_eq!(shape([256, 1, 1]), "256");
        assert_eq!(shape([1, 1, 1]), "1");
        assert_eq!(shape([1, 1, 4]), "1 × 1 × 4");
    }
}
