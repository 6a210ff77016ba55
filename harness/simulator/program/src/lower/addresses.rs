//! Finds accesses whose addresses differ by a constant only, so that the pattern of the first holds for all.

use std::collections::HashMap;

use crate::instruction::{Guard, Operation, Program};
use crate::registers::{File, Register};

/// For each access the first in its basic block whose address comes from the same register with the same value. The
/// first has no guard, so it executes with at least the lanes of the others.
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
                Operation::Nothing
                | Operation::Fence { .. }
                | Operation::ProxyFence(_)
                | Operation::AcquireMap
                | Operation::Products(_) => {}
                // The registers that it writes.
                _ => first.clear(),
            }
        }
    }
    like
}

#[cfg(test)]
mod tests {
    use crate::Module;

    /// For each access of a kernel with this body, after that of its parameter, the first one with the same pattern.
    fn like(body: &str) -> Vec<u32> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
             .reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n\
             setp.eq.u32 %p1, %r1, 0;\n{body}\nret;\n}}\n"
        );
        let module = Module::parse("k.ptx", &text).expect("valid PTX");
        module.kernel("k").expect("the kernel").program().like[1..].to_vec()
    }

    const LOAD: &str = "ld.global.u32 %r2, [%rd1];";
    const NEXT: &str = "ld.global.u32 %r3, [%rd1+4];";

    #[test]
    fn what_is_seen_of_an_address_holds_until_its_register_changes() {
        let store = "st.global.u32 [%rd1+8], %r2;";
        assert_eq!(like(&format!("{LOAD}{NEXT}{store}")), [1, 1, 1]);
        assert_eq!(like(&format!("{LOAD}add.s64 %rd1, %rd1, 4;{NEXT}{store}")), [1, 2, 2]);
        assert_eq!(like(&format!("{LOAD}add.s64 %rd2, %rd1, 4;{NEXT}")), [1, 1]);
        assert_eq!(like(&format!("{LOAD}ld.global.u64 %rd1, [%rd1];{NEXT}")), [1, 1, 3]);
        assert_eq!(like(&format!("{LOAD}{NEXT}ld.global.u32 %r2, [%rd2];")), [1, 1, 3]);
    }

    #[test]
    fn it_holds_in_one_block_and_of_all_lanes_only() {
        assert_eq!(like(&format!("{LOAD}L:{NEXT}@%p1 bra L;")), [1, 2]);
        assert_eq!(like(&format!("@%p1 {LOAD}{NEXT}{NEXT}")), [1, 2, 2]);
        assert_eq!(like(&format!("{LOAD}@%p1 {NEXT}")), [1, 1]);
        assert_eq!(like(&format!("{LOAD}bar.sync 0;{NEXT}")), [1, 2]);
    }
}
