//! Splits the text of LLVM IR into tokens.

use std::borrow::Cow;

use crate::error::{IrError, Problem};

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token<'a> {
    /// A keyword, a type, a number, or the name of a label.
    Word(&'a str),
    /// `%name`
    Local(Cow<'a, str>),
    /// `@name`
    Global(Cow<'a, str>),
    /// `!name`, `!7`, or `!` alone.
    Metadata(&'a str),
    /// `#7`
    Attributes(&'a str),
    /// `"text"`
    Text(Vec<u8>),
    /// `c"text"`
    Bytes(Vec<u8>),
    Punctuation(char),
}

/// A token and its line, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Placed<'a> {
    pub token: Token<'a>,
    pub line: u32,
}

/// The tokens of a text.
pub(crate) fn tokens(text: &str) -> Result<Vec<Placed<'_>>, IrError> {
    let mut lexer = Lexer { text, at: 0 };
    let (mut tokens, mut line, mut counted) = (Vec::new(), 1, 0);
    loop {
        lexer.skip_blank();
        line += text[counted..lexer.at].matches('\n').count() as u32;
        counted = lexer.at;
        match lexer.token().map_err(|problem| problem.at(line))? {
            Some(token) => tokens.push(Placed { token, line }),
            None => return Ok(tokens),
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn skip_blank(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest().starts_with(';') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Option<Token<'a>>, Problem> {
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let after = self.rest().as_bytes().get(1).copied();
        if first == 'c' && after == Some(b'"') {
            self.at += 1;
            return self.quoted().map(|text| Some(Token::Bytes(text)));
        }
        if is_word(first) || first == '-' {
            return Ok(Some(Token::Word(
                self.take_while(|c| is_word(c) || matches!(c, '-' | '+')),
            )));
        }
        if first == '"' {
            return self.quoted().map(|text| Some(Token::Text(text)));
        }
        self.at += first.len_utf8();
        Ok(Some(match first {
            '%' => Token::Local(self.name()?),
            '@' => Token::Global(self.name()?),
            '!' if after != Some(b'"') => Token::Metadata(self.take_while(is_word)),
            '#' => Token::Attributes(self.take_while(|c| c.is_ascii_digit())),
            c if c.is_ascii_punctuation() => Token::Punctuation(c),
            c => {
                return Err(Problem::new(format!("unexpected character `{}`", c.escape_default())));
            }
        }))
    }

    fn name(&mut self) -> Result<Cow<'a, str>, Problem> {
        if self.rest().starts_with('"') {
            let text = self.quoted()?;
            return Ok(Cow::Owned(String::from_utf8_lossy(&text).into_owned()));
        }
        Ok(Cow::Borrowed(self.take_while(|c| is_word(c) || c == '-')))
    }

    /// A text in quotation marks, where `\0A` is a byte.
    fn quoted(&mut self) -> Result<Vec<u8>, Problem> {
        self.at += 1;
        let text = self.take_while(|c| c != '"');
        if self.rest().is_empty() {
            return Err(Problem::new("a text has no end"));
        }
        self.at += 1;
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((first, after)) = rest.split_first() {
            let digits = after.get(..2).and_then(|it| std::str::from_utf8(it).ok());
            let escaped = digits.and_then(|it| u8::from_str_radix(it, 16).ok());
            (bytes, rest) = match (first, escaped, after.first()) {
                (b'\\', Some(byte), _) => (push(bytes, byte), &after[2..]),
                (b'\\', None, Some(b'\\')) => (push(bytes, b'\\'), &after[1..]),
                _ => (push(bytes, *first), after),
            };
        }
        Ok(bytes)
    }
}

fn push(mut bytes: Vec<u8>, byte: u8) -> Vec<u8> {
    bytes.push(byte);
    bytes
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_kinds_and_lines() {
        let text = "%a.1 = fadd float %\"x y\", -1.5e+00 ; no\n@g = c\"a\\0A\\\\\", !dbg !7, #3 !{";
        let all: Vec<_> = tokens(text).unwrap().into_iter().map(|it| (it.token, it.line)).collect();
        let expected = [
            (Token::Local("a.1".into()), 1),
            (Token::Punctuation('='), 1),
            (Token::Word("fadd"), 1),
            (Token::Word("float"), 1),
            (Token::Local("x y".into()), 1),
            (Token::Punctuation(','), 1),
            (Token::Word("-1.5e+00"), 1),
            (Token::Global("g".into()), 2),
            (Token::Punctuation('='), 2),
            (Token::Bytes(b"a\n\\".to_vec()), 2),
            (Token::Punctuation(','), 2),
            (Token::Metadata("dbg"), 2),
            (Token::Metadata("7"), 2),
            (Token::Punctuation(','), 2),
            (Token::Attributes("3"), 2),
            (Token::Metadata(""), 2),
            (Token::Punctuation('{'), 2),
        ];
        assert_eq!(all, expected);
        assert_eq!(tokens("\n\"open").unwrap_err().line, 2);
        assert!(tokens("é").is_err());
    }
}
