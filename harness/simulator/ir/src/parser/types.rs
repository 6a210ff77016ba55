//! Types.

use std::rc::Rc;

use super::{Named, Parser, Result, describe};
use crate::error::{Problem, problem};
use crate::lexer::Token;
use crate::types::{Scalar, Struct, Type};

impl Parser<'_> {
    /// Notes where named types are defined: they may be used before.
    pub(super) fn find_types(&mut self) {
        for (at, four) in self.tokens.windows(4).enumerate() {
            let is_type =
                four[1].token == Token::Punctuation('=') && four[2].token == Token::Word("type");
            if let (Token::Local(name), true) = (&four[0].token, is_type) {
                self.named.insert(name.to_string(), Named::At(at + 3));
            }
        }
    }

    /// Whether a type begins here.
    pub(super) fn is_type(&self) -> bool {
        match self.peek() {
            Some(Token::Word(word)) => named(word).is_some() || *word == "ptr",
            Some(Token::Local(_) | Token::Punctuation('[' | '<' | '{')) => true,
            _ => false,
        }
    }

    pub(super) fn kind(&mut self) -> Result<Type> {
        self.nested(|parser| match parser.next()? {
            Token::Word("ptr") => match parser.accept_word("addrspace") {
                true => Ok(Type::Scalar(Scalar::Pointer(parser.in_parentheses()?))),
                false => Ok(Type::pointer()),
            },
            Token::Word(word) => match named(word) {
                Some(kind) => check(kind),
                None => problem(format!("`{word}` is no type that is supported")),
            },
            Token::Local(name) => parser.named_type(&name),
            Token::Punctuation('[') => {
                let count = parser.number()?;
                parser.expect_word("x")?;
                let element = parser.kind()?;
                parser.expect(']')?;
                Ok(Type::Array(count, Rc::new(element)))
            }
            Token::Punctuation('<') if parser.accept('{') => {
                let fields = parser.fields()?;
                parser.expect('>')?;
                Ok(Type::Struct(Rc::new(Struct::new(fields, true)?)))
            }
            Token::Punctuation('<') => {
                let count = parser.number()?;
                parser.expect_word("x")?;
                let element = parser.kind()?.scalar()?;
                parser.expect('>')?;
                match count {
                    1..=64 => Ok(Type::Vector(count as u32, element)),
                    _ => problem(format!("a vector of {count} elements is not supported")),
                }
            }
            Token::Punctuation('{') => {
                let fields = parser.fields()?;
                Ok(Type::Struct(Rc::new(Struct::new(fields, false)?)))
            }
            found => problem(format!("a type is expected, not {}", describe(&found))),
        })
    }

    /// Types up to a closing brace.
    fn fields(&mut self) -> Result<Vec<Type>> {
        let mut fields = Vec::new();
        if self.accept('}') {
            return Ok(fields);
        }
        loop {
            fields.push(self.kind()?);
            if !self.accept(',') {
                self.expect('}')?;
                return Ok(fields);
            }
        }
    }

    fn named_type(&mut self, name: &str) -> Result<Type> {
        match self.named.get(name).cloned() {
            Some(Named::Known(kind)) => Ok(kind),
            Some(Named::At(start)) => {
                self.named.insert(name.to_string(), Named::Open);
                let back = std::mem::replace(&mut self.at, start);
                let kind = match self.accept_word("opaque") {
                    true => Ok(Type::Other),
                    false => self.kind(),
                };
                self.at = back;
                self.named.insert(name.to_string(), Named::Known(kind?));
                self.named_type(name)
            }
            Some(Named::Open) => problem(format!("the type %{name} contains itself")),
            None => problem(format!("the type %{name} is not defined")),
        }
    }
}

fn named(word: &str) -> Option<Type> {
    Some(match word {
        "void" => Type::Void,
        "half" => Type::Scalar(Scalar::Half),
        "bfloat" => Type::Scalar(Scalar::BFloat),
        "float" => Type::Scalar(Scalar::Float),
        "double" => Type::Scalar(Scalar::Double),
        "label" | "metadata" | "token" => Type::Other,
        _ => Type::bits(word.strip_prefix('i')?.parse().ok()?),
    })
}

fn check(kind: Type) -> Result<Type> {
    match kind {
        Type::Scalar(Scalar::Integer(bits)) if !(1..=64).contains(&bits) => {
            Err(Problem::new(format!("an integer of {bits} bits is not supported: at most 64 are")))
        }
        kind => Ok(kind),
    }
}
