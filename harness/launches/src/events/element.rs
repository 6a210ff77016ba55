//! The types of numbers that a kernel can be given.

use std::str::FromStr;

use simt::semantics::half::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use ui::Usage;

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// As it is typed.
    pub name: &'static str,
    /// Of one number.
    pub bytes: u64,
    /// The least and the greatest value of an integer type; `None` of floating-point types.
    pub range: Option<(i128, i128)>,
}

/// A number's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    Whole(i128),
    Float(f64),
}

const ELEMENTS: [Element; 12] = [
    integer("u8", 1, 0, u8::MAX as i128),
    integer("i8", 1, i8::MIN as i128, i8::MAX as i128),
    integer("u16", 2, 0, u16::MAX as i128),
    integer("i16", 2, i16::MIN as i128, i16::MAX as i128),
    integer("u32", 4, 0, u32::MAX as i128),
    integer("i32", 4, i32::MIN as i128, i32::MAX as i128),
    integer("u64", 8, 0, u64::MAX as i128),
    integer("i64", 8, i64::MIN as i128, i64::MAX as i128),
    float("f16", 2),
    float("bf16", 2),
    float("f32", 4),
    float("f64", 8),
];

const fn float(name: &'static str, bytes: u64) -> Element {
    Element { name, bytes, range: None }
}

const fn integer(name: &'static str, bytes: u64, least: i128, greatest: i128) -> Element {
    Element { name, bytes, range: Some((least, greatest)) }
}

impl Number {
    /// Of 64-bit integers, the nearest one that a float can be.
    pub fn value(self) -> f64 {
        match self {
            Number::Whole(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

impl Element {
    /// The names of all.
    pub fn names() -> String {
        ELEMENTS.map(|element| element.name).join(", ")
    }

    /// The bits of a floating-point number.
    pub fn float(self, value: f64) -> u64 {
        match self.name {
            "f16" => f32_to_f16(value as f32).into(),
            "bf16" => f32_to_bf16(value as f32).into(),
            "f32" => (value as f32).to_bits().into(),
            _ => value.to_bits(),
        }
    }

    /// The bits of an integer, of which the type keeps the low ones, or of its nearest float.
    pub fn whole(self, value: u64) -> u64 {
        match (self.range, self.name) {
            (Some(_), _) => value,
            // Rounded once.
            (None, "f32") => (value as f32).to_bits().into(),
            (None, _) => self.float(value as f64),
        }
    }

    /// The bytes of `count` numbers, of which `bits` gives each one's.
    pub fn numbers(self, count: u64, mut bits: impl FnMut(u64) -> u64) -> Vec<u8> {
        let size = self.bytes as usize;
        let mut bytes = vec![0; size * count as usize];
        for (place, i) in bytes.chunks_exact_mut(size).zip(0..) {
            place.copy_from_slice(&bits(i).to_le_bytes()[..size]);
        }
        bytes
    }

    /// The number that these bytes are; as many as the type has.
    pub fn decode(self, bytes: &[u8]) -> Number {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        match (self.range, self.name) {
            (Some((least, _)), _) if least < 0 => {
                let unused = 64 - 8 * self.bytes;
                Number::Whole(i128::from((bits << unused) as i64 >> unused))
            }
            (Some(_), _) => Number::Whole(i128::from(bits)),
            (None, "f16") => Number::Float(f16_to_f32(bits as u16).into()),
            (None, "bf16") => Number::Float(bf16_to_f32(bits as u16).into()),
            (None, "f32") => Number::Float(f32::from_bits(bits as u32).into()),
            (None, _) => Number::Float(f64::from_bits(bits)),
        }
    }

    /// A number as it is shortest to type.
    pub fn text(self, number: Number) -> String {
        match number {
            Number::Whole(value) => value.to_string(),
            // The shortest that gives the same bits back.
            Number::Float(value) if self.bytes < 8 => tidy(format!("{:?}", value as f32)),
            Number::Float(value) => tidy(format!("{value:?}")),
        }
    }

    /// The bytes of a number as people type it: `-3`, `0x1f`, `64k`, `0.5`, `1e-3`.
    ///
    /// # Errors
    /// It is no number of this type.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Usage> {
        let name = self.name;
        let Some((least, greatest)) = self.range else {
            let value = parse_float(text);
            let value = value.ok_or_else(|| format!("`{text}` is no number for {name}"))?;
            return Ok(self.numbers(1, |_| self.float(value)));
        };
        let value = parse_integer(text).ok_or_else(|| {
            format!("`{text}` is no whole number for {name}; write it as 7, -3, 0x1f, 64k or 1M")
        })?;
        if value < least || value > greatest {
            let range = format!("{least} to {greatest}");
            return Err(format!("`{text}` does not fit {name}, which holds {range}").into());
        }
        Ok(value.to_le_bytes()[..self.bytes as usize].to_vec())
    }

    /// The bytes of numbers with commas between them, one after the other.
    ///
    /// # Errors
    /// One is no number of this type.
    pub fn encode_list(self, text: &str) -> Result<Vec<u8>, Usage> {
        let mut bytes = Vec::new();
        for number in text.split(',') {
            bytes.extend(self.encode(number.trim())?);
        }
        Ok(bytes)
    }
}

impl FromStr for Element {
    type Err = Usage;

    fn from_str(text: &str) -> Result<Element, Usage> {
        ELEMENTS.into_iter().find(|element| element.name == text).ok_or_else(|| {
            let nearest = ui::nearest(text, &ELEMENTS.map(|element| element.name));
            Usage(format!("there is no type `{text}`{nearest}; types: {}", Element::names()))
        })
    }
}

/// `1.0` as `1`.
fn tidy(text: String) -> String {
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The digits of a number and what its suffix multiplies them with.
fn unit(text: &str) -> (&str, u32) {
    match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1_000_000)),
    }
}

fn parse_integer(text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(i128::from);
    }
    let (digits, unit) = unit(text);
    // 64 bits are enough for every type, and leave room for the unit.
    let whole = digits.parse::<i64>().map(i128::from);
    let whole = whole.or_else(|_| digits.parse::<u64>().map(i128::from)).ok()?;
    Some(whole * i128::from(unit))
}

fn parse_float(text: &str) -> Option<f64> {
    let (digits, unit) = unit(text);
    Some(digits.parse::<f64>().ok()? * f64::from(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Element {
        name.parse().expect("a type")
    }

    #[test]
    fn the_ends_of_a_range_fit_and_nothing_beyond() {
        assert_eq!(of("i64").encode("-9223372036854775808").unwrap(), i64::MIN.to_le_bytes());
        assert_eq!(of("u64").encode("18446744073709551615").unwrap(), u64::MAX.to_le_bytes());
        assert!(of("u64").encode("18446744073709551616").is_err());
        assert!(of("u64").encode("9999999999999999M").is_err());
        assert!(of("i8").encode("128").is_err());
    }

    #[test]
    fn numbers_come_back_as_they_went_in() {
        for (name, text) in [
            ("i8", "-128"),
            ("u8", "255"),
            ("i16", "-3"),
            ("u64", "18446744073709551615"),
            ("i64", "-9223372036854775808"),
            ("f16", "0.5"),
            ("bf16", "-3"),
            ("f32", "0.1"),
            ("f64", "1e-300"),
            ("f64", "NaN"),
            ("f32", "-inf"),
        ] {
            let element = of(name);
            let bytes = element.encode(text).expect(text);
            assert_eq!(bytes.len() as u64, element.bytes);
            assert_eq!(element.text(element.decode(&bytes)), text, "{name}");
        }
        assert_eq!(of("f16").encode("1").unwrap(), [0, 0x3c]);
        assert_eq!(of("bf16").whole(1), 0x3f80);
    }

    #[test]
    fn whole_numbers_wrap_or_round() {
        assert_eq!(of("u8").numbers(2, |i| of("u8").whole(257 + i)), [1, 2]);
        assert_eq!(of("f32").whole(3), u64::from(3f32.to_bits()));
    }
}
