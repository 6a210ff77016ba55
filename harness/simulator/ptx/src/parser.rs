//! Parses tokens into the syntax tree.

use super::ast::{File, Function, Location, Operand};
use super::error::Error;
use super::lexer::{Spanned, Token, tokens};
use crate::space::Space;

/// Deepest nesting of braces, which bounds the recursion of the parser.
const DEEPEST: u32 = 64;

/// Parses a whole file.
pub fn parse(text: &str) -> Result<File> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        location: Location::default(),
        callers: Callers::default(),
    };
    let mut file = File::default();
    while parser.at < tokens.len() {
        parser.top_level(&mut file)?;
    }
    Ok(file)
}

mod body;
mod inlined;
mod variables;

use inlined::Callers;

struct Parser<'t> {
    tokens: &'t [Spanned<'t>],
    at: usize,
    /// The last `.loc`.
    location: Location,
    /// Where the functions are inlined that the function's `.loc` name.
    callers: Callers,
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
        let (mut required_cluster, mut needs_cluster) = (None, false);
        while !matches!(self.peek(), Some(Token::Punctuation('{' | ';'))) {
            match self.next() {
                Some(Token::Word(".maxntid")) => {
                    let extents = self.extents()?.map(u64::from);
                    most_threads = Some(extents.into_iter().fold(1, u64::saturating_mul));
                }
                Some(Token::Word(".reqntid")) => required_block = Some(self.extents()?),
                Some(Token::Word(".reqnctapercluster")) => {
                    required_cluster = Some(self.extents()?);
                }
                Some(Token::Word(".explicitcluster")) => needs_cluster = true,
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
            self.callers = Callers::default();
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
            required_cluster,
            needs_cluster,
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
