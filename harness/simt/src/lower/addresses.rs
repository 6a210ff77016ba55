//! Which accesses have the same addresses but for a constant: what is seen of the first one's holds for all.

use std::collections::HashMap;

use crate::program::{Guard, Operation, Program};
use crate::registers::{File, Register};

/// For each access the first in its basic block whose address comes from the same register with the same value. That
/// one has no guard, so it is executed with all lanes where another is.
pub(super) fn like(program: &Program) -> Vec<u32> {
    let mut like: Vec<u32> = (0..program.accesses.len() as u32).collect();
    for block in &program.blocks {
        let mut first: HashMap<Register, u32> = HashMap::new();
        for i in &program.code[block.first as usize..block.end as usize] {
            match i.operation {
                Operation::Load(k) | Operation::Store(k) => {
                    let access = &program.accesses[k as usize];
                    match first.get(&access.address) {
                        Some(&known) => like[k as usize] = known,
                        None if i.guard == Guard::NONE => {
                            first.insert(access.address, k);
                        }
                        None => {}
                    }
                    if matches!(i.operation, Operation::Load(_)) {
                        for index in &access.data[..usize::from(access.count)] {
                            first.remove(&Register { file: access.file, index: *index });
                        }
                    }
                }
                Operation::Fast(fast) => {
                    let is_wide = fast.signature().1.bits == 64;
                    let file = if is_wide { File::Doubles } else { File::Words };
                    first.remove(&Register { file, index: i.operands.d });
                }
                Operation::Compare(..) | Operation::Predicate(_) | Operation::Branch(_) => {}
                Operation::Nothing | Operation::Fence { .. } => {}
                // Whatever it writes.
                _ => first.clear(),
            }
        }
    }
    like
}
