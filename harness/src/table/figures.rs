//! Figures as tables show them: three significant digits, and a dash for what does not exist.

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

/// Interactions per second in units of 10⁹.
pub fn rate(interactions_per_second: Option<f64>) -> String {
    interactions_per_second.map_or_else(none, |rate| significant(rate / 1e9))
}

/// A speed-up: how many times as fast.
pub fn times(factor: Option<f64>) -> String {
    factor.map_or_else(none, significant)
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

fn none() -> String {
    "–".to_owned()
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
    fn three_digits_count() {
        assert_eq!(significant(0.004_066), "0.00407");
        assert_eq!(significant(1.518), "1.52");
        assert_eq!(significant(9.996), "10.0");
        assert_eq!(significant(999.6), "1000");
        assert_eq!(significant(12_345.4), "12345");
        assert_eq!(rate(Some(2.7e12)), "2700");
        assert_eq!(error(Some(9.12e-7)), "9.1e-7");
        assert_eq!(error(Some(0.0)), "0");
    }
}
