//! Removes what nobody needs.

use super::{Code, End, Operand};

pub(super) fn remove(code: &mut Code) {
    let mut is_needed = vec![false; code.classes.len()];
    let mut is_changed = true;
    // From the end to the beginning most is found at once; loops need another round.
    while std::mem::take(&mut is_changed) {
        let mut need =
            |register| is_changed |= !std::mem::replace(&mut is_needed[register as usize], true);
        let mut read = Vec::new();
        for block in code.blocks.iter().rev() {
            if let End::Branch { predicate, .. } = block.end {
                need(predicate);
            }
        }
        for block in code.blocks.iter().rev() {
            for instruction in block.instructions.iter().rev() {
                let is_kept = !instruction.is_removable()
                    || instruction.results.iter().any(|it| is_needed[*it as usize]);
                if is_kept {
                    for register in instruction.reads() {
                        is_changed |= !std::mem::replace(&mut is_needed[register as usize], true);
                    }
                }
            }
            for phi in &block.phis {
                if is_needed[phi.result as usize] {
                    read.extend(phi.incoming.iter().filter_map(|(_, it)| Operand::register(it)));
                }
            }
        }
        for register in read {
            is_changed |= !std::mem::replace(&mut is_needed[register as usize], true);
        }
    }
    for block in &mut code.blocks {
        block.phis.retain(|phi| is_needed[phi.result as usize]);
        block.instructions.retain(|it| {
            !it.is_removable() || it.results.iter().any(|result| is_needed[*result as usize])
        });
    }
}
