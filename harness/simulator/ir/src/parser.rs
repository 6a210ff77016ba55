//! From text to the module that it is.

mod attributes;
mod function;
mod instruction;
mod memory;
mod metadata;
mod types;
mod values;

use std::collections::HashMap;

use crate::error::{IrError, Problem, problem};
use crate::lexer::{Placed, Token, tokens};
use crate::syntax::{Global, Module};
use crate::types::Type;

/// How deep types and constants may be nested. A structure in another is two levels, and recursive templates make some thirty.
const DEEPEST: u32 = 128;

type Result<T, E = Problem> = std::result::Result<T, E>;

/// Parses a text.
pub(crate) fn parse(text: &str) -> Result<Module, IrError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        named: HashMap::new(),
        module: Module::default(),
    };
    parser.find_types();
    while parser.at < parser.tokens.len() {
        if let Err(found) = parser.top_level() {
            return Err(parser.located(found));
        }
    }
    Ok(parser.module)
}

/// A named type: where its text begins, or what it is.
#[derive(Clone)]
enum Named {
    At(usize),
    Known(Type),
    /// Its own text is being read.
    Open,
}

struct Parser<'a> {
    tokens: Vec<Placed<'a>>,
    at: usize,
    depth: u32,
    named: HashMap<String, Named>,
    module: Module,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at).map(|it| &it.token)
    }

    fn peek_word(&self) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The line of the next token, or of the last one.
    fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |it| it.line)
    }

    fn located(&self, found: Problem) -> IrError {
        // Where an unexpected token was read, it is the last one read.
        found.at(self
            .tokens
            .get(self.at.saturating_sub(1))
            .map_or_else(|| self.line(), |it| it.line))
    }

    fn next(&mut self) -> Result<Token<'a>> {
        let token =
            self.tokens.get(self.at).ok_or_else(|| Problem::new("the text ends too early"))?;
        self.at += 1;
        Ok(token.token.clone())
    }

    fn accept(&mut self, c: char) -> bool {
        let is_here = self.peek() == Some(&Token::Punctuation(c));
        self.at += usize::from(is_here);
        is_here
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is_here = self.peek_word() == Some(word);
        self.at += usize::from(is_here);
        is_here
    }

    fn expect(&mut self, c: char) -> Result<()> {
        match self.next()? {
            Token::Punctuation(found) if found == c => Ok(()),
            found => problem(format!("`{c}` is expected, not {}", describe(&found))),
        }
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        match self.next()? {
            Token::Word(found) if found == word => Ok(()),
            found => problem(format!("`{word}` is expected, not {}", describe(&found))),
        }
    }

    fn word(&mut self) -> Result<&'a str> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            found => problem(format!("a word is expected, not {}", describe(&found))),
        }
    }

    fn number(&mut self) -> Result<u64> {
        let word = self.word()?;
        word.parse().map_err(|_| Problem::new(format!("`{word}` is no number")))
    }

    /// Skips what an opening bracket begins, up to its end.
    fn skip_brackets(&mut self) -> Result<()> {
        let mut depth = 0_u32;
        loop {
            match self.next()? {
                Token::Punctuation('(' | '{' | '[') => depth += 1,
                Token::Punctuation(')' | '}' | ']') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }

    /// Skips the rest of a line.
    fn skip_line(&mut self, line: u32) {
        while self.tokens.get(self.at).is_some_and(|it| it.line == line) {
            self.at += 1;
        }
    }

    /// One level deeper, which ends somewhere.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        let found = match self.depth > DEEPEST {
            true => problem(format!("brackets are nested deeper than {DEEPEST}")),
            false => read(self),
        };
        self.depth -= 1;
        found
    }

    fn top_level(&mut self) -> Result<()> {
        let line = self.line();
        match self.next()? {
            Token::Word("target") => self.target(),
            Token::Word("define") => self.define(),
            Token::Word("declare") => self.declare(line),
            Token::Word("attributes") => self.attribute_group(),
            Token::Word("module") => problem("assembly outside of functions is not supported"),
            // Names of groups of which a linker keeps one, and where the text came from.
            Token::Word("source_filename") => {
                self.skip_line(line);
                Ok(())
            }
            Token::Word(word) if word.starts_with('$') => {
                self.skip_line(line);
                Ok(())
            }
            // Named types were found before.
            Token::Local(_) => {
                self.expect('=')?;
                self.expect_word("type")?;
                match self.accept_word("opaque") {
                    true => Ok(()),
                    false => self.kind().map(|_| ()),
                }
            }
            Token::Global(name) => self.global(&name, line),
            Token::Metadata(name) => self.metadata(name),
            found => problem(format!("{} begins nothing that is known", describe(&found))),
        }
    }

    /// What the module is for.
    fn target(&mut self) -> Result<()> {
        let what = self.word()?;
        self.expect('=')?;
        let Token::Text(text) = self.next()? else { return problem("a text is expected") };
        let text = String::from_utf8_lossy(&text).into_owned();
        let is_known = match what {
            "triple" => text.starts_with("nvptx64"),
            // Small end first, and pointers of 64 bits but for two spaces that no kernel uses.
            _ => text.starts_with("e-") && !text.contains("-p:") && !text.contains("-p3:"),
        };
        match is_known {
            true => Ok(()),
            false => problem(format!(
                "the target `{text}` is not NVIDIA's: compile with -triple nvptx64-nvidia-cuda"
            )),
        }
    }

    fn global(&mut self, name: &str, line: u32) -> Result<()> {
        self.expect('=')?;
        let (mut space, mut is_visible, mut is_external) = (0, true, false);
        loop {
            match self.word()? {
                "internal" | "private" => is_visible = false,
                "external" | "extern_weak" => is_external = true,
                "addrspace" => space = self.in_parentheses()?,
                "global" | "constant" => break,
                "alias" | "ifunc" => {
                    return problem(format!(
                        "@{name}: a second name of something is not supported"
                    ));
                }
                _ => {}
            }
            if self.peek() == Some(&Token::Punctuation('(')) {
                self.skip_brackets()?;
            }
        }
        let kind = self.kind()?;
        let is_initialised = !is_external
            && self
                .tokens
                .get(self.at)
                .is_some_and(|it| it.line == line && it.token != Token::Punctuation(','));
        let initial = match is_initialised {
            true => Some(self.constant(&kind)?),
            false => None,
        };
        let mut align = kind.align();
        while self.accept(',') {
            match self.next()? {
                Token::Word("align") => align = self.align()?,
                Token::Word("comdat") if self.peek() != Some(&Token::Punctuation('(')) => {}
                Token::Word("comdat") => self.skip_brackets()?,
                Token::Metadata(_) | Token::Word(_) => {
                    self.next()?;
                }
                found => return problem(format!("unexpected {}", describe(&found))),
            }
        }
        if !name.starts_with("llvm.") {
            let name = name.to_string();
            self.module.globals.push(Global {
                name,
                space,
                kind,
                align,
                initial,
                is_visible,
                line,
            });
        }
        Ok(())
    }

    /// A number in parentheses.
    fn in_parentheses(&mut self) -> Result<u32> {
        self.expect('(')?;
        let number = self.number()?;
        self.expect(')')?;
        u32::try_from(number).map_err(|_| Problem::new(format!("{number} is too large")))
    }

    /// An alignment in bytes.
    fn align(&mut self) -> Result<u64> {
        let align = self.number()?;
        match align.is_power_of_two() && align <= 1 << 16 {
            true => Ok(align),
            false => problem(format!("{align} is no alignment")),
        }
    }
}

/// A token in words.
fn describe(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Local(name) => format!("`%{name}`"),
        Token::Global(name) => format!("`@{name}`"),
        Token::Metadata(name) => format!("`!{name}`"),
        Token::Attributes(number) => format!("`#{number}`"),
        Token::Text(_) | Token::Bytes(_) => "a text".to_string(),
        Token::Punctuation(c) => format!("`{c}`"),
    }
}
