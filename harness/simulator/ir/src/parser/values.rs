//! Values: locals and constants.

use super::function::Names;
use super::{Parser, Result, describe};
use crate::error::{Problem, problem};
use crate::lexer::Token;
use crate::syntax::{Constant, Value};
use crate::types::{Scalar, Type};

/// Words before the parentheses of a constant address.
const OF_ADDRESSES: [&str; 5] = ["inbounds", "nuw", "nusw", "nsw", "inrange"];

impl Parser<'_> {
    /// A value of a type.
    pub(super) fn value(&mut self, names: &mut Names, kind: &Type) -> Result<Value> {
        if let Some(Token::Local(name)) = self.peek() {
            let local = names.local(name);
            self.at += 1;
            return Ok(Value::Local(local));
        }
        self.constant(kind).map(Value::Constant)
    }

    /// A type and a value of it.
    pub(super) fn typed_value(&mut self, names: &mut Names) -> Result<(Type, Value)> {
        let kind = self.kind()?;
        let value = self.value(names, &kind)?;
        Ok((kind, value))
    }

    /// A constant of a type.
    pub(super) fn constant(&mut self, kind: &Type) -> Result<Constant> {
        self.nested(|parser| parser.constant_inside(kind))
    }

    fn constant_inside(&mut self, kind: &Type) -> Result<Constant> {
        Ok(match self.next()? {
            Token::Global(name) => Constant::Address(name.as_ref().into()),
            Token::Bytes(bytes) => Constant::Bytes(bytes),
            Token::Punctuation('{') => Constant::Parts(self.parts('}')?),
            Token::Punctuation('[') => Constant::Parts(self.parts(']')?),
            Token::Punctuation('<') if self.accept('{') => {
                let parts = self.parts('}')?;
                self.expect('>')?;
                Constant::Parts(parts)
            }
            Token::Punctuation('<') => Constant::Parts(self.parts('>')?),
            Token::Word("true") => Constant::Bits(1),
            Token::Word("false" | "null" | "undef" | "poison" | "zeroinitializer" | "none") => {
                Constant::Zero
            }
            Token::Word("splat") => {
                self.expect('(')?;
                let element = self.typed_constant()?;
                self.expect(')')?;
                Constant::Splat(Box::new(element))
            }
            Token::Word("getelementptr") => self.constant_element()?,
            Token::Word("addrspacecast") => Constant::Cast(Box::new(self.converted()?)),
            Token::Word("ptrtoint" | "ptrtoaddr") => Constant::Number(Box::new(self.converted()?)),
            Token::Word("bitcast" | "inttoptr") => self.converted()?.1,
            Token::Word(name @ ("add" | "sub")) => {
                while self.peek_word().is_some_and(|word| OF_ADDRESSES.contains(&word)) {
                    self.at += 1;
                }
                self.expect('(')?;
                let (_, left) = self.typed_constant()?;
                self.expect(',')?;
                let (_, right) = self.typed_constant()?;
                self.expect(')')?;
                Constant::Sum(Box::new((left, right)), name == "sub")
            }
            Token::Word(word) => Constant::Bits(number(word, kind)?),
            found => return problem(format!("a value is expected, not {}", describe(&found))),
        })
    }

    /// A type and a constant of it.
    fn typed_constant(&mut self) -> Result<(Type, Constant)> {
        let kind = self.kind()?;
        let constant = self.constant(&kind)?;
        Ok((kind, constant))
    }

    /// Constants with their types, up to a bracket.
    fn parts(&mut self, end: char) -> Result<Vec<(Type, Constant)>> {
        let mut parts = Vec::new();
        if self.accept(end) {
            return Ok(parts);
        }
        loop {
            parts.push(self.typed_constant()?);
            if !self.accept(',') {
                self.expect(end)?;
                return Ok(parts);
            }
        }
    }

    /// `(TYPE VALUE to TYPE)`
    fn converted(&mut self) -> Result<(Type, Constant)> {
        self.expect('(')?;
        let from = self.typed_constant()?;
        self.expect_word("to")?;
        self.kind()?;
        self.expect(')')?;
        Ok(from)
    }

    /// The address of an element, after `getelementptr`.
    fn constant_element(&mut self) -> Result<Constant> {
        while let Some(word) = self.peek_word() {
            if !OF_ADDRESSES.contains(&word) {
                break;
            }
            self.at += 1;
            if word == "inrange" {
                self.skip_brackets()?;
            }
        }
        self.expect('(')?;
        let mut kind = self.kind()?;
        self.expect(',')?;
        let (_, pointer) = self.typed_constant()?;
        let (mut offset, mut is_first) = (0_i64, true);
        while self.accept(',') {
            let (_, index) = self.typed_constant()?;
            let index = match index {
                Constant::Bits(bits) => bits,
                Constant::Zero => 0,
                _ => return problem("an index that is an address is not supported"),
            };
            if is_first {
                offset = offset.wrapping_add((index as i64).wrapping_mul(kind.size()? as i64));
            } else {
                let (part, before) = match &kind {
                    Type::Array(_, element) => {
                        let before = (index as i64).wrapping_mul(element.size()? as i64);
                        ((**element).clone(), before)
                    }
                    _ => kind.part(index).map(|(part, before, _)| (part, before as i64))?,
                };
                offset = offset.wrapping_add(before);
                kind = part;
            }
            is_first = false;
        }
        self.expect(')')?;
        Ok(Constant::After(Box::new(pointer), offset))
    }
}

/// The bits of a number in a type; those of an integer are extended by their sign to 64.
fn number(word: &str, kind: &Type) -> Result<u64> {
    let bad = || Problem::new(format!("`{word}` is no value of its type"));
    let hexadecimal = |digits: &str| u64::from_str_radix(digits, 16).map_err(|_| bad());
    let scalar = kind.scalar().map_err(|_| bad())?;
    if let Scalar::Integer(_) | Scalar::Pointer(_) = scalar {
        let value: i128 = match word.strip_prefix("u0x").or_else(|| word.strip_prefix("s0x")) {
            Some(digits) => hexadecimal(digits)?.into(),
            None => word.parse().map_err(|_| bad())?,
        };
        return Ok(value as u64);
    }
    if let Some(digits) = word.strip_prefix("0xH").or_else(|| word.strip_prefix("0xR")) {
        return match scalar {
            Scalar::Half | Scalar::BFloat => hexadecimal(digits),
            _ => Err(bad()),
        };
    }
    let value = match word.strip_prefix("0x") {
        Some(digits) => f64::from_bits(hexadecimal(digits)?),
        None => word.parse().map_err(|_| bad())?,
    };
    match scalar {
        Scalar::Float => Ok(u64::from(narrow(value))),
        Scalar::Double => Ok(value.to_bits()),
        _ => Err(Problem::new("a decimal number of 16 bits is not supported")),
    }
}

/// The bits of an `f32`. A NaN keeps the bits of its fraction that fit.
fn narrow(value: f64) -> u32 {
    if value.is_nan() {
        let bits = value.to_bits();
        return (bits >> 32 & 0x8000_0000) as u32 | 0x7f80_0000 | (bits >> 29 & 0x7f_ffff) as u32;
    }
    (value as f32).to_bits()
}
