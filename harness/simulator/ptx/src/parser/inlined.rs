//! `.loc` of inlined functions (PTX ISA, "Debugging Directives"): `.loc 2 9 5, function_name label, inlined_at 1 8 3`, after
//! a `.loc 1 8 3`, which may name where that is inlined in turn.

use std::collections::HashMap;

use super::{Parser, Result};
use crate::ast::Location;
use crate::lexer::Token;

/// `.file`, line and column.
type Position = (u32, u32, u32);

/// Positions of code that is inlined, and where; none for code that is not.
#[derive(Debug, Default)]
pub(super) struct Callers(HashMap<Position, Option<Position>>);

impl Callers {
    /// The innermost position around `own` that is in the file of the outermost.
    fn own_file(&self, own: Position) -> Position {
        let (mut chain, mut at) = (vec![own], own);
        while let Some(&Some(caller)) = self.0.get(&at)
            && !chain.contains(&caller)
        {
            chain.push(caller);
            at = caller;
        }
        chain.into_iter().find(|it| it.0 == at.0).unwrap_or(own)
    }
}

impl Parser<'_> {
    /// The operands of a `.loc` in this line of the text.
    pub(super) fn inlined(&mut self, line: u32) -> Result<Location> {
        let own = self.position()?;
        let mut caller = None;
        while self.tokens.get(self.at).is_some_and(|it| it.line == line) {
            if self.next() == Some(Token::Word("inlined_at")) {
                caller = Some(self.position()?);
            }
        }
        self.callers.0.insert(own, caller);
        let outer = self.callers.own_file(own);
        let caller = if outer == own { (0, 0) } else { (outer.0, outer.1) };
        Ok(Location { file: own.0, line: own.1, caller })
    }

    fn position(&mut self) -> Result<Position> {
        Ok((self.small()?, self.small()?, self.small()?))
    }
}
