//! `.loc` of inlined functions (PTX ISA, "Debugging Directives"): `.loc 2 9 5, function_name label, inlined_at 1 8 3`, after
//! a `.loc 1 8 3`, which may name where that is inlined in turn.

use std::collections::HashMap;

use super::{Parser, Result};
use crate::ast::Location;
use crate::lexer::Token;

/// `.file`, line and column.
type Position = (u32, u32, u32);

/// For each position that was named, the innermost around it that is in the file of the outermost, as of its last `.loc`: a
/// function may be inlined into itself.
#[derive(Debug, Default)]
pub(super) struct Callers(HashMap<Position, Position>);

impl Callers {
    /// The position in the kernel's own file of `own`, which is inlined at `caller`.
    fn enter(&mut self, own: Position, caller: Option<Position>) -> Position {
        let outer = caller.map_or(own, |caller| *self.0.get(&caller).unwrap_or(&caller));
        let found = if own.0 == outer.0 { own } else { outer };
        self.0.insert(own, found);
        found
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
        let outer = self.callers.enter(own, caller);
        let caller = if outer == own { (0, 0) } else { (outer.0, outer.1) };
        Ok(Location { file: own.0, line: own.1, caller })
    }

    fn position(&mut self) -> Result<Position> {
        Ok((self.small()?, self.small()?, self.small()?))
    }
}
