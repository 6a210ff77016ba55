//! The types of numbers that a kernel can be given.

use std::str::FromStr;

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// 8 bits without a sign.
    U8,
    /// 8 bits with a sign.
    I8,
    /// 16 bits without a sign.
    U16,
    /// 16 bits with a sign.
    I16,
    /// 32 bits without a sign.
    U32,
    /// 32 bits with a sign.
    I32,
    /// 64 bits without a sign.
    U64,
    /// 64 bits with a sign.
    I64,
    /// `float`.
    F32,
    /// `double`.
    F64,
}

/// The least and the greatest value of an integer type.
pub type Range = (i128, i128);

/// Every type, its name, its size in bytes and, for integers, its range.
const TABLE: [(Element, &str, u64, Option<Range>); 10] = [
    (Element::U8, "u8", 1, Some((0, u8::MAX as i128))),
    (Element::I8, "i8", 1, Some((i8::MIN as i128, i8::MAX as i128))),
    (Element::U16, "u16", 2, Some((0, u16::MAX as i128))),
    (Element::I16, "i16", 2, Some((i16::MIN as i128, i16::MAX as i128))),
    (Element::U32, "u32", 4, Some((0, u32::MAX as i128))),
    (Element::I32, "i32", 4, Some((i32::MIN as i128, i32::MAX as i128))),
    (Element::U64, "u64", 8, Some((0, u64::MAX as i128))),
    (Element::I64, "i64", 8, Some((i64::MIN as i128, i64::MAX as i128))),
    (Element::F32, "f32", 4, None),
    (Element::F64, "f64", 8, None),
];

impl Element {
    /// The names of all.
    pub fn names() -> Vec<&'static str> {
        TABLE.iter().map(|(_, name, _, _)| *name).collect()
    }

    /// Its name, as it is typed.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Its size in bytes.
    pub fn bytes(self) -> u64 {
        TABLE[self as usize].2
    }

    /// The least and the greatest value of an integer type.
    pub fn range(self) -> Option<Range> {
        TABLE[self as usize].3
    }

    /// The bytes of an integer, of which the type keeps the low ones, or of its nearest float.
    pub fn whole(self, value: u64) -> Vec<u8> {
        match self {
            Element::F32 => (value as f32).to_le_bytes().to_vec(),
            Element::F64 => (value as f64).to_le_bytes().to_vec(),
            _ => value.to_le_bytes()[..self.bytes() as usize].to_vec(),
        }
    }

    /// The bytes of a number as people type it: `-3`, `0x1f`, `64k`, `0.5`, `1e-3`.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, String> {
        let name = self.name();
        let Some((least, greatest)) = self.range() else {
            let value = float(text).ok_or_else(|| format!("`{text}` is no number for {name}"))?;
            return Ok(match self {
                Element::F32 => (value as f32).to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            });
        };
        let value = integer(text).ok_or_else(|| {
            format!("`{text}` is no whole number for {name}; write it as 7, -3, 0x1f, 64k or 1M")
        })?;
        if value < least || value > greatest {
            return Err(format!("`{text}` does not fit {name}, which holds {least} to {greatest}"));
        }
        Ok(value.to_le_bytes()[..self.bytes() as usize].to_vec())
    }
}

impl FromStr for Element {
    type Err = String;

    fn from_str(text: &str) -> Result<Element, String> {
        let found = TABLE.iter().find(|(_, name, _, _)| *name == text);
        found.map(|(element, ..)| *element).ok_or_else(|| {
            let names = Element::names();
            let nearest = crate::names::nearest(text, &names);
            format!("there is no type `{text}`{nearest}; types: {}", names.join(", "))
        })
    }
}

/// The digits of a number and what its suffix multiplies them with.
fn unit(text: &str) -> (&str, u32) {
    match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1_000_000)),
    }
}

fn integer(text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(i128::from);
    }
    let (digits, unit) = unit(text);
    // 64 bits are enough for every type, and leave room for the unit.
    let whole = digits.parse::<i64>().map(i128::from);
    let whole = whole.or_else(|_| digits.parse::<u64>().map(i128::from)).ok()?;
    Some(whole * i128::from(unit))
}

fn float(text: &str) -> Option<f64> {
    let (digits, unit) = unit(text);
    Some(digits.parse::<f64>().ok()? * f64::from(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_types() {
        for (place, (element, name, ..)) in TABLE.iter().enumerate() {
            assert_eq!(*element as usize, place, "{name}");
        }
    }

    #[test]
    fn the_ends_of_a_range_fit_and_nothing_beyond() {
        assert_eq!(Element::I64.encode("-9223372036854775808").unwrap(), i64::MIN.to_le_bytes());
        assert_eq!(Element::U64.encode("18446744073709551615").unwrap(), u64::MAX.to_le_bytes());
        assert!(Element::U64.encode("18446744073709551616").is_err());
        assert!(Element::U64.encode("9999999999999999M").is_err());
        assert!(Element::I8.encode("128").is_err());
    }

    #[test]
    fn whole_numbers_wrap_or_round() {
        assert_eq!(Element::U8.whole(257), [1]);
        assert_eq!(Element::F32.whole(3), 3f32.to_le_bytes());
    }
}
