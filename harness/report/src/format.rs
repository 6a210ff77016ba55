//! Numbers as text. Tables show three significant digits, and a dash for what does not exist;
//! pictures and sentences group long numbers and write out large factors.

use crate::Ratio;
use crate::statistics::{Interval, Verdict};

/// Seconds in the unit that leaves one to three digits before the point: `22.1 ms`.
pub fn time(seconds: Option<f64>) -> String {
    let Some(seconds) = seconds else { return none() };
    for (unit, name) in [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")] {
        // 0.9995 ms would be written as 1000 µs.
        if seconds >= unit * 0.9995 {
            return format!("{} {name}", significant(seconds / unit));
        }
    }
    format!("{} ns", significant(seconds / 1e-9))
}

/// A number in three significant digits: a rate in its unit, a speed-up.
pub fn number(value: Option<f64>) -> String {
    value.map_or_else(none, significant)
}

/// A speed-up near 1, to a tenth of a per cent: `1.002`; a greater one in three digits.
pub fn near_one(factor: f64) -> String {
    if (0.1..9.9995).contains(&factor) { format!("{factor:.3}") } else { significant(factor) }
}

/// A speed-up over a parent with half the length of its 95% interval, relative to itself:
/// `1.24 ±0.3%`; `= 1.00 ±0.3%` where no difference was shown.
pub fn ratio(ratio: Option<&Ratio>) -> String {
    let Some(ratio) = ratio else { return none() };
    let error = ratio.interval.map_or_else(String::new, |Interval { low, high }| {
        format!(" ±{}", error_percent(0.5 * (high - low) / ratio.ratio))
    });
    format!("{}{}{error}", equals(ratio.verdict), significant(ratio.ratio))
}

/// The same without its interval: `1.24`, `= 1.00`.
pub fn plain_ratio(ratio: Option<&Ratio>) -> String {
    ratio.map_or_else(none, |r| format!("{}{}", equals(r.verdict), significant(r.ratio)))
}

/// An interval of a speed-up near 1: `0.996–1.004`; a dash where there is none.
pub fn interval(interval: Option<Interval>) -> String {
    interval
        .map_or_else(none, |Interval { low, high }| format!("{}–{}", near_one(low), near_one(high)))
}

/// A mark before what is no difference.
fn equals(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::NoDifference => "= ",
        Verdict::Faster | Verdict::Slower => "",
    }
}

/// An error in per cent, in one digit or two: `0.04%`, `0.3%`, `12%`.
fn error_percent(error: f64) -> String {
    let percent = 100.0 * error;
    match percent {
        _ if percent < 0.005 => "<0.01%".to_owned(),
        _ if percent < 0.095 => format!("{percent:.2}%"),
        _ if percent < 9.95 => format!("{percent:.1}%"),
        _ => format!("{percent:.0}%"),
    }
}

/// A part of something in per cent, in as many digits as it has: `3%`, `0.25%`.
pub fn percent(part: f64) -> String {
    // To a millionth: 0.035 · 100 is 3.5000000000000004.
    format!("{}%", (part * 1e8).round() / 1e6)
}

/// A relative error: `9.1e-7`.
pub fn error(error: Option<f64>) -> String {
    match error {
        None => none(),
        Some(0.0) => "0".to_owned(),
        Some(error) => format!("{error:.1e}"),
    }
}

/// A whole number.
pub fn count(count: Option<u64>) -> String {
    count.map_or_else(none, |count| count.to_string())
}

/// Three significant digits, without an exponent: `0.00407`, `1.52`, `46.0`, `12345`.
pub fn significant(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return format!("{value}");
    }
    // Rounded first: 9.996 has its three digits as 10.0, not as 10.00.
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    let decimals = (2 - rounded.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.decimals$}")
}

/// What stands for a figure that does not exist.
pub const NONE: &str = "–";

fn none() -> String {
    NONE.to_owned()
}

/// A thin space between groups of three digits.
const GROUP: char = '\u{2009}';

/// A whole number in groups: "131 072".
pub fn grouped(value: u64) -> String {
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
        return grouped(value.round() as u64);
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
        return grouped(value.round() as u64);
    }
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An interval around a value, relative to it: "−0.05 … +0.07 %".
pub fn around(value: f64, Interval { low, high }: Interval) -> String {
    let [low, high] = [low, high].map(|end| 100.0 * (end / value - 1.0));
    let digits = digits(low.abs().max(high.abs()));
    let sign = |end: f64| if end < 0.0 { "−" } else { "+" };
    let (below, above) = (sign(low), sign(high));
    let (low, high) = (low.abs(), high.abs());
    format!("{below}{low:.digits$} … {above}{high:.digits$}\u{2009}%")
}

/// The interval of a ratio, with as many digits as tell its ends apart: "1.642–1.651".
pub fn ends(Interval { low, high }: Interval) -> String {
    let digits = digits(high - low);
    format!("{low:.digits$}–{high:.digits$}")
}

/// Decimals that show two digits of a length.
fn digits(length: f64) -> usize {
    if length > 0.0 && length.is_finite() {
        (1.0 - length.log10().floor()).clamp(0.0, 6.0) as usize
    } else {
        2
    }
}

/// Bytes in the unit that leaves one to three digits before the point: "4.19 MB".
pub fn bytes(bytes: f64) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}\u{2009}{name}", quantity(bytes / unit)),
        None => format!("{bytes:.0}\u{2009}B"),
    }
}

/// From the least to the greatest of what was seen: "1965–1980"; a dash where nothing was.
pub fn range(values: impl Iterator<Item = f64> + Clone) -> String {
    let low = values.clone().fold(f64::INFINITY, f64::min).round();
    let high = values.fold(f64::NEG_INFINITY, f64::max).round();
    match low {
        _ if low > high => none(),
        _ if low == high => low.to_string(),
        _ => format!("{low}–{high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_take_the_unit_that_fits() {
        let written = |seconds| time(Some(seconds));
        assert_eq!(written(16.54), "16.5 s");
        assert_eq!(written(120.0), "120 s");
        assert_eq!(written(1.0), "1.00 s");
        assert_eq!(written(0.99996), "1.00 s");
        assert_eq!(written(0.0221), "22.1 ms");
        assert_eq!(written(0.000_846), "846 µs");
        assert_eq!(written(0.000_000_2), "200 ns");
        assert_eq!(time(None), "–");
    }

    #[test]
    fn ratios_have_their_interval_and_a_mark_for_no_difference() {
        let with = |value: f64, half: f64, verdict| {
            let interval = Some(Interval { low: value - half, high: value + half });
            let all = Ratio { ratio: value, interval, verdict };
            (ratio(Some(&all)), plain_ratio(Some(&all)))
        };
        let words = |all: &str, plain: &str| (all.to_owned(), plain.to_owned());
        assert_eq!(with(1.24, 0.004, Verdict::Faster), words("1.24 ±0.3%", "1.24"));
        assert_eq!(with(7104.0, 3.0, Verdict::Faster), words("7104 ±0.04%", "7104"));
        assert_eq!(with(2.0, 0.0, Verdict::Faster), words("2.00 ±<0.01%", "2.00"));
        assert_eq!(with(0.5, 0.1, Verdict::Slower), words("0.500 ±20%", "0.500"));
        assert_eq!(with(1.001, 0.004, Verdict::NoDifference), words("= 1.00 ±0.4%", "= 1.00"));
        let few = Ratio { ratio: 2.0, interval: None, verdict: Verdict::Faster };
        assert_eq!(ratio(Some(&few)), "2.00");
        assert_eq!((ratio(None), plain_ratio(None)), words("–", "–"));
        let near = Interval { low: 0.9961, high: 1.0042 };
        assert_eq!((interval(Some(near)), interval(None)), words("0.996–1.004", "–"));
    }

    #[test]
    fn three_digits_count() {
        assert_eq!(significant(0.004_066), "0.00407");
        assert_eq!(significant(1.518), "1.52");
        assert_eq!(significant(9.996), "10.0");
        assert_eq!(significant(999.6), "1000");
        assert_eq!(significant(12_345.4), "12345");
        assert_eq!(number(Some(2700.3)), "2700");
        assert_eq!(error(Some(9.12e-7)), "9.1e-7");
        assert_eq!(error(Some(0.0)), "0");
        assert_eq!(near_one(1.0016), "1.002");
        assert_eq!(near_one(0.5), "0.500");
        assert_eq!(near_one(9.9996), "10.0");
        assert_eq!(near_one(0.01), "0.0100");
        assert_eq!(percent(0.03), "3%");
        assert_eq!(percent(0.035), "3.5%");
        assert_eq!(percent(0.0025), "0.25%");
    }

    #[test]
    fn digits_are_grouped_from_five_on() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(8192), "8192");
        assert_eq!(grouped(131_072), "131\u{2009}072");
        assert_eq!(grouped(1_000_000), "1\u{2009}000\u{2009}000");
    }

    #[test]
    fn at_least_three_digits_are_written() {
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

    #[test]
    fn intervals_have_the_digits_that_tell_their_ends_apart() {
        let of = |low, high| Interval { low, high };
        assert_eq!(around(2.0, of(1.999, 2.0014)), "−0.050 … +0.070\u{2009}%");
        assert_eq!(around(2.0, of(1.5, 2.5)), "−25 … +25\u{2009}%");
        assert_eq!(ends(of(1.6421, 1.6512)), "1.6421–1.6512");
        assert_eq!(ends(of(7080.0, 7120.0)), "7080–7120");
        assert_eq!(ends(of(1.0, 1.0)), "1.00–1.00");
    }

    #[test]
    fn bytes_and_ranges_are_short() {
        assert_eq!(bytes(4_194_304.0), "4.19\u{2009}MB");
        assert_eq!(bytes(12.0), "12\u{2009}B");
        assert_eq!(range([1980.2, 1965.0].into_iter()), "1965–1980");
        assert_eq!(range([52.0, 52.0].into_iter()), "52");
        assert_eq!(range(std::iter::empty()), "–");
    }
}
