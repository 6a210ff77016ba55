//! Stores and reductions of which an `mbarrier` hears: `st.async`, `red.async`.

use super::builder::{Builder, Result};
use super::memory::modifiers;
use crate::class::Class;
use crate::instruction::Constant;
use crate::registers::File;
use ptx::Space;
use ptx::ast::Instruction;

/// By which the barrier hears of it.
const COMPLETION: &str = "mbarrier::complete_tx::bytes";

impl Builder<'_> {
    /// `st.async` and `red.async`: a store or a reduction, and its bytes come to the barrier; `None` for other instructions.
    pub(super) fn remote(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        let [mnemonic @ ("st" | "red"), "async", rest @ ..] = parts.as_slice() else {
            return Ok(None);
        };
        let space = modifiers(&i.opcode).space;
        if !rest.contains(&COMPLETION) || !matches!(space, Space::Cluster | Space::Generic) {
            return self.unsupported(&i.opcode);
        }
        self.arity(i, 3)?;
        let words = rest.iter().copied().filter(|word| *word != COMPLETION);
        let opcode = [*mnemonic].into_iter().chain(words).collect::<Vec<_>>().join(".");
        let found = modifiers(&opcode);
        let bits = found.element.map_or(0, |element| u64::from(element.bits));
        let bytes = bits / 8 * found.count as u64;
        let operands = i.operands[..2].to_vec();
        let plain = Instruction { opcode, operands, ..i.clone() };
        let class = match *mnemonic {
            "st" => self.store(&plain)?,
            _ => self.atomic(&plain, true)?,
        };
        let bytes = self.constant(File::Words, Constant::Bits(bytes))?;
        self.complete(&i.operands[2], space, bytes, None)?;
        Ok(Some(class))
    }
}
