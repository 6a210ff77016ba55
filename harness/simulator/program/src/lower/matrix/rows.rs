//! 8×8 matrices between registers and shared memory: `ldmatrix`, `stmatrix`.

use super::super::builder::{Builder, Result};
use super::super::opcode::WORD;
use crate::instruction::*;
use ptx::Space;
use ptx::ast::Instruction;

impl Builder<'_> {
    /// `ldmatrix.sync.aligned.m8n8.num{.trans}{.shared}.b16 d, [a]` and `stmatrix… [a], d`.
    pub(super) fn matrix_rows(
        &mut self,
        i: &Instruction,
        modifiers: &[&str],
        is_store: bool,
    ) -> Result<()> {
        let base = i.opcode.split('.').next().unwrap_or_default();
        let others = format!(
            "unsupported instruction `{}`: the simulator supports {base}.sync.aligned.m8n8 of .x1, .x2 and .x4, with or \
             without .trans, of .b16",
            i.opcode
        );
        let ["sync", "aligned", rest @ ..] = modifiers else { return self.lacks(others) };
        // ptxas takes the others in any order.
        let (mut has_shape, mut has_type, mut number, mut transposed, mut space) =
            (false, false, None, false, Space::Generic);
        for modifier in rest {
            match *modifier {
                "m8n8" => has_shape = true,
                "b16" => has_type = true,
                "trans" => transposed = true,
                "shared" | "shared::cta" => space = Space::Shared,
                other => number = Some(other),
            }
        }
        if !has_shape || !has_type {
            return self.lacks(others);
        }
        let verb = if is_store { "stores" } else { "loads" };
        let count = match number {
            Some("x1") => 1,
            Some("x2") => 2,
            Some("x4") => 4,
            _ => return self.error(format!("`{}` {verb} .x1, .x2 or .x4 matrices", i.opcode)),
        };
        self.arity(i, 2)?;
        let (at, data) = if is_store { (0, 1) } else { (1, 0) };
        let (space, address, plus, _) = self.address(&i.operands[at], space)?;
        let registers = self.fragment(i, data, usize::from(count))?;
        let data = if is_store {
            self.sources_of(registers, WORD)?
        } else {
            self.destinations_of(registers, WORD)?
        };
        self.program.matrix_rows.push(MatrixRows { space, count, transposed, data, address, plus });
        let index = self.program.matrix_rows.len() as u32 - 1;
        let matrix = if is_store { Matrix::Store(index) } else { Matrix::Load(index) };
        self.emit(Operation::Matrix(matrix), 0, [0; 4])
    }
}
