//! Functions: header, parameters, blocks.

use std::collections::HashMap;

use super::{Parser, Result, describe};
use crate::error::problem;
use crate::lexer::Token;
use crate::syntax::{Block, Function, Label, Local};

/// The locals and blocks of a function by their names.
#[derive(Default)]
pub(super) struct Names {
    locals: HashMap<String, Local>,
    labels: HashMap<String, Label>,
}

impl Names {
    pub fn local(&mut self, name: &str) -> Local {
        if let Some(local) = self.locals.get(name) {
            return *local;
        }
        let new = self.locals.len();
        self.locals.insert(name.to_string(), new);
        new
    }

    pub fn label(&self, name: &str) -> Result<Label> {
        match self.labels.get(name) {
            Some(label) => Ok(*label),
            None => problem(format!("there is no block %{name}")),
        }
    }
}

impl Parser<'_> {
    pub(super) fn declare(&mut self, line: u32) -> Result<()> {
        let (function, _) = self.header(line)?;
        self.skip_line(line);
        self.module.functions.push(function);
        Ok(())
    }

    pub(super) fn define(&mut self) -> Result<()> {
        let (mut function, mut names) = self.header(self.line())?;
        self.function_attributes(&mut function)?;
        self.find_labels(&mut names, function.arguments.len())?;
        while !self.accept('}') {
            let is_label =
                self.tokens.get(self.at + 1).map(|it| &it.token) == Some(&Token::Punctuation(':'));
            if is_label {
                self.at += 2;
            }
            if is_label || function.blocks.is_empty() {
                let is_open = function.blocks.last().is_some_and(|block| !is_ended(block));
                if is_open {
                    return problem(
                        "the block before this one does not end with a branch or `ret`",
                    );
                }
                function.blocks.push(Block::default());
                if is_label {
                    continue;
                }
            }
            if self.peek() == Some(&Token::Attributes("")) {
                // A record of debug information that is no instruction.
                self.at += 1;
                self.word()?;
                self.skip_brackets()?;
                continue;
            }
            let instruction = self.instruction(&mut names)?;
            let Some(block) = function.blocks.last_mut() else { continue };
            if is_ended(block) {
                return problem("an instruction after the end of its block");
            }
            block.instructions.push(instruction);
        }
        if function.blocks.last().is_none_or(|block| !is_ended(block)) {
            return problem("the last block of the function does not end with a branch or `ret`");
        }
        function.locals = names.locals.len();
        self.module.functions.push(function);
        Ok(())
    }

    fn header(&mut self, line: u32) -> Result<(Function, Names)> {
        let (is_internal, is_kernel) = self.skip_to_type()?;
        let result = self.kind()?;
        let name = match self.next()? {
            Token::Global(name) => name.into_owned(),
            found => {
                return problem(format!("a function's name is expected, not {}", describe(&found)));
            }
        };
        let mut names = Names::default();
        let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
        self.expect('(')?;
        while !self.accept(')') {
            if !parameters.is_empty() {
                self.expect(',')?;
            }
            if self.accept('.') || self.accept_word("...") {
                self.expect(')')?;
                break;
            }
            parameters.push(self.parameter()?);
            let argument = match self.peek() {
                Some(Token::Local(name)) => {
                    let local = names.local(name);
                    self.at += 1;
                    local
                }
                _ => names.local(&arguments.len().to_string()),
            };
            if arguments.contains(&argument) {
                return problem("two parameters have the same name");
            }
            arguments.push(argument);
        }
        let function = Function {
            name,
            is_kernel,
            is_visible: !is_internal,
            result,
            parameters,
            arguments,
            attributes: HashMap::new(),
            blocks: Vec::new(),
            locals: 0,
            line,
        };
        Ok((function, names))
    }

    /// What is between the parameters and the body.
    fn function_attributes(&mut self, function: &mut Function) -> Result<()> {
        loop {
            match self.next()? {
                Token::Punctuation('{') => return Ok(()),
                // The groups are defined after the functions.
                Token::Attributes(number) => {
                    function.attributes.insert(format!("#{number}"), String::new());
                }
                Token::Punctuation('(') => {
                    self.at -= 1;
                    self.skip_brackets()?;
                }
                Token::Word(_) | Token::Text(_) | Token::Metadata(_) | Token::Punctuation('=') => {}
                found => return problem(format!("unexpected {}", describe(&found))),
            }
        }
    }

    /// The labels of a body, in order: branches name blocks that come later.
    fn find_labels(&mut self, names: &mut Names, arguments: usize) -> Result<()> {
        let has_label =
            self.tokens.get(self.at + 1).map(|it| &it.token) == Some(&Token::Punctuation(':'));
        if !has_label {
            names.labels.insert(arguments.to_string(), 0);
        }
        for pair in self.tokens[self.at..].windows(2) {
            let Token::Punctuation(':') = pair[1].token else {
                if pair[0].token == Token::Word("define") {
                    break;
                }
                continue;
            };
            let name = match &pair[0].token {
                Token::Word(word) => (*word).to_string(),
                Token::Text(text) => String::from_utf8_lossy(text).into_owned(),
                _ => break,
            };
            let label = names.labels.len();
            if names.labels.insert(name, label).is_some() {
                // The names of another function, or of metadata, or a mistake, which is found when branches are read.
                break;
            }
        }
        Ok(())
    }
}

fn is_ended(block: &Block) -> bool {
    block.instructions.last().is_some_and(|last| last.action.ends_block())
}
