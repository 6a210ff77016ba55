//! Variables and parameters: their types, sizes and initial values.

use super::{DEEPEST, Parser, Result};
use crate::ast::{Initial, Kind, Type, Variable};
use crate::error::Error;
use crate::lexer::Token;
use crate::space::Space;

/// Largest variable in bytes. A GPU has less constant, shared and local memory, and larger global arrays are rare.
const LARGEST: u64 = 1 << 32;

impl Parser<'_> {
    pub(super) fn optional_parameters(&mut self) -> Result<Vec<Variable>> {
        match self.peek() {
            Some(Token::Punctuation('(')) => self.parameters(),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn parameters(&mut self) -> Result<Vec<Variable>> {
        self.expect('(')?;
        let mut parameters = Vec::new();
        while !self.accept(')') {
            if !parameters.is_empty() {
                self.expect(',')?;
            }
            let line = self.line();
            match self.word("a parameter")? {
                word @ (".param" | ".reg") => {
                    let variable = self.variable(Space::Param, line)?;
                    parameters.push(Variable { in_register: word == ".reg", ..variable });
                }
                other => {
                    return Err(Error::new(line, format!("expected `.param`, found `{other}`")));
                }
            }
        }
        Ok(parameters)
    }

    /// A variable after its state space.
    pub(super) fn variable(&mut self, space: Space, line: u32) -> Result<Variable> {
        let mut align = None;
        let mut lanes = 1;
        let mut is_managed = false;
        let element = loop {
            let word = self.word("a type")?;
            match word {
                ".align" => align = Some(self.small()?),
                ".ptr" | ".attribute" | ".const" | ".global" | ".shared" | ".local" => {}
                ".v2" => lanes = 2,
                ".v4" => lanes = 4,
                // An object of 64 bits.
                ".texref" | ".samplerref" | ".surfref" => {
                    break Type { kind: Kind::Bits, bits: 64 };
                }
                _ => match word.strip_prefix('.').and_then(Type::parse) {
                    Some(element) if element.bits > 0 => break element,
                    _ => return Err(Error::new(line, format!("unknown type `{word}`"))),
                },
            }
            // `.attribute(.managed)`
            if word == ".attribute" {
                self.expect('(')?;
                while !self.accept(')') {
                    is_managed |= self.word("an attribute")? == ".managed";
                }
            }
        };
        // Kernel parameters carry `.ptr .global .align 4` after their type.
        while let Some(Token::Word(
            ".ptr" | ".global" | ".shared" | ".local" | ".const" | ".align",
        )) = self.peek()
        {
            if self.next() == Some(Token::Word(".align")) {
                self.integer()?;
            }
        }
        let name = self.word("a variable's name")?.to_string();
        let mut bytes = u64::from(element.bytes()) * lanes;
        let align = align.unwrap_or(bytes as u32);
        if !align.is_power_of_two() {
            return Err(Error::new(line, format!("alignment {align} is not a power of two")));
        }
        let mut unsized_array = false;
        while self.accept('[') {
            if self.accept(']') {
                unsized_array = true;
                bytes = 0;
                continue;
            }
            bytes = bytes.saturating_mul(self.integer()?);
            self.expect(']')?;
        }
        if bytes > LARGEST {
            return Err(Error::new(line, format!("`{name}` is too large: {bytes} bytes")));
        }
        let mut initial = Vec::new();
        if self.accept('=') {
            self.initialiser(&mut initial, 0)?;
        }
        Ok(Variable {
            name,
            space,
            element,
            align,
            bytes,
            unsized_array,
            in_register: false,
            is_managed,
            initial,
            line,
        })
    }

    /// Flattens nested braces, which is the order of the elements in memory.
    fn initialiser(&mut self, into: &mut Vec<Initial>, depth: u32) -> Result<()> {
        if self.accept('{') {
            if depth == DEEPEST {
                return self.unexpected("fewer braces");
            }
            while !self.accept('}') {
                self.initialiser(into, depth + 1)?;
                if !self.accept(',') {
                    self.expect('}')?;
                    break;
                }
            }
            return Ok(());
        }
        let element = match self.peek() {
            Some(Token::Word("generic")) => {
                self.at += 1;
                self.expect('(')?;
                let name = self.word("a variable")?.to_string();
                self.expect(')')?;
                Initial::Address { name, plus: self.plus()? }
            }
            Some(Token::Word(name)) => {
                self.at += 1;
                Initial::Address { name: name.to_string(), plus: self.plus()? }
            }
            _ => Initial::Value(self.number()?),
        };
        into.push(element);
        Ok(())
    }

    /// `+4`, `-4`, `+-4` or nothing.
    pub(super) fn plus(&mut self) -> Result<i64> {
        let plus = self.accept('+');
        let minus = self.accept('-');
        if !plus && !minus {
            return Ok(0);
        }
        let value = self.integer()? as i64;
        Ok(if minus { value.wrapping_neg() } else { value })
    }
}
