//! Debug information: only what leads from an instruction to its file and line.

use super::{Parser, Result, describe};
use crate::error::problem;
use crate::lexer::Token;
use crate::syntax::Node;

impl Parser<'_> {
    /// `!7 = !DILocation(line: 3, column: 4, scope: !2)`, or anything else, which is skipped.
    pub(super) fn metadata(&mut self, name: &str) -> Result<()> {
        self.expect('=')?;
        self.accept_word("distinct");
        match self.next()? {
            Token::Metadata("") => self.skip_brackets(),
            Token::Metadata(kind) => {
                let mut node = Node { kind: kind.to_string(), ..Node::default() };
                self.fields_of(&mut node)?;
                if let Ok(number) = name.parse() {
                    self.module.metadata.insert(number, node);
                }
                Ok(())
            }
            Token::Punctuation('!') => self.next().map(|_| ()),
            Token::Word("null") => Ok(()),
            found => problem(format!("unexpected {} in metadata", describe(&found))),
        }
    }

    fn fields_of(&mut self, node: &mut Node) -> Result<()> {
        self.expect('(')?;
        loop {
            match self.next()? {
                Token::Punctuation(')') => return Ok(()),
                Token::Punctuation('(') => {
                    self.at -= 1;
                    self.skip_brackets()?;
                }
                Token::Word(field) if self.accept(':') => {
                    let reference = match self.peek() {
                        Some(Token::Metadata(number)) => number.parse().ok(),
                        _ => None,
                    };
                    let number = self.peek_word().and_then(|word| word.parse().ok());
                    match field {
                        "line" => node.line = number.unwrap_or(0),
                        "column" => node.column = number.unwrap_or(0),
                        "scope" => node.scope = reference,
                        "file" => node.file = reference,
                        "filename" => {
                            if let Some(Token::Text(text)) = self.peek() {
                                node.filename = String::from_utf8_lossy(text).into_owned();
                            }
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// `, !dbg !7, !tbaa !3` after an instruction: the node of `!dbg`, and whether what is read never changes.
    pub(super) fn attachments(&mut self) -> Result<(Option<u32>, bool)> {
        let (mut location, mut is_invariant) = (None, false);
        while self.accept(',') {
            let Token::Metadata(name) = self.next()? else { return problem("`!` is expected") };
            is_invariant |= name == "invariant.load";
            match self.next()? {
                Token::Metadata("") => {
                    self.skip_brackets()?;
                }
                Token::Metadata(number) if name == "dbg" => location = number.parse().ok(),
                Token::Metadata(_) if self.peek() == Some(&Token::Punctuation('(')) => {
                    self.skip_brackets()?
                }
                Token::Metadata(_) => {}
                found => return problem(format!("unexpected {} in metadata", describe(&found))),
            }
        }
        Ok((location, is_invariant))
    }
}
