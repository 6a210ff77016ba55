//! Instructions.

use super::function::Names;
use super::{Parser, Result, describe};
use crate::error::problem;
use crate::lexer::Token;
use crate::syntax::{Action, Call, Callee, Constant, Flags, Instruction, Value};
use crate::types::Type;

/// Instructions with two operands of one type.
const BINARY: [&str; 18] = [
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem",
];

/// Instructions from one type to another.
const CONVERSIONS: [&str; 14] = [
    "trunc",
    "zext",
    "sext",
    "fptrunc",
    "fpext",
    "fptoui",
    "fptosi",
    "uitofp",
    "sitofp",
    "ptrtoint",
    "inttoptr",
    "bitcast",
    "addrspacecast",
    "ptrtoaddr",
];

impl Parser<'_> {
    pub(super) fn instruction(&mut self, names: &mut Names) -> Result<Instruction> {
        let line = self.line();
        let result = match self.peek() {
            Some(Token::Local(name)) => {
                let local = names.local(name);
                self.at += 1;
                self.expect('=')?;
                Some(local)
            }
            _ => None,
        };
        let mut action = self.action(names, line)?;
        let (location, is_invariant) = self.attachments()?;
        if let Action::Load(access) = &mut action {
            access.is_invariant = is_invariant;
        }
        Ok(Instruction { result, action, line, location })
    }

    fn action(&mut self, names: &mut Names, line: u32) -> Result<Action> {
        let word = self.word()?;
        if let Some(name) = BINARY.iter().find(|name| **name == word) {
            let flags = self.flags();
            let (kind, left) = self.typed_value(names)?;
            self.expect(',')?;
            let right = self.value(names, &kind)?;
            return Ok(Action::Binary { name, flags, kind, left, right });
        }
        if let Some(name) = CONVERSIONS.iter().find(|name| **name == word) {
            let flags = self.flags();
            let (from, value) = self.typed_value(names)?;
            self.expect_word("to")?;
            let to = self.kind()?;
            return Ok(Action::Convert { name, flags, from, value, to });
        }
        Ok(match word {
            "fneg" => {
                self.flags();
                let (kind, value) = self.typed_value(names)?;
                Action::Negate { kind, value }
            }
            "icmp" | "fcmp" => {
                self.flags();
                let predicate = self.word()?.to_string();
                let (kind, left) = self.typed_value(names)?;
                self.expect(',')?;
                let right = self.value(names, &kind)?;
                Action::Compare { predicate, is_float: word == "fcmp", kind, left, right }
            }
            "select" => {
                self.flags();
                let (condition_kind, condition) = self.typed_value(names)?;
                self.expect(',')?;
                let (kind, yes) = self.typed_value(names)?;
                self.expect(',')?;
                let (_, no) = self.typed_value(names)?;
                Action::Select { condition_kind, condition, kind, yes, no }
            }
            "phi" => self.phi(names)?,
            "freeze" => {
                let (kind, value) = self.typed_value(names)?;
                Action::Freeze { kind, value }
            }
            "tail" | "musttail" | "notail" => {
                self.expect_word("call")?;
                self.call(names, line)?
            }
            "call" => self.call(names, line)?,
            "extractvalue" => {
                let (kind, value) = self.typed_value(names)?;
                Action::ExtractValue { kind, value, path: self.path()? }
            }
            "insertvalue" => {
                let (kind, value) = self.typed_value(names)?;
                self.expect(',')?;
                let (part_kind, part) = self.typed_value(names)?;
                Action::InsertValue { kind, value, part_kind, part, path: self.path()? }
            }
            "extractelement" => {
                let (kind, value) = self.typed_value(names)?;
                self.expect(',')?;
                let (_, index) = self.typed_value(names)?;
                Action::ExtractElement { kind, value, index }
            }
            "insertelement" => {
                let (kind, value) = self.typed_value(names)?;
                self.expect(',')?;
                let (_, element) = self.typed_value(names)?;
                self.expect(',')?;
                let (_, index) = self.typed_value(names)?;
                Action::InsertElement { kind, value, element, index }
            }
            "shufflevector" => self.shuffle(names)?,
            "br" => self.branch(names)?,
            "switch" => self.switch(names)?,
            "ret" => {
                let kind = self.kind()?;
                let value = match kind {
                    Type::Void => None,
                    _ => Some(self.value(names, &kind)?),
                };
                Action::Return { kind, value }
            }
            "unreachable" => Action::Unreachable,
            _ => return self.memory_action(names, word),
        })
    }

    /// Words that say what may be taken for granted.
    pub(super) fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Some(word) = self.peek_word() {
            match word {
                "nuw" | "nneg" => flags.no_unsigned_wrap = true,
                "nsw" => flags.no_signed_wrap = true,
                "disjoint" => flags.is_disjoint = true,
                "contract" => flags.may_contract = true,
                "afn" => flags.may_approximate = true,
                "fast" => flags.may_contract = true,
                "exact" | "samesign" | "inbounds" | "nusw" | "nnan" | "ninf" | "nsz" | "arcp"
                | "reassoc" => {}
                _ => break,
            }
            if word == "fast" {
                flags.may_approximate = true;
            }
            self.at += 1;
        }
        flags
    }

    /// `, 1, 0`: which part of a value.
    fn path(&mut self) -> Result<Vec<u64>> {
        let mut path = Vec::new();
        while let (Some(Token::Punctuation(',')), Some(Token::Word(word))) =
            (self.peek(), self.tokens.get(self.at + 1).map(|it| &it.token))
        {
            let Ok(index) = word.parse() else { break };
            path.push(index);
            self.at += 2;
        }
        Ok(path)
    }

    fn label(&mut self, names: &Names) -> Result<usize> {
        match self.next()? {
            Token::Local(name) => names.label(&name),
            found => problem(format!("a block is expected, not {}", describe(&found))),
        }
    }

    fn phi(&mut self, names: &mut Names) -> Result<Action> {
        self.flags();
        let kind = self.kind()?;
        let mut incoming = Vec::new();
        loop {
            self.expect('[')?;
            let value = self.value(names, &kind)?;
            self.expect(',')?;
            let label = self.label(names)?;
            self.expect(']')?;
            incoming.push((value, label));
            let goes_on =
                self.tokens.get(self.at + 1).map(|it| &it.token) == Some(&Token::Punctuation('['));
            if !(goes_on && self.accept(',')) {
                return Ok(Action::Phi { kind, incoming });
            }
        }
    }

    fn branch(&mut self, names: &mut Names) -> Result<Action> {
        if self.accept_word("label") {
            return Ok(Action::Jump(self.label(names)?));
        }
        let (_, condition) = self.typed_value(names)?;
        self.expect(',')?;
        self.expect_word("label")?;
        let yes = self.label(names)?;
        self.expect(',')?;
        self.expect_word("label")?;
        let no = self.label(names)?;
        Ok(Action::Branch { condition, yes, no })
    }

    fn switch(&mut self, names: &mut Names) -> Result<Action> {
        let (kind, value) = self.typed_value(names)?;
        self.expect(',')?;
        self.expect_word("label")?;
        let otherwise = self.label(names)?;
        self.expect('[')?;
        let mut cases = Vec::new();
        while !self.accept(']') {
            let kind = self.kind()?;
            let case = match self.constant(&kind)? {
                Constant::Bits(bits) => bits,
                Constant::Zero => 0,
                _ => return problem("a case of a switch is a number"),
            };
            self.expect(',')?;
            self.expect_word("label")?;
            cases.push((case, self.label(names)?));
        }
        Ok(Action::Switch { kind, value, cases, otherwise })
    }

    fn shuffle(&mut self, names: &mut Names) -> Result<Action> {
        let (kind, left) = self.typed_value(names)?;
        self.expect(',')?;
        let (_, right) = self.typed_value(names)?;
        self.expect(',')?;
        let mask_kind = self.kind()?;
        let count = mask_kind.parts()?.len();
        let is_undefined = matches!(self.peek_word(), Some("undef" | "poison"));
        let mask = match self.constant(&mask_kind)? {
            Constant::Parts(parts) => parts.into_iter().map(|(_, it)| bits(&it)).collect(),
            Constant::Splat(element) => vec![bits(&element.1); count],
            _ if is_undefined => vec![None; count],
            _ => vec![Some(0); count],
        };
        Ok(Action::Shuffle { kind, left, right, mask })
    }

    fn call(&mut self, names: &mut Names, line: u32) -> Result<Action> {
        let flags = self.flags();
        self.skip_to_type()?;
        let result = self.kind()?;
        // The types of a function with a variable number of arguments.
        if self.peek() == Some(&Token::Punctuation('(')) {
            self.skip_brackets()?;
        }
        let callee = match self.next()? {
            Token::Global(name) => Callee::Name(name.as_ref().into()),
            Token::Local(name) => Callee::Pointer(names.local(&name)),
            Token::Word("asm") => self.assembly()?,
            found => return problem(format!("{} cannot be called", describe(&found))),
        };
        let mut arguments = Vec::new();
        self.expect('(')?;
        while !self.accept(')') {
            if !arguments.is_empty() {
                self.expect(',')?;
            }
            if self.accept_word("metadata") {
                // Of an intrinsic that describes something.
                while !matches!(self.peek(), Some(Token::Punctuation(',' | ')')) | None) {
                    match self.peek() {
                        Some(Token::Punctuation('(' | '{')) => self.skip_brackets()?,
                        _ => self.at += 1,
                    }
                }
                let zero = Value::Constant(Constant::Zero);
                let kind = Type::Other;
                arguments.push((
                    crate::syntax::Parameter { kind, attributes: Default::default() },
                    zero,
                ));
                continue;
            }
            let parameter = self.parameter()?;
            let value = self.value(names, &parameter.kind)?;
            arguments.push((parameter, value));
        }
        // Attributes of the call, and bundles of operands for optimisers.
        while self.tokens.get(self.at).is_some_and(|it| it.line == line) {
            match self.peek() {
                Some(Token::Attributes(_) | Token::Word(_)) => self.at += 1,
                Some(Token::Punctuation('[' | '(')) => self.skip_brackets()?,
                _ => break,
            }
        }
        Ok(Action::Call(Call { callee, result, arguments, flags }))
    }

    fn assembly(&mut self) -> Result<Callee> {
        let mut has_effects = false;
        loop {
            match self.next()? {
                Token::Word("sideeffect") => has_effects = true,
                Token::Word(_) => {}
                Token::Text(template) => {
                    self.expect(',')?;
                    let Token::Text(constraints) = self.next()? else {
                        return problem("the constraints of inline assembly are expected");
                    };
                    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                    let (template, constraints) = (text(&template), text(&constraints));
                    return Ok(Callee::Assembly { template, constraints, has_effects });
                }
                found => return problem(format!("unexpected {}", describe(&found))),
            }
        }
    }
}

/// The number that a constant is, if it is one.
fn bits(constant: &Constant) -> Option<u64> {
    match constant {
        Constant::Bits(bits) => Some(*bits),
        _ => None,
    }
}
