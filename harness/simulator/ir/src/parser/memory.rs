//! Instructions for memory.

use super::function::Names;
use super::{Parser, Result};
use crate::error::problem;
use crate::lexer::Token;
use crate::syntax::{Access, Action, Constant, Ordering, Value};
use crate::types::Type;

impl Parser<'_> {
    pub(super) fn memory_action(&mut self, names: &mut Names, word: &str) -> Result<Action> {
        match word {
            "getelementptr" => {
                self.flags();
                while self.accept_word("inrange") {
                    self.skip_brackets()?;
                }
                let base = self.kind()?;
                self.expect(',')?;
                let (pointer_kind, pointer) = self.typed_value(names)?;
                let mut indices = Vec::new();
                while self.peek() == Some(&Token::Punctuation(',')) && !self.is_attachment() {
                    self.at += 1;
                    indices.push(self.typed_value(names)?);
                }
                Ok(Action::Element { base, pointer_kind, pointer, indices })
            }
            "load" => {
                let (is_atomic, is_volatile) = self.access_words();
                let kind = self.kind()?;
                self.expect(',')?;
                Ok(Action::Load(self.access(names, kind, is_atomic, is_volatile)?))
            }
            "store" => {
                let (is_atomic, is_volatile) = self.access_words();
                let (kind, value) = self.typed_value(names)?;
                self.expect(',')?;
                Ok(Action::Store(self.access(names, kind, is_atomic, is_volatile)?, value))
            }
            "atomicrmw" => {
                let (_, is_volatile) = self.access_words();
                let name = self.word()?.to_string();
                let (pointer_kind, pointer) = self.typed_value(names)?;
                self.expect(',')?;
                let (kind, value) = self.typed_value(names)?;
                let mut access = plain(kind, pointer_kind, pointer, is_volatile);
                (access.ordering, access.scope) = self.ordering()?;
                access.align = self.trailing_align(access.align)?;
                Ok(Action::Exchange { name, access, value })
            }
            "cmpxchg" => {
                self.accept_word("weak");
                let (_, is_volatile) = self.access_words();
                let (pointer_kind, pointer) = self.typed_value(names)?;
                self.expect(',')?;
                let (kind, expected) = self.typed_value(names)?;
                self.expect(',')?;
                let (_, value) = self.typed_value(names)?;
                let mut access = plain(kind, pointer_kind, pointer, is_volatile);
                (access.ordering, access.scope) = self.ordering()?;
                let failed = self.ordering()?.0;
                access.ordering = stronger(access.ordering, failed);
                access.align = self.trailing_align(access.align)?;
                Ok(Action::CompareExchange { access, expected, value })
            }
            "fence" => {
                let (ordering, scope) = self.ordering()?;
                Ok(Action::Fence { ordering, scope })
            }
            "alloca" => self.allocate(),
            _ => problem(format!("the instruction `{word}` is not supported")),
        }
    }

    /// Whether the comma here begins what is attached to an instruction.
    fn is_attachment(&self) -> bool {
        matches!(self.tokens.get(self.at + 1).map(|it| &it.token), Some(Token::Metadata(_)))
    }

    fn access_words(&mut self) -> (bool, bool) {
        (self.accept_word("atomic"), self.accept_word("volatile"))
    }

    /// From the pointer on.
    fn access(
        &mut self,
        names: &mut Names,
        kind: Type,
        is_atomic: bool,
        is_volatile: bool,
    ) -> Result<Access> {
        let (pointer_kind, pointer) = self.typed_value(names)?;
        let mut access = plain(kind, pointer_kind, pointer, is_volatile);
        if is_atomic {
            (access.ordering, access.scope) = self.ordering()?;
        }
        access.align = self.trailing_align(access.align)?;
        Ok(access)
    }

    fn trailing_align(&mut self, otherwise: u64) -> Result<u64> {
        if self.peek() == Some(&Token::Punctuation(',')) && !self.is_attachment() {
            self.at += 1;
            self.expect_word("align")?;
            return self.align();
        }
        Ok(otherwise)
    }

    fn ordering(&mut self) -> Result<(Ordering, String)> {
        let mut scope = String::new();
        if self.accept_word("syncscope") {
            self.expect('(')?;
            if let Token::Text(text) = self.next()? {
                scope = String::from_utf8_lossy(&text).into_owned();
            }
            self.expect(')')?;
        }
        let ordering = match self.word()? {
            "unordered" | "monotonic" => Ordering::Relaxed,
            "acquire" => Ordering::Acquire,
            "release" => Ordering::Release,
            "acq_rel" => Ordering::AcquireRelease,
            "seq_cst" => Ordering::Sequential,
            word => return problem(format!("`{word}` is no order of memory accesses")),
        };
        Ok((ordering, scope))
    }

    fn allocate(&mut self) -> Result<Action> {
        self.accept_word("inalloca");
        let kind = self.kind()?;
        let (mut count, mut align) = (1, kind.align());
        while self.peek() == Some(&Token::Punctuation(',')) && !self.is_attachment() {
            self.at += 1;
            match self.peek() {
                Some(Token::Word("align")) => {
                    self.at += 1;
                    align = self.align()?;
                }
                Some(Token::Word("addrspace")) => {
                    self.at += 1;
                    self.in_parentheses()?;
                }
                _ => {
                    let index = self.kind()?;
                    count = match self.peek() {
                        Some(Token::Local(_)) => {
                            return problem(
                                "an array on the stack whose size varies is not supported",
                            );
                        }
                        _ => match self.constant(&index)? {
                            Constant::Bits(count) => count,
                            _ => return problem("an array on the stack has a number of elements"),
                        },
                    };
                }
            }
        }
        Ok(Action::Allocate { kind, count, align })
    }
}

fn plain(kind: Type, pointer_kind: Type, pointer: Value, is_volatile: bool) -> Access {
    let align = kind.align();
    let ordering = Ordering::Plain;
    Access {
        kind,
        pointer,
        pointer_kind,
        align,
        is_volatile,
        is_invariant: false,
        ordering,
        scope: String::new(),
    }
}

/// One order that is at least each of two.
fn stronger(one: Ordering, other: Ordering) -> Ordering {
    match (one, other) {
        (Ordering::Acquire, Ordering::Release) | (Ordering::Release, Ordering::Acquire) => {
            Ordering::AcquireRelease
        }
        _ => one.max(other),
    }
}
