//! Numbers as the pictures write them: as many digits as a reader can use.

use crate::table::figures::significant;

/// A thin space between groups of three digits.
const GROUP: char = '\u{2009}';

/// A whole number in groups: "131 072".
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(GROUP);
        }
        out.push(digit);
    }
    out
}

/// Values beyond these, which no machine will reach, are written with a power of ten.
const PLAIN: std::ops::Range<f64> = 1e-9..1e15;

/// At least three significant digits: "0.00406", "15.1", "1508".
pub fn quantity(value: f64) -> String {
    if value > 0.0 && !PLAIN.contains(&value) {
        return power(value);
    }
    if value >= 99.95 {
        return count(value.round() as u64);
    }
    significant(value)
}

/// Three significant digits and a power of ten: "2.30·10⁻²⁰".
fn power(value: f64) -> String {
    let text = format!("{value:.2e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("{digits}·10{}", exponent.chars().map(raised).collect::<String>())
}

/// A factor between two speeds, in three significant digits: "×1.52", "×37.4", "×38 500".
pub fn factor(value: f64) -> String {
    if !PLAIN.contains(&value) {
        return format!("×{}", quantity(value));
    }
    let mut unit = 1.0;
    while value / unit >= 999.5 {
        unit *= 10.0;
    }
    let rounded = if unit > 1.0 { (value / unit).round() * unit } else { value };
    format!("×{}", quantity(rounded))
}

/// A tick of an axis, without digits that say nothing: "0.005", "1.5", "2000".
pub fn tick(value: f64) -> String {
    if value > 0.0 && !PLAIN.contains(&value) {
        return power(value);
    }
    if value >= 10.0 {
        return count(value.round() as u64);
    }
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_five_on() {
        assert_eq!(count(0), "0");
        assert_eq!(count(8192), "8192");
        assert_eq!(count(131_072), "131\u{2009}072");
        assert_eq!(count(1_000_000), "1\u{2009}000\u{2009}000");
    }

    #[test]
    fn three_digits_count() {
        let written = [0.00406, 0.5, 0.966, 1.0, 9.996, 37.44, 99.96, 1508.2].map(quantity);
        let expected = ["0.00406", "0.500", "0.966", "1.00", "10.0", "37.4", "100", "1508"];
        assert_eq!(written, expected);
    }

    #[test]
    fn what_is_out_of_this_world_has_a_power() {
        assert_eq!([2.3e20, 1e-300].map(quantity), ["2.30·10²⁰", "1.00·10⁻³⁰⁰"]);
        assert_eq!((factor(4.5e99), tick(1e45)), ("×4.50·10⁹⁹".into(), "1.00·10⁴⁵".into()));
    }

    #[test]
    fn factors_claim_no_more_digits() {
        let written = [0.966, 1.524, 999.4, 1508.2, 38_540.0, 999_600.0].map(factor);
        let million = "×1\u{2009}000\u{2009}000";
        assert_eq!(written, ["×0.966", "×1.52", "×999", "×1510", "×38\u{2009}500", million]);
    }

    #[test]
    fn ticks_are_short() {
        let written = [0.005, 0.1, 1.0, 1.5, 20.0, 50_000.0].map(tick);
        assert_eq!(written, ["0.005", "0.1", "1", "1.5", "20", "50\u{2009}000"]);
    }
}
