//! Attributes of functions and of parameters.

use std::collections::HashMap;

use super::{Parser, Result, describe};
use crate::error::problem;
use crate::lexer::Token;
use crate::syntax::{Parameter, ParameterAttributes};
use crate::types::Type;

impl Parser<'_> {
    /// `attributes #0 = { noinline "key"="value" }`
    pub(super) fn attribute_group(&mut self) -> Result<()> {
        let Token::Attributes(number) = self.next()? else {
            return problem("`#` and a number are expected");
        };
        self.expect('=')?;
        self.expect('{')?;
        let mut group = HashMap::new();
        loop {
            match self.next()? {
                Token::Punctuation('}') => break,
                Token::Text(key) => {
                    let mut value = Vec::new();
                    if self.accept('=')
                        && let Token::Text(text) = self.next()?
                    {
                        value = text;
                    }
                    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                    group.insert(text(&key), text(&value));
                }
                Token::Word(word) => {
                    group.insert(word.to_string(), String::new());
                }
                Token::Punctuation('(') => {
                    self.at -= 1;
                    self.skip_brackets()?;
                }
                _ => {}
            }
        }
        self.module.attributes.insert(number.to_string(), group);
        Ok(())
    }

    /// A parameter's type and attributes, or those of a call's argument.
    pub(super) fn parameter(&mut self) -> Result<Parameter> {
        let kind = self.kind()?;
        let attributes = self.parameter_attributes()?;
        Ok(Parameter { kind, attributes })
    }

    fn parameter_attributes(&mut self) -> Result<ParameterAttributes> {
        let mut found = ParameterAttributes::default();
        loop {
            // One that only a back end knows, such as `"nvvm.grid_constant"`.
            if let Some(Token::Text(_)) = self.peek() {
                self.at += 1;
                continue;
            }
            let Some(word) = self.peek_word().filter(|word| is_attribute(word)) else { break };
            self.at += 1;
            match word {
                "byval" => {
                    self.expect('(')?;
                    found.by_value = Some(self.kind()?);
                    self.expect(')')?;
                }
                "align" => found.align = self.align()?,
                "noalias" => found.is_unaliased = true,
                "readonly" | "readnone" => found.is_read_only = true,
                _ if self.peek() == Some(&Token::Punctuation('(')) => self.skip_brackets()?,
                _ => {}
            }
        }
        if found.by_value == Some(Type::Other) {
            return problem("a value of an unknown type cannot be passed");
        }
        Ok(found)
    }

    /// Skips words up to a type: linkage, visibility, attributes of a result. Says whether `internal` and `ptx_kernel` were
    /// among them.
    pub(super) fn skip_to_type(&mut self) -> Result<(bool, bool)> {
        let (mut is_internal, mut is_kernel) = (false, false);
        while !self.is_type() {
            match self.next()? {
                Token::Word("internal" | "private") => is_internal = true,
                Token::Word("ptx_kernel") => is_kernel = true,
                Token::Word(_)
                | Token::Text(_)
                | Token::Attributes(_)
                | Token::Punctuation('=') => {}
                Token::Punctuation('(') => {
                    self.at -= 1;
                    self.skip_brackets()?;
                }
                found => return problem(format!("a type is expected, not {}", describe(&found))),
            }
        }
        Ok((is_internal, is_kernel))
    }
}

/// Whether a word after a type is an attribute, not a value.
fn is_attribute(word: &str) -> bool {
    const VALUES: [&str; 8] =
        ["true", "false", "null", "undef", "poison", "zeroinitializer", "none", "splat"];
    const EXPRESSIONS: [&str; 11] = [
        "getelementptr",
        "addrspacecast",
        "bitcast",
        "inttoptr",
        "ptrtoint",
        "ptrtoaddr",
        "trunc",
        "add",
        "sub",
        "xor",
        "asm",
    ];
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !VALUES.contains(&word)
        && !EXPRESSIONS.contains(&word)
}
