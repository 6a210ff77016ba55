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
const GROUP: &str = "\u{2009}";

/// A whole number in groups: "131 072".
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(GROUP)
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

/// A factor between two speeds, in three significant digits: "1.52×", "37.4×", "38 500×".
pub fn factor(value: f64) -> String {
    if !PLAIN.contains(&value) {
        return format!("{}×", quantity(value));
    }
    let mut unit = 1.0;
    while value / unit >= 999.5 {
        unit *= 10.0;
    }
    let rounded = if unit > 1.0 { (value / unit).round() * unit } else { value };
    format!("{}×", quantity(rounded))
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

    const fn of(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    fn with(value: f64, half: f64, verdict: Verdict) -> Ratio {
        Ratio { ratio: value, interval: Some(of(value - half, value + half)), verdict }
    }

    #[test]
    fn numbers_are_written_like_this() {
        use Verdict::{Faster, NoDifference, Slower};
        let few = Ratio { ratio: 2.0, interval: None, verdict: Faster };
        let no_difference = with(1.001, 0.004, NoDifference);
        for (written, expected) in [
            // Times take the unit that fits.
            (time(Some(16.54)), "16.5 s"),
            (time(Some(120.0)), "120 s"),
            (time(Some(1.0)), "1.00 s"),
            (time(Some(0.99996)), "1.00 s"),
            (time(Some(0.0221)), "22.1 ms"),
            (time(Some(0.000_846)), "846 µs"),
            (time(Some(0.000_000_2)), "200 ns"),
            (time(None), "–"),
            // Ratios have their interval, and a mark where there is no difference.
            (ratio(Some(&with(1.24, 0.004, Faster))), "1.24 ±0.3%"),
            (ratio(Some(&with(7104.0, 3.0, Faster))), "7104 ±0.04%"),
            (ratio(Some(&with(2.0, 0.0, Faster))), "2.00 ±<0.01%"),
            (ratio(Some(&with(0.5, 0.1, Slower))), "0.500 ±20%"),
            (ratio(Some(&no_difference)), "= 1.00 ±0.4%"),
            (ratio(Some(&few)), "2.00"),
            (ratio(None), "–"),
            (plain_ratio(Some(&with(1.24, 0.004, Faster))), "1.24"),
            (plain_ratio(Some(&no_difference)), "= 1.00"),
            (plain_ratio(None), "–"),
            (interval(Some(of(0.9961, 1.0042))), "0.996–1.004"),
            (interval(None), "–"),
            // Three digits count.
            (significant(0.004_066), "0.00407"),
            (significant(1.518), "1.52"),
            (significant(9.996), "10.0"),
            (significant(999.6), "1000"),
            (significant(12_345.4), "12345"),
            (number(Some(2700.3)), "2700"),
            (error(Some(9.12e-7)), "9.1e-7"),
            (error(Some(0.0)), "0"),
            (near_one(1.0016), "1.002"),
            (near_one(0.5), "0.500"),
            (near_one(9.9996), "10.0"),
            (near_one(0.01), "0.0100"),
            (percent(0.03), "3%"),
            (percent(0.035), "3.5%"),
            (percent(0.0025), "0.25%"),
            // Digits are grouped from five on.
            (grouped(0), "0"),
            (grouped(8192), "8192"),
            (grouped(131_072), "131\u{2009}072"),
            (grouped(1_000_000), "1\u{2009}000\u{2009}000"),
            (quantity(0.00406), "0.00406"),
            (quantity(0.5), "0.500"),
            (quantity(0.966), "0.966"),
            (quantity(1.0), "1.00"),
            (quantity(9.996), "10.0"),
            (quantity(37.44), "37.4"),
            (quantity(99.96), "100"),
            (quantity(1508.2), "1508"),
            // What is out of this world has a power.
            (quantity(2.3e20), "2.30·10²⁰"),
            (quantity(1e-300), "1.00·10⁻³⁰⁰"),
            (factor(4.5e99), "4.50·10⁹⁹×"),
            (tick(1e45), "1.00·10⁴⁵"),
            // Factors claim no more digits than three.
            (factor(0.966), "0.966×"),
            (factor(1.524), "1.52×"),
            (factor(999.4), "999×"),
            (factor(1508.2), "1510×"),
            (factor(38_540.0), "38\u{2009}500×"),
            (factor(999_600.0), "1\u{2009}000\u{2009}000×"),
            (tick(0.005), "0.005"),
            (tick(0.1), "0.1"),
            (tick(1.0), "1"),
            (tick(1.5), "1.5"),
            (tick(20.0), "20"),
            (tick(50_000.0), "50\u{2009}000"),
            // Intervals have the digits that tell their ends apart.
            (around(2.0, of(1.999, 2.0014)), "−0.050 … +0.070\u{2009}%"),
            (around(2.0, of(1.5, 2.5)), "−25 … +25\u{2009}%"),
            (ends(of(1.6421, 1.6512)), "1.6421–1.6512"),
            (ends(of(7080.0, 7120.0)), "7080–7120"),
            (ends(of(1.0, 1.0)), "1.00–1.00"),
            (bytes(4_194_304.0), "4.19\u{2009}MB"),
            (bytes(12.0), "12\u{2009}B"),
            (range([1980.2, 1965.0].into_iter()), "1965–1980"),
            (range([52.0, 52.0].into_iter()), "52"),
            (range(std::iter::empty()), "–"),
        ] {
            assert_eq!(written, expected);
        }
    }
}
