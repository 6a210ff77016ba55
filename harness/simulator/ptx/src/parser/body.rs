//! The bodies of functions: directives, labels, instructions, operands.

use super::inlined::Position;
use super::{DEEPEST, Parser, Result, space};
use crate::ast::{Instruction, Location, Operand, Statement, Type};
use crate::error::Error;
use crate::lexer::Token;

impl Parser<'_> {
    /// Statements up to the closing brace, which is consumed.
    pub(super) fn statements(&mut self, depth: u32) -> Result<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            let line = self.line();
            if self.accept('}') {
                return Ok(statements);
            }
            if self.accept('{') {
                if depth == DEEPEST {
                    return self.unexpected("fewer braces");
                }
                statements.push(Statement::Scope(self.statements(depth + 1)?));
                continue;
            }
            if let Some(Token::Word(word)) = self.peek()
                && word.starts_with('.')
            {
                self.at += 1;
                self.directive(word, line, &mut statements)?;
                continue;
            }
            let after = self.tokens.get(self.at + 1).map(|t| t.token);
            if after == Some(Token::Punctuation(':'))
                && let Some(Token::Word(label)) = self.peek()
            {
                self.at += 2;
                statements.push(self.labelled(label, line)?);
                continue;
            }
            if self.accept(';') {
                continue;
            }
            statements.push(Statement::Instruction(self.instruction(line)?));
        }
    }

    /// What a label names: a position in the code, or a signature or list of targets for an indirect call or branch.
    fn labelled(&mut self, label: &str, line: u32) -> Result<Statement> {
        let name = label.to_string();
        match self.peek() {
            Some(Token::Word(".callprototype")) => {
                self.at += 1;
                let results = self.optional_parameters()?;
                self.word("`_`")?;
                let parameters = self.optional_parameters()?;
                // `.noreturn` and the like help a compiler.
                while matches!(self.peek(), Some(Token::Word(word)) if word.starts_with('.')) {
                    self.at += 1;
                }
                self.expect(';')?;
                Ok(Statement::Prototype { name, results, parameters, line })
            }
            Some(Token::Word(".calltargets")) => {
                let functions = self.targets("a function's name")?;
                Ok(Statement::Targets { name, functions, line })
            }
            Some(Token::Word(".branchtargets")) => {
                let labels = self.targets("a label")?;
                Ok(Statement::BranchTargets { name, labels, line })
            }
            _ => Ok(Statement::Label(name, line)),
        }
    }

    /// A directive's list of names.
    fn targets(&mut self, what: &'static str) -> Result<Vec<String>> {
        self.at += 1;
        let mut names = vec![self.word(what)?.to_string()];
        while self.accept(',') {
            names.push(self.word(what)?.to_string());
        }
        self.expect(';')?;
        Ok(names)
    }

    fn directive(&mut self, word: &str, line: u32, statements: &mut Vec<Statement>) -> Result<()> {
        match word {
            ".loc" => {
                let location = self.inlined(line)?;
                // Line 0 marks code without a line of its own: it belongs to what came before.
                if location.line > 0 {
                    self.location = location;
                }
            }
            ".pragma" => self.pragma()?,
            ".reg" => {
                let word = self.word("a type")?;
                let Some(element) = word.strip_prefix('.').and_then(Type::parse) else {
                    return Err(Error::new(line, format!("unknown type `{word}`")));
                };
                loop {
                    let name = self.word("a register")?.to_string();
                    let count = if self.accept('<') {
                        let count = self.small()?;
                        self.expect('>')?;
                        Some(count)
                    } else {
                        None
                    };
                    statements.push(Statement::Registers { name, count, element, line });
                    if !self.accept(',') {
                        break;
                    }
                }
                self.expect(';')?;
            }
            _ => {
                let Some(space) = space(word) else {
                    return Err(Error::new(line, format!("unknown directive `{word}`")));
                };
                let variable = self.variable(space, line)?;
                self.expect(';')?;
                statements.push(Statement::Variable(variable));
            }
        }
        Ok(())
    }

    /// The operands of a `.loc` in this line of the text.
    fn inlined(&mut self, line: u32) -> Result<Location> {
        let own = self.position()?;
        let mut caller = None;
        while self.tokens.get(self.at).is_some_and(|it| it.line == line) {
            if self.next() == Some(Token::Word("inlined_at")) {
                caller = Some(self.position()?);
            }
        }
        let outer = self.callers.enter(own, caller);
        let caller = if outer == own { (0, 0) } else { (outer.0, outer.1) };
        Ok(Location { file: own.0, line: own.1, caller })
    }

    fn position(&mut self) -> Result<Position> {
        Ok((self.small()?, self.small()?, self.small()?))
    }

    fn instruction(&mut self, line: u32) -> Result<Instruction> {
        let first = self.at;
        let guard = if self.accept('@') {
            let negated = self.accept('!');
            Some((self.word("a predicate")?.to_string(), negated))
        } else {
            None
        };
        let mut opcode = self.word("an instruction")?.to_string();
        // `ld.global.L1::no_allocate.f32`
        while self.peek() == Some(Token::Punctuation(':')) {
            self.at += 1;
            self.expect(':')?;
            opcode.push_str("::");
            opcode.push_str(self.word("a modifier")?);
        }
        let mut operands = Vec::new();
        while !self.accept(';') {
            if !operands.is_empty() {
                self.expect(',')?;
            }
            operands.push(self.operand(0)?);
        }
        let span = self.tokens[first].start..self.tokens[self.at - 1].start + 1;
        Ok(Instruction { guard, opcode, operands, line, location: self.location, span })
    }

    fn operand(&mut self, depth: u32) -> Result<Operand> {
        if depth > 2 {
            return self.unexpected("fewer brackets");
        }
        let sequence = |parser: &mut Self, end: char| -> Result<Vec<Operand>> {
            let mut all = Vec::new();
            while !parser.accept(end) {
                if !all.is_empty() {
                    parser.expect(',')?;
                }
                all.push(parser.operand(depth + 1)?);
            }
            Ok(all)
        };
        match self.peek() {
            Some(Token::Punctuation('{')) => {
                self.at += 1;
                Ok(Operand::Vector(sequence(self, '}')?))
            }
            Some(Token::Punctuation('(')) => {
                self.at += 1;
                Ok(Operand::List(sequence(self, ')')?))
            }
            Some(Token::Punctuation('[')) => {
                self.at += 1;
                let base = if let Some(Token::Word(base)) = self.peek() {
                    self.at += 1;
                    Some(base.to_string())
                } else {
                    None
                };
                let plus = if base.is_none() { self.integer()? as i64 } else { self.plus()? };
                match base {
                    Some(name) if plus == 0 && self.accept(',') => {
                        Ok(Operand::Object(name, sequence(self, ']')?))
                    }
                    base => {
                        self.expect(']')?;
                        Ok(Operand::Address { base, plus })
                    }
                }
            }
            Some(Token::Punctuation('!')) => {
                self.at += 1;
                Ok(Operand::Not(self.word("a predicate")?.to_string()))
            }
            Some(Token::Punctuation('-'))
                if matches!(
                    self.tokens.get(self.at + 1).map(|it| it.token),
                    Some(Token::Word(_))
                ) =>
            {
                self.at += 1;
                Ok(Operand::Negative(self.word("a register")?.to_string()))
            }
            Some(Token::Word(name)) => {
                self.at += 1;
                if self.accept('|') {
                    return Ok(Operand::Pair(
                        name.to_string(),
                        self.word("a register")?.to_string(),
                    ));
                }
                // `name+4` is the address of an element.
                if matches!(self.peek(), Some(Token::Punctuation('+' | '-'))) {
                    let plus = self.plus()?;
                    return Ok(Operand::Address { base: Some(name.to_string()), plus });
                }
                Ok(Operand::Name(name.to_string()))
            }
            _ => self.number(),
        }
    }
}
