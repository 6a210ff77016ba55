//! Splits PTX text into tokens.

use super::error::Error;

/// A token. Opcodes with their modifiers, directives and names are words, because PTX spells them alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Token<'a> {
    Word(&'a str),
    Integer(u64),
    /// `0fXXXXXXXX`
    Single(u32),
    /// `0dXXXXXXXXXXXXXXXX`, or a decimal fraction
    Double(u64),
    Text(&'a str),
    Punctuation(char),
}

/// A token, its line from 1, and its byte offset in the text.
#[derive(Debug, Clone, Copy)]
pub struct Spanned<'a> {
    pub token: Token<'a>,
    pub line: u32,
    pub start: usize,
}

/// Splits a text into tokens.
pub fn tokens(text: &str) -> Result<Vec<Spanned<'_>>, Error> {
    let mut lexer = Lexer { text, at: 0, line: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let (line, start) = (lexer.line, lexer.at);
        match lexer.next()? {
            Some(token) => tokens.push(Spanned { token, line, start }),
            None => return Ok(tokens),
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl<'a> Lexer<'a> {
    /// An error at the current position.
    fn error(&self, message: impl Into<String>) -> Error {
        Error { start: Some(self.at), ..Error::new(self.line, message) }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Consumes the longest prefix of characters that satisfy `keep`.
    fn take_while(&mut self, mut keep: impl FnMut(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += length;
        self.line += rest[..length].matches('\n').count() as u32;
        &rest[..length]
    }

    fn skip_blank(&mut self) -> Result<(), Error> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest().starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                let comment = self.rest();
                let Some(end) = comment.find("*/") else {
                    return Err(self.error("unterminated comment"));
                };
                self.line += comment[..end].matches('\n').count() as u32;
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Option<Token<'a>>, Error> {
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        Ok(Some(match first {
            '0'..='9' => self.number()?,
            '"' => {
                self.at += 1;
                let line = self.line;
                // A backslash escapes the next character.
                let mut escaped = false;
                let text = self.take_while(|c| {
                    let inside = escaped || c != '"';
                    escaped = c == '\\' && !escaped;
                    inside
                });
                if self.rest().is_empty() {
                    return Err(Error::new(line, "unterminated string"));
                }
                self.at += 1;
                Token::Text(text)
            }
            // Directives may follow each other without a blank: `.reg.b16`.
            '.' => {
                let start = self.at;
                self.at += 1;
                self.take_while(|c| is_word(c) && c != '.');
                Token::Word(&self.text[start..self.at])
            }
            c if is_word_start(c) => {
                let start = self.at;
                self.at += c.len_utf8();
                self.take_while(is_word);
                // `::` joins modifiers such as `.L1::no_allocate`; a single colon ends a label.
                while self.text[self.at..].starts_with("::") {
                    self.at += 2;
                    self.take_while(is_word);
                }
                match &self.text[start..self.at] {
                    "WARP_SZ" => Token::Integer(32),
                    word => Token::Word(word),
                }
            }
            c if c.is_ascii_punctuation() => {
                self.at += 1;
                Token::Punctuation(c)
            }
            c => return Err(self.error(format!("unexpected character `{c}`"))),
        }))
    }

    fn number(&mut self) -> Result<Token<'a>, Error> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
        // An exponent's sign is no part of a word: `1.5e-3`.
        let signed = word.ends_with(['e', 'E']) && word.contains('.');
        let word = if signed && self.rest().starts_with(['-', '+']) {
            let start = self.at - word.len();
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
            &self.text[start..self.at]
        } else {
            word
        };
        let start = Some(self.at - word.len());
        let message = || format!("malformed number `{word}`");
        let bad = || Error { start, ..Error::new(self.line, message()) };
        let (prefix, digits) = (word.get(..2).unwrap_or(""), word.get(2..).unwrap_or(""));
        match prefix {
            "0f" | "0F" if digits.len() == 8 => {
                u32::from_str_radix(digits, 16).map(Token::Single).map_err(|_| bad())
            }
            "0d" | "0D" if digits.len() == 16 => {
                u64::from_str_radix(digits, 16).map(Token::Double).map_err(|_| bad())
            }
            "0f" | "0F" | "0d" | "0D" => Err(bad()),
            _ if word.contains('.') => {
                word.parse().map(|x: f64| Token::Double(x.to_bits())).map_err(|_| bad())
            }
            _ => {
                let digits = word.trim_end_matches('U');
                let value = match prefix {
                    "0x" | "0X" => u64::from_str_radix(&digits[2..], 16),
                    "0b" | "0B" => u64::from_str_radix(&digits[2..], 2),
                    _ if digits.len() > 1 && digits.starts_with('0') => {
                        u64::from_str_radix(digits, 8)
                    }
                    _ => digits.parse(),
                };
                value.map(Token::Integer).map_err(|_| bad())
            }
        }
    }
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokens(text).unwrap().into_iter().map(|t| t.token).collect()
    }

    #[test]
    fn numbers_of_every_form() {
        use Token::*;
        assert_eq!(
            kinds("0 17 0x1F 0b101 010 12U 0f3F800000 0d3FF0000000000000 1.5 2.5e-1"),
            [
                Integer(0),
                Integer(17),
                Integer(31),
                Integer(5),
                Integer(8),
                Integer(12),
                Single(0x3F80_0000),
                Double(1f64.to_bits()),
                Double(1.5f64.to_bits()),
                Double(0.25f64.to_bits())
            ]
        );
        for bad in ["0f3F8", "0x", "12x", "1.2.3", "0d00", "99999999999999999999"] {
            assert!(tokens(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn words_comments_and_lines() {
        let all = tokens("@!%p1 bra\t$L_2; // no\n/* a\nb */ ld.global.v4.f32 {%f1}").unwrap();
        let words: Vec<_> = all
            .iter()
            .filter_map(|t| match t.token {
                Token::Word(w) => Some((w, t.line)),
                _ => None,
            })
            .collect();
        assert_eq!(
            words,
            [("%p1", 1), ("bra", 1), ("$L_2", 1), ("ld.global.v4.f32", 3), ("%f1", 3)]
        );
        let joined = kinds("a: cp.async.ca.shared::cta.global.L2::128B [b]");
        assert_eq!(joined[2], Token::Word("cp.async.ca.shared::cta.global.L2::128B"));
        assert_eq!(kinds(r#""a\"b" "C:\\""#), [Token::Text(r#"a\"b"#), Token::Text(r"C:\\")]);
        assert_eq!(tokens("a\n\"x").unwrap_err().line, 2);
        assert_eq!(tokens("/*").unwrap_err().line, 1);
    }
}
