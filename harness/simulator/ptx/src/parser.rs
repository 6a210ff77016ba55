//! Parses tokens into the syntax tree.

use super::ast::{File, Function, Initial, Kind, Location, Operand, Type, Variable};
use super::error::Error;
use super::lexer::{Spanned, Token, tokens};
use crate::space::Space;

/// Deepest nesting of braces, which bounds the recursion of the parser.
const DEEPEST: u32 = 64;
/// Largest variable in bytes. A GPU has less constant, shared and local memory, and larger global arrays are rare.
const LARGEST: u64 = 1 << 32;

/// Parses a whole file.
pub fn parse(text: &str) -> Result<File> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, location: Location::default() };
    let mut file = File::default();
    while parser.at < tokens.len() {
        parser.top_level(&mut file)?;
    }
    Ok(file)
}

mod body;

struct Parser<'t> {
    tokens: &'t [Spanned<'t>],
    at: usize,
    /// The last `.loc`.
    location: Location,
}

type Result<T> = std::result::Result<T, Error>;

/// The state space of a directive.
fn space(word: &str) -> Option<Space> {
    Some(match word {
        ".const" => Space::Const,
        ".global" => Space::Global,
        ".shared" => Space::Shared,
        ".local" => Space::Local,
        ".param" => Space::Param,
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |t| t.line)
    }

    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).map(|t| t.token)
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.peek() == Some(Token::Punctuation(c));
        self.at += usize::from(found);
        found
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        let found = match self.peek() {
            Some(Token::Word(w)) => format!("`{w}`"),
            Some(Token::Punctuation(c)) => format!("`{c}`"),
            Some(Token::Text(t)) => format!("\"{t}\""),
            Some(_) => "a number".to_string(),
            None => "the end of the file".to_string(),
        };
        let start = self.tokens.get(self.at).map(|token| token.start);
        let message = format!("expected {wanted}, found {found}");
        Err(Error { start, ..Error::new(self.line(), message) })
    }

    fn expect(&mut self, c: char) -> Result<()> {
        if self.accept(c) { Ok(()) } else { self.unexpected(&format!("`{c}`")) }
    }

    fn word(&mut self, wanted: &str) -> Result<&'t str> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.unexpected(wanted),
        }
    }

    fn integer(&mut self) -> Result<u64> {
        match self.peek() {
            Some(Token::Integer(value)) => {
                self.at += 1;
                Ok(value)
            }
            _ => self.unexpected("an integer"),
        }
    }

    fn small(&mut self) -> Result<u32> {
        let line = self.line();
        let value = self.integer()?;
        u32::try_from(value).map_err(|_| Error::new(line, format!("{value} is too large here")))
    }

    /// Skips the rest of a line, because directives such as `.version` have no terminator.
    fn skip_line(&mut self, line: u32) {
        while self.at < self.tokens.len() && self.tokens[self.at].line == line {
            self.at += 1;
        }
    }

    fn top_level(&mut self, file: &mut File) -> Result<()> {
        let line = self.line();
        let word = self.word("a directive")?;
        match word {
            ".version" | ".target" | ".address_size" => self.skip_line(line),
            ".pragma" => self.pragma()?,
            ".file" => {
                let index = self.small()?;
                let Some(Token::Text(name)) = self.next() else {
                    return Err(Error::new(line, "`.file` without a name"));
                };
                file.files.insert(index, name.to_string());
                self.skip_line(line);
            }
            ".section" => self.section()?,
            ".visible" | ".extern" | ".weak" | ".common" => {}
            ".entry" | ".func" => {
                let function = self.function(word == ".entry", line)?;
                // A definition replaces its declaration.
                file.functions.retain(|f| f.name != function.name || f.body.is_some());
                if !file.functions.iter().any(|f| f.name == function.name) {
                    file.functions.push(function);
                } else if function.body.is_some() {
                    return Err(Error::new(line, format!("`{}` is defined twice", function.name)));
                }
            }
            _ => {
                let Some(space) = space(word) else {
                    return Err(Error::new(line, format!("unknown directive `{word}`")));
                };
                let variable = self.variable(space, line)?;
                self.expect(';')?;
                file.variables.push(variable);
            }
        }
        Ok(())
    }

    fn pragma(&mut self) -> Result<()> {
        while !self.accept(';') {
            if self.next().is_none() {
                return self.unexpected("`;`");
            }
        }
        Ok(())
    }

    /// Skips a debug section, which contains no code.
    fn section(&mut self) -> Result<()> {
        while !self.accept('}') {
            if self.next().is_none() {
                return self.unexpected("`}`");
            }
        }
        Ok(())
    }

    fn function(&mut self, is_kernel: bool, line: u32) -> Result<Function> {
        let results = self.optional_parameters()?;
        let name = self.word("a function's name")?.to_string();
        let parameters = self.optional_parameters()?;
        let (mut most_threads, mut required_block) = (None, None);
        while !matches!(self.peek(), Some(Token::Punctuation('{' | ';'))) {
            match self.next() {
                Some(Token::Word(".maxntid")) => {
                    let extents = self.extents()?.map(u64::from);
                    most_threads = Some(extents.into_iter().fold(1, u64::saturating_mul));
                }
                Some(Token::Word(".reqntid")) => required_block = Some(self.extents()?),
                // Other limits, such as `.minnctapersm 2`, help a compiler.
                Some(
                    Token::Word(_) | Token::Integer(_) | Token::Text(_) | Token::Punctuation(','),
                ) => {}
                _ => {
                    self.at -= 1;
                    return self.unexpected("a function's body");
                }
            }
        }
        let (mut body, mut malformed) = (None, None);
        if !self.accept(';') {
            self.expect('{')?;
            self.location = Location::default();
            let first = self.at;
            match self.statements(0) {
                Ok(statements) => body = Some(statements),
                Err(error) => {
                    // The other functions of the file remain usable.
                    self.at = first;
                    self.skip_body(&error)?;
                    (body, malformed) = (Some(Vec::new()), Some(error));
                }
            }
        }
        Ok(Function {
            name,
            is_kernel,
            results,
            parameters,
            most_threads,
            required_block,
            body,
            malformed,
            line,
        })
    }

    /// Skips the rest of a body, including its closing brace.
    fn skip_body(&mut self, error: &Error) -> Result<()> {
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(Token::Punctuation('{')) => depth += 1,
                Some(Token::Punctuation('}')) => depth -= 1,
                Some(_) => {}
                None => return Err(error.clone()),
            }
        }
        Ok(())
    }

    /// `256`, `16, 16` or `8, 8, 4`.
    fn extents(&mut self) -> Result<[u32; 3]> {
        let mut extents = [self.small()?, 1, 1];
        for extent in &mut extents[1..] {
            if self.accept(',') {
                *extent = self.small()?;
            }
        }
        Ok(extents)
    }

    fn optional_parameters(&mut self) -> Result<Vec<Variable>> {
        match self.peek() {
            Some(Token::Punctuation('(')) => self.parameters(),
            _ => Ok(Vec::new()),
        }
    }

    fn parameters(&mut self) -> Result<Vec<Variable>> {
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
    fn variable(&mut self, space: Space, line: u32) -> Result<Variable> {
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
    fn plus(&mut self) -> Result<i64> {
        let plus = self.accept('+');
        let minus = self.accept('-');
        if !plus && !minus {
            return Ok(0);
        }
        let value = self.integer()? as i64;
        Ok(if minus { value.wrapping_neg() } else { value })
    }

    fn number(&mut self) -> Result<Operand> {
        let minus = self.accept('-');
        let value = match self.peek() {
            Some(Token::Integer(v)) => Operand::Integer(if minus { v.wrapping_neg() } else { v }),
            Some(Token::Single(v)) => Operand::Single(v ^ u32::from(minus) << 31),
            Some(Token::Double(v)) => Operand::Double(v ^ u64::from(minus) << 63),
            _ => return self.unexpected("a number"),
        };
        self.at += 1;
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
