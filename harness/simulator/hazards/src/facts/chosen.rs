//! Loads whose value is kept for some lanes only: a compiler may load a variable on a path on which nothing uses it, and select
//! another value afterwards.

use std::collections::HashMap;

use program::alu::Fast;
use program::registers::{File, Register};
use program::{Access, Kernel, Operation};
use ptx::Space;

/// The lanes that keep the value of a load: those for which this predicate has this value.
pub(crate) type Kept = (u16, bool);

/// For each load of local memory whose only use is a selection in its basic block, by a predicate that is known before.
pub(super) fn kept(kernel: &Kernel) -> Vec<(usize, Kept)> {
    let program = kernel.program();
    let mut loads = Vec::new();
    let is_local = |access: &Access| access.space == Space::Local && access.count == 1;
    for block in &program.blocks {
        for at in block.first..block.end {
            let Operation::Load(k) = program.code[at as usize].operation else { continue };
            let access = &program.accesses[k as usize];
            let Some(register) = access.results().next().filter(|_| is_local(access)) else {
                continue;
            };
            let selects = |place: &u32| {
                let instruction = &program.code[*place as usize];
                let file = match instruction.operation {
                    Operation::Fast(Fast::Select32 | Fast::SelectF32) => File::Words,
                    Operation::Fast(Fast::Select64 | Fast::SelectF64) => File::Doubles,
                    _ => return false,
                };
                let (a, b) = (instruction.operands.a, instruction.operands.b);
                file == register.file && (a == register.index) != (b == register.index)
            };
            loads.extend((at + 1..block.end).find(selects).map(|place| (at, place, register)));
        }
    }
    if loads.is_empty() {
        return Vec::new();
    }
    let mut uses = HashMap::new();
    for id in kernel.instructions().flat_map(|it| &it.sources) {
        *uses.entry(*id).or_insert(0) += 1;
    }
    let found = loads.into_iter().filter_map(|(at, place, register)| {
        let operands = program.code[place as usize].operands;
        let (a, predicate) = (operands.a, operands.c);
        let chooser = program.number(Register { file: File::Predicates, index: predicate });
        let is_changed =
            (at..place).any(|it| kernel.instruction(it).destinations.contains(&chooser));
        let is_only = uses.get(&program.number(register)) == Some(&1);
        (is_only && !is_changed).then_some((at as usize, (predicate, a == register.index)))
    });
    found.collect()
}
