//! `printf`: formats arguments as text.

use super::number::{Float, float, integer};
use super::spec::Spec;

/// Most bytes of a field, whatever its width.
const WIDEST: usize = 1 << 16;

/// The source of the arguments.
pub trait Arguments {
    type Error;
    /// The next argument, of 4 or 8 bytes.
    fn next(&mut self, bytes: u64) -> Result<u64, Self::Error>;
    /// The bytes of a string at an address, at most `most`.
    fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Self::Error>;
}

/// The text, and the number of arguments that it consumed.
pub fn format<A: Arguments>(format: &[u8], arguments: &mut A) -> Result<(Vec<u8>, u32), A::Error> {
    let mut text = Vec::new();
    let mut count = 0;
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            text.push(format[at]);
            at += 1;
            continue;
        }
        let mut reader = Reader { format, at: at + 1, arguments, count: &mut count };
        let (spec, bytes) = reader.spec()?;
        let (end, conversion) = (reader.at, format.get(reader.at).copied());
        let known = match conversion {
            Some(conversion) => reader.convert(conversion, spec, bytes)?,
            None => None,
        };
        match known {
            Some(field) => {
                pad(&mut text, &field, spec);
                at = end + 1;
            }
            // An unknown conversion is printed as it is.
            None => {
                text.push(b'%');
                at += 1;
            }
        }
    }
    Ok((text, count))
}

struct Reader<'a, A> {
    format: &'a [u8],
    at: usize,
    arguments: &'a mut A,
    count: &'a mut u32,
}

impl<A: Arguments> Reader<'_, A> {
    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or_default()
    }

    fn accept(&mut self, c: u8) -> bool {
        let found = self.peek() == c;
        self.at += usize::from(found);
        found
    }

    fn next(&mut self, bytes: u64) -> Result<u64, A::Error> {
        *self.count += 1;
        self.arguments.next(bytes)
    }

    /// Flags, width, precision, and the size of an integer.
    fn spec(&mut self) -> Result<(Spec, u64), A::Error> {
        let mut spec = Spec::default();
        loop {
            match self.peek() {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zeros = true,
                _ => break,
            }
            self.at += 1;
        }
        if self.accept(b'*') {
            let width = self.next(4)? as i32;
            spec.left |= width < 0;
            spec.width = (width.unsigned_abs() as usize).min(WIDEST);
        } else {
            spec.width = self.digits();
        }
        if self.accept(b'.') {
            spec.precision = if self.accept(b'*') {
                // A negative precision counts as none.
                usize::try_from(self.next(4)? as i32).ok().map(|p| p.min(WIDEST))
            } else {
                Some(self.digits())
            };
        }
        let mut bytes = 4;
        // As on a GPU, `z`, `j` and `t` are not sizes: `%zu` is printed as it is.
        while matches!(self.peek(), b'l' | b'h') {
            // Arguments of `h` and `hh` have 4 bytes.
            bytes = if self.peek() == b'h' { 4 } else { 8 };
            self.at += 1;
        }
        Ok((spec, bytes))
    }

    fn digits(&mut self) -> usize {
        let mut number = 0usize;
        while self.peek().is_ascii_digit() {
            number = (number * 10 + usize::from(self.peek() - b'0')).min(WIDEST);
            self.at += 1;
        }
        number
    }

    /// Truncates an integer to the size that `h` or `hh` before the conversion asks for.
    fn narrowed(&self, value: u64, bytes: u64, signed: bool) -> u64 {
        let before = |n: usize| self.at.checked_sub(n).map(|at| self.format[at]);
        let halves = [before(1), before(2)].iter().take_while(|c| **c == Some(b'h')).count();
        match (halves, bytes, signed) {
            (0, 8, _) => value,
            (0, _, true) => value as i32 as u64,
            (0, _, false) => value as u32 as u64,
            (1, _, true) => value as i16 as u64,
            (1, _, false) => value as u16 as u64,
            (_, _, true) => value as i8 as u64,
            (_, _, false) => value as u8 as u64,
        }
    }

    /// A field's text before padding; `None` for an unknown conversion.
    fn convert(
        &mut self,
        conversion: u8,
        spec: Spec,
        bytes: u64,
    ) -> Result<Option<Vec<u8>>, A::Error> {
        Ok(Some(match conversion {
            b'd' | b'i' => {
                let value = self.next(bytes)?;
                let value = self.narrowed(value, bytes, true).cast_signed();
                integer(value.unsigned_abs(), value < 0, conversion, spec)
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = self.next(bytes)?;
                integer(self.narrowed(value, bytes, false), false, conversion, spec)
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(self.next(8)?);
                let form = match conversion.to_ascii_lowercase() {
                    b'e' => Float::Exponent,
                    b'f' => Float::Fixed,
                    b'g' => Float::General,
                    _ => Float::Hexadecimal,
                };
                let field = float(value, form, spec);
                let upper = conversion.is_ascii_uppercase();
                if upper { field.to_ascii_uppercase() } else { field }
            }
            b'c' => vec![self.next(4)? as u8],
            b's' => match self.next(8)? {
                0 => b"(null)".to_vec(),
                address => self.arguments.text(address, spec.precision.unwrap_or(usize::MAX))?,
            },
            b'p' => match self.next(8)? {
                0 => b"(nil)".to_vec(),
                address => format!("{address:#x}").into_bytes(),
            },
            b'%' => b"%".to_vec(),
            _ => return Ok(None),
        }))
    }
}

/// Adds a field, padded with blanks to its width. Zeros are in it already.
fn pad(text: &mut Vec<u8>, field: &[u8], spec: Spec) {
    let blanks = spec.width.saturating_sub(field.len());
    if !spec.left {
        text.extend(std::iter::repeat_n(b' ', blanks));
    }
    text.extend(field);
    if spec.left {
        text.extend(std::iter::repeat_n(b' ', blanks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments in order; texts by their addresses.
    struct Given(std::vec::IntoIter<u64>);

    impl Arguments for Given {
        type Error = ();
        fn next(&mut self, _: u64) -> Result<u64, ()> {
            self.0.next().ok_or(())
        }
        fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, ()> {
            let text = if address == 1 { "hello" } else { "" };
            Ok(text.bytes().take(most).collect())
        }
    }

    fn printed(text: &str, arguments: &[u64]) -> String {
        let mut given = Given(Vec::from(arguments).into_iter());
        let (text, count) = format(text.as_bytes(), &mut given).expect("enough arguments");
        assert_eq!(count as usize, arguments.len());
        String::from_utf8(text).unwrap()
    }

    /// Each value with formats and what the C library prints for them.
    #[test]
    fn integers_are_printed_as_by_c() {
        let cases: [(&str, i64, &str); 31] = [
            ("%d", -42, "-42"),
            ("%i", 42, "42"),
            ("%u", -1, "4294967295"),
            ("%x", 3_000_000_000, "b2d05e00"),
            ("%X", 255, "FF"),
            ("%o", 8, "10"),
            ("%8d", -42, "     -42"),
            ("%-8d|", -42, "-42     |"),
            ("%08d", -42, "-0000042"),
            ("%+d", 7, "+7"),
            ("% d", 7, " 7"),
            ("% d", -7, "-7"),
            ("%.5d", 42, "00042"),
            ("%8.5d", 42, "   00042"),
            ("%08.5d", 42, "   00042"),
            ("%.0d|", 0, "|"),
            ("%.0x|", 0, "|"),
            ("%#x", 255, "0xff"),
            ("%#X", 255, "0XFF"),
            ("%#o", 8, "010"),
            ("%#x", 0, "0"),
            ("%#o", 0, "0"),
            ("%#.0o", 0, "0"),
            ("%#08x", 255, "0x0000ff"),
            ("%lld", i64::MIN, "-9223372036854775808"),
            ("%ld", -1, "-1"),
            ("%llu", -1, "18446744073709551615"),
            ("%hd", 65535, "-1"),
            ("%hhu", 257, "1"),
            ("%-08d|", 5, "5       |"),
            ("%d", 1 << 40, "0"),
        ];
        for (text, value, wanted) in cases {
            assert_eq!(printed(text, &[value.cast_unsigned()]), wanted, "{text}");
        }
    }

    #[test]
    fn texts_characters_and_pointers() {
        assert_eq!(printed("%s|%10s|%-10s|%.2s|", &[1; 4]), "hello|     hello|hello     |he|");
        assert_eq!(printed("%c%3c%-3c|", &[65, 66, 67]), "A  BC  |");
        assert_eq!(
            printed("%p %p %10p %s", &[0x1234, 0, 0x12, 0]),
            "0x1234 (nil)       0x12 (null)"
        );
        assert_eq!(printed("100%% %5%", &[]), "100%     %");
        assert_eq!(printed("%*d|%-*d|%.*f", &[6, 42, 4, 7, 2, 1f64.to_bits()]), "    42|7   |1.00");
        assert_eq!(printed("%*d|", &[-4i32 as u32 as u64, 7]), "7   |");
        assert_eq!(printed("what%y is %zu and %", &[]), "what%y is %zu and %");
    }

    #[test]
    fn a_width_has_bounds_and_arguments_may_be_missing() {
        assert_eq!(printed("%99999999999999999999d", &[1]).len(), WIDEST);
        let mut none = Given(Vec::new().into_iter());
        assert!(format(b"%d", &mut none).is_err());
    }
}
