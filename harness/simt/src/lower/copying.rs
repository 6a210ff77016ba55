//! Copies into shared memory for which a thread does not wait at once: `cp.async`.

use super::builder::{Builder, Result};
use crate::class::Class;
use crate::program::*;
use crate::ptx::ast::{Instruction, Operand};
use crate::space::Space;

/// What there is, for messages.
const COPIES: &str = "the simulator has cp.async.ca and cp.async.cg.shared.global of 4, 8 or 16 bytes (.cg: of 16), \
                      without a mask or a number of bytes to be read, commit_group, wait_group and wait_all";

impl Builder<'_> {
    /// Instructions of asynchronous copies; `None` if it is none.
    pub(super) fn copying(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        let ["cp", "async", rest @ ..] = parts.as_slice() else { return Ok(None) };
        let (copying, class) = match rest {
            ["commit_group"] => {
                self.arity(i, 0)?;
                (Copying::Commit, Class::Fence)
            }
            ["wait_all"] => {
                self.arity(i, 0)?;
                (Copying::Wait(None), Class::Fence)
            }
            ["wait_group"] => {
                self.arity(i, 1)?;
                let Operand::Integer(groups) = i.operands[0] else {
                    return self.error(format!("`{}` needs a number of groups", i.opcode));
                };
                let groups = u32::try_from(groups).unwrap_or(u32::MAX);
                (Copying::Wait(Some(groups)), Class::Fence)
            }
            [cached, "shared" | "shared::cta", "global", hints @ ..]
                if hints
                    .iter()
                    .all(|hint| hint.starts_with("L2::") && *hint != "L2::cache_hint") =>
            {
                let copy = self.copy(i, cached)?;
                self.program.copies.push(copy);
                (Copying::Begin(self.program.copies.len() as u32 - 1), Class::LoadGlobal)
            }
            _ => return self.lacks(format!("unsupported instruction `{}`: {COPIES}", i.opcode)),
        };
        self.emit(Operation::Copying(copying), 0, [0; 4])?;
        Ok(Some(class))
    }

    /// `cp.async.ca.shared.global [to], [from], bytes`.
    fn copy(&mut self, i: &Instruction, cached: &str) -> Result<AsyncCopy> {
        let (to, from, bytes) = match i.operands.as_slice() {
            [to, from, Operand::Integer(bytes @ (4 | 8 | 16))] => (to, from, *bytes),
            _ => return self.lacks(format!("unsupported operands of `{}`: {COPIES}", i.opcode)),
        };
        if !(cached == "ca" || cached == "cg" && bytes == 16) {
            return self.lacks(format!("unsupported instruction `{}`: {COPIES}", i.opcode));
        }
        let (_, to, to_plus, _) = self.address(to, Space::Shared)?;
        let (_, from, from_plus, _) = self.address(from, Space::Global)?;
        Ok(AsyncCopy { to, to_plus, from, from_plus, bytes, past_l1: cached == "cg" })
    }
}
