//! Numbers as the C library prints them.

use super::spec::Spec;

/// Notation of a floating-point number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float {
    /// `%e`
    Exponent,
    /// `%f`
    Fixed,
    /// `%g`
    General,
    /// `%a`
    Hexadecimal,
}

/// An integer by its magnitude; `conversion` is one of `diuoxX`.
pub(super) fn integer(magnitude: u64, negative: bool, conversion: u8, spec: Spec) -> Vec<u8> {
    let mut digits = match conversion {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    };
    if magnitude == 0 && spec.precision == Some(0) {
        digits.clear();
    }
    let missing = spec.precision.unwrap_or(0).saturating_sub(digits.len());
    digits.insert_str(0, &"0".repeat(missing));
    let prefix = match conversion {
        b'd' | b'i' => sign(negative, spec),
        b'o' if spec.alternative && !digits.starts_with('0') => "0",
        b'x' if spec.alternative && magnitude != 0 => "0x",
        b'X' if spec.alternative && magnitude != 0 => "0X",
        _ => "",
    };
    // A precision overrides the flag `0`.
    filled(prefix, &digits, Spec { zeros: spec.zeros && spec.precision.is_none(), ..spec })
}

fn sign(negative: bool, spec: Spec) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

/// The number, with zeros between prefix and digits if the field is to be filled with them.
fn filled(prefix: &str, digits: &str, spec: Spec) -> Vec<u8> {
    let zeros = if spec.zeros && !spec.left {
        spec.width.saturating_sub(prefix.len() + digits.len())
    } else {
        0
    };
    format!("{prefix}{}{digits}", "0".repeat(zeros)).into_bytes()
}

/// A float, in lower case.
pub(super) fn float(value: f64, form: Float, spec: Spec) -> Vec<u8> {
    let sign = sign(value.is_sign_negative(), spec);
    if !value.is_finite() {
        let name = if value.is_nan() { "nan" } else { "inf" };
        return filled(sign, name, Spec { zeros: false, ..spec });
    }
    let magnitude = value.abs();
    let precision = spec.precision.unwrap_or(6);
    match form {
        Float::Fixed => filled(sign, &fixed(magnitude, precision, spec.alternative), spec),
        Float::Exponent => filled(sign, &exponent(magnitude, precision, spec.alternative), spec),
        Float::General => filled(sign, &general(magnitude, precision.max(1), spec), spec),
        Float::Hexadecimal => filled(&format!("{sign}0x"), &hexadecimal(magnitude, spec), spec),
    }
}

fn fixed(magnitude: f64, precision: usize, point: bool) -> String {
    let point = if point && precision == 0 { "." } else { "" };
    format!("{magnitude:.precision$}{point}")
}

/// `d.ddde±dd`
fn exponent(magnitude: f64, precision: usize, point: bool) -> String {
    let text = format!("{magnitude:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let point = if point && precision == 0 { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", power.unsigned_abs())
}

/// With `digits` significant digits, as `%e` or `%f`, whichever is shorter; without trailing zeros, unless the flag `#`
/// keeps them.
fn general(magnitude: f64, digits: usize, spec: Spec) -> String {
    let text = format!("{magnitude:.*e}", digits - 1);
    let power: i32 = text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let is_fixed = power >= -4 && i64::from(power) < digits as i64;
    let text = if is_fixed {
        let after = (digits as i64 - 1 - i64::from(power)).max(0);
        fixed(magnitude, after as usize, spec.alternative)
    } else {
        exponent(magnitude, digits - 1, spec.alternative)
    };
    if spec.alternative {
        return text;
    }
    let (mantissa, power) = text.split_at(text.find('e').unwrap_or(text.len()));
    if !mantissa.contains('.') {
        return text;
    }
    format!("{}{power}", mantissa.trim_end_matches('0').trim_end_matches('.'))
}

/// `h.hhhhp±d`, without the `0x`.
fn hexadecimal(magnitude: f64, spec: Spec) -> String {
    const MANTISSA: u32 = 52;
    let bits = magnitude.to_bits();
    let (biased, mut fraction) = (bits >> MANTISSA, bits & ((1 << MANTISSA) - 1));
    let power = match (biased, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased as i64 - 1023,
    };
    let mut whole = u64::from(biased != 0);
    let digits = MANTISSA as usize / 4;
    let kept = spec.precision.unwrap_or(digits);
    if kept < digits {
        // To nearest, ties to even.
        let dropped = 4 * (digits - kept) as u32;
        let all = whole << MANTISSA | fraction;
        let (floor, rest, half) = (all >> dropped, all & ((1 << dropped) - 1), 1 << (dropped - 1));
        let rounded = floor + u64::from(rest > half || rest == half && floor & 1 == 1);
        let all = rounded << dropped;
        (whole, fraction) = (all >> MANTISSA, all & ((1 << MANTISSA) - 1));
    }
    let mut text = format!("{fraction:013x}");
    match spec.precision {
        Some(precision) if precision > digits => text += &"0".repeat(precision - digits),
        Some(precision) => text.truncate(precision),
        None => text.truncate(text.trim_end_matches('0').len()),
    }
    let point = if text.is_empty() && !spec.alternative { "" } else { "." };
    format!("{whole}{point}{text}p{power:+}")
}

#[cfg(test)]
mod tests {
    use super::super::format::format;
    use super::*;

    struct One(f64);

    impl super::super::format::Arguments for One {
        type Error = ();
        fn next(&mut self, _: u64) -> Result<u64, ()> {
            Ok(self.0.to_bits())
        }
        fn text(&mut self, _: u64, _: usize) -> Result<Vec<u8>, ()> {
            Err(())
        }
    }

    /// What the GNU C library prints.
    #[test]
    fn floats_are_printed_as_by_c() {
        let pi = std::f64::consts::PI;
        let cases: [(&str, f64, &str); 46] = [
            ("%f", pi, "3.141593"),
            ("%5.2f", pi, " 3.14"),
            ("%-8.2f|", pi, "3.14    |"),
            ("%010.3f", -pi, "-00003.142"),
            ("%+.1f", pi, "+3.1"),
            ("% .1f", pi, " 3.1"),
            ("%.0f", 0.5, "0"),
            ("%.0f", 1.5, "2"),
            ("%.0f", 2.5, "2"),
            ("%#.0f", 2.5, "2."),
            ("%f", 1e22, "10000000000000000000000.000000"),
            ("%.20f", 1.0 / 3.0, "0.33333333333333331483"),
            ("%e", pi, "3.141593e+00"),
            ("%.3E", 1e-7 * pi, "3.142E-07"),
            ("%12.2e", -pi, "   -3.14e+00"),
            ("%.0e", 15.0, "2e+01"),
            ("%#.0e", 15.0, "2.e+01"),
            ("%e", f64::MIN_POSITIVE, "2.225074e-308"),
            ("%e", 0.0, "0.000000e+00"),
            ("%g", pi, "3.14159"),
            ("%g", 1e-5, "1e-05"),
            ("%g", 1e-4, "0.0001"),
            ("%g", 1e5, "100000"),
            ("%g", 1e6, "1e+06"),
            ("%g", 999_999.5, "1e+06"),
            ("%.3g", 123_456.0, "1.23e+05"),
            ("%.10g", pi, "3.141592654"),
            ("%.0g", 0.012, "0.01"),
            ("%#g", 1.0, "1.00000"),
            ("%g", 0.0, "0"),
            ("%g", -0.0, "-0"),
            ("%G", 1e-10, "1E-10"),
            ("%a", pi, "0x1.921fb54442d18p+1"),
            ("%A", pi, "0X1.921FB54442D18P+1"),
            ("%.3a", pi, "0x1.922p+1"),
            ("%.0a", 1.5, "0x2p+0"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", 0.0, "0x0p+0"),
            ("%a", 5e-324, "0x0.0000000000001p-1022"),
            ("%.15a", 1.5, "0x1.800000000000000p+0"),
            ("%12a", 1.0, "      0x1p+0"),
            ("%012a", 1.0, "0x0000001p+0"),
            ("%f", f64::INFINITY, "inf"),
            ("%08f", f64::NEG_INFINITY, "    -inf"),
            ("%F", f64::INFINITY, "INF"),
            ("%5.1f", f64::NAN, "  nan"),
        ];
        for (text, value, wanted) in cases {
            let (printed, _) = format(text.as_bytes(), &mut One(value)).unwrap();
            assert_eq!(String::from_utf8(printed).unwrap(), wanted, "{text} of {value}");
        }
    }

    #[test]
    fn a_rounded_mantissa_carries_into_the_whole() {
        let spec = Spec { precision: Some(1), ..Spec::default() };
        assert_eq!(hexadecimal(f64::from_bits(0x3fff_ffff_ffff_ffff), spec), "2.0p+0");
    }
}
