//! `.loc` of inlined functions (PTX ISA, "Debugging Directives"): `.loc 2 9 5, function_name label, inlined_at 1 8 3`, after
//! a `.loc 1 8 3`, which may name where that is inlined in turn.

use std::collections::HashMap;

/// `.file`, line and column.
pub(super) type Position = (u32, u32, u32);

/// For each position that was named, the innermost around it that is in the file of the outermost, as of its last `.loc`: a
/// function may be inlined into itself.
#[derive(Debug, Default)]
pub(super) struct Callers(HashMap<Position, Position>);

impl Callers {
    /// The position in the kernel's own file of `own`, which is inlined at `caller`.
    pub(super) fn enter(&mut self, own: Position, caller: Option<Position>) -> Position {
        let outer = caller.map_or(own, |caller| *self.0.get(&caller).unwrap_or(&caller));
        let found = if own.0 == outer.0 { own } else { outer };
        self.0.insert(own, found);
        found
    }
}
