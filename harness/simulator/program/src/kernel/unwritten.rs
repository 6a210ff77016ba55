//! Registers that a thread may read before it has written them.
//!
//! All others need no value when a block begins: what an earlier block left in them is never seen.

use super::code::Code;
use crate::registers::{File, Register};

/// They, without constants, and without registers that only pass a value on within an instruction or carry from one to
/// the next. `None` where that is not known: calls are not followed.
pub fn registers(kernel: &Code) -> Option<Vec<Register>> {
    let program = &kernel.program;
    if !program.functions.is_empty() {
        return None;
    }
    let count = program.registers.into_iter().map(usize::from).sum();
    let mut constants = vec![false; count];
    for &(register, _) in &program.constants {
        constants[usize::from(program.number(register))] = true;
    }
    let mut needed = vec![false; count];
    let guarded = guarded(kernel);
    let edges = kernel.edges();
    let mut written: Vec<Option<Vec<bool>>> = vec![None; edges.len()];
    let mut waiting = vec![(0, constants.clone())];
    while let Some((block, mut before)) = waiting.pop() {
        if let Some(known) = &written[block] {
            // What is written on every way there.
            before.iter_mut().zip(known).for_each(|(it, &known)| *it &= known);
            if before == *known {
                continue;
            }
        }
        written[block] = Some(before.clone());
        for (instruction, &is_guarded) in
            kernel.blocks[block].instructions.iter().zip(&guarded[block])
        {
            for register in instruction.sources.iter().map(|&it| usize::from(it)) {
                needed[register] |= !before[register];
            }
            for register in instruction.destinations.iter().map(|&it| usize::from(it)) {
                before[register] |= !is_guarded;
            }
        }
        waiting.extend(edges[block].iter().map(|&next| (next as usize, before.clone())));
    }
    let files = [File::Words, File::Doubles, File::Predicates].into_iter().zip(program.registers);
    let all = files.flat_map(|(file, count)| (0..count).map(move |index| Register { file, index }));
    let is_needed = |register: &Register| {
        let number = usize::from(program.number(*register));
        needed[number] && !constants[number]
    };
    Some(all.filter(is_needed).collect())
}

/// For each block's instructions whether a predicate may switch them off.
fn guarded(kernel: &Code) -> Vec<Vec<bool>> {
    let mut guarded = vec![false; kernel.instructions().count()];
    for (place, &index) in kernel.program.code.iter().zip(&kernel.instruction_at) {
        guarded[index as usize] |= place.guard.get().is_some();
    }
    let mut guarded = guarded.into_iter();
    let blocks = kernel.blocks.iter();
    blocks.map(|block| guarded.by_ref().take(block.instructions.len()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Module;

    /// How many registers a kernel with this body may read first.
    fn read_first(body: &str) -> usize {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p) {{\n\
             .reg .pred %p<2>;\n.reg .b32 %r<6>;\nld.param.u32 %r1, [p];\nsetp.lt.u32 %p1, %r1, 9;\n{body}\nret;\n}}\n"
        );
        let module = Module::parse("k.ptx", &text).expect("valid PTX");
        registers(&module.kernel("k").expect("the kernel").code).expect("no calls").len()
    }

    #[test]
    fn a_way_on_which_nothing_is_written_is_found() {
        assert_eq!(read_first("add.u32 %r2, %r1, 1;add.u32 %r3, %r2, %r2;"), 0);
        assert_eq!(read_first("add.u32 %r3, %r2, 1;mov.u32 %r2, 1;"), 1);
        assert_eq!(read_first("@%p1 mov.u32 %r2, 1;add.u32 %r3, %r2, 1;"), 1);
        assert_eq!(read_first("@%p1 bra L;mov.u32 %r2, 1;L:add.u32 %r3, %r2, 1;"), 1);
        assert_eq!(
            read_first("@%p1 bra L;mov.u32 %r2, 1;bra M;L:mov.u32 %r2, 2;M:add.u32 %r3, %r2, 1;"),
            0
        );
        assert_eq!(
            read_first("mov.u32 %r2, 0;L:add.u32 %r2, %r2, 1;setp.lt.u32 %p1, %r2, 9;@%p1 bra L;"),
            0
        );
        assert_eq!(read_first("L:add.u32 %r2, %r2, 1;setp.lt.u32 %p1, %r2, 9;@%p1 bra L;"), 1);
    }
}
