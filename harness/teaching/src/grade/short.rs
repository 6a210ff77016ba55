//! Numbers for people, as short as they are.

/// Points as they are short: 7, 7.5.
pub fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
