//! Intervals and shares as the page writes them.

use report::statistics::Interval;

use crate::plot::numbers;

/// What there is nothing to write for.
pub const NONE: &str = "–";

/// An interval around a value, relative to it: "−0.05 … +0.07 %".
pub fn around(value: f64, interval: Option<Interval>) -> String {
    let Some(Interval { low, high }) = interval else { return NONE.to_owned() };
    let [low, high] = [low, high].map(|end| 100.0 * (end / value - 1.0));
    let digits = digits(low.abs().max(high.abs()));
    let sign = |end: f64| if end < 0.0 { "−" } else { "+" };
    let (below, above) = (sign(low), sign(high));
    let (low, high) = (low.abs(), high.abs());
    format!("{below}{low:.digits$} … {above}{high:.digits$}\u{2009}%")
}

/// The interval of a ratio, with as many digits as tell its ends apart: "1.642–1.651".
pub fn ends(interval: Option<Interval>) -> String {
    let Some(Interval { low, high }) = interval else { return NONE.to_owned() };
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

/// A share: "0.35 %".
pub fn share(share: Option<f64>) -> String {
    share.map_or(NONE.to_owned(), |share| format!("{:.2}\u{2009}%", 100.0 * share))
}

/// Bytes in the unit that leaves one to three digits before the point: "4.19 MB".
pub fn bytes(bytes: f64) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}\u{2009}{name}", numbers::quantity(bytes / unit)),
        None => format!("{bytes:.0}\u{2009}B"),
    }
}

/// From the least to the greatest of what was seen: "1965–1980".
pub fn range(values: impl Iterator<Item = f64>) -> String {
    let ends = values.fold(None, |ends: Option<(f64, f64)>, value| {
        let (low, high) = ends.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    });
    match ends.map(|(low, high)| (low.round(), high.round())) {
        None => NONE.to_owned(),
        Some((low, high)) if low == high => low.to_string(),
        Some((low, high)) => format!("{low}–{high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_the_digits_that_tell_their_ends_apart() {
        let of = |low, high| Some(Interval { low, high });
        assert_eq!(around(2.0, of(1.999, 2.0014)), "−0.050 … +0.070\u{2009}%");
        assert_eq!(around(2.0, of(1.5, 2.5)), "−25 … +25\u{2009}%");
        assert_eq!(around(2.0, None), "–");
        assert_eq!(ends(of(1.6421, 1.6512)), "1.6421–1.6512");
        assert_eq!(ends(of(7080.0, 7120.0)), "7080–7120");
        assert_eq!(ends(of(1.0, 1.0)), "1.00–1.00");
    }

    #[test]
    fn quantities_have_their_units() {
        assert_eq!(bytes(4_194_304.0), "4.19\u{2009}MB");
        assert_eq!(bytes(12.0), "12\u{2009}B");
        assert_eq!(share(Some(0.0035)), "0.35\u{2009}%");
        assert_eq!(range([1980.2, 1965.0].into_iter()), "1965–1980");
        assert_eq!(range([52.0, 52.0].into_iter()), "52");
        assert_eq!(range(std::iter::empty()), "–");
    }
}
