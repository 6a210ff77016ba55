//! Strong loads whose address depends on what other strong loads or atomics have returned.

use std::collections::HashMap;

use program::{Code, Operation};

/// What returns such values has a number: loads that of their access, atomics theirs after the last of all accesses.
pub(super) type Source = usize;

/// By number of the access: of which sources its address may be computed. Neither loops nor branches count, only instructions
/// that turn one value into another.
pub(super) fn dependent(code: &Code) -> Vec<Vec<Source>> {
    let program = &code.program;
    // One bit for each source, by register.
    let words = (program.accesses.len() + program.atomics.len()).div_ceil(64);
    let mut found: HashMap<_, Vec<u64>> = HashMap::new();
    let mut add = |register, source: Source| {
        found.entry(register).or_insert_with(|| vec![0; words])[source / 64] |= 1 << (source % 64);
    };
    for instruction in &program.code {
        match instruction.operation {
            Operation::Load(k) if program.accesses[k as usize].strong => {
                let registers = program.accesses[k as usize].results();
                registers.for_each(|register| add(program.number(register), k as usize));
            }
            Operation::Atomic(k) => {
                let source = program.accesses.len() + k as usize;
                let registers = program.atomics[k as usize].results();
                registers.for_each(|register| add(program.number(register), source));
            }
            _ => {}
        }
    }
    loop {
        let mut has_changed = false;
        for instruction in code.instructions() {
            let mut all = vec![0; words];
            for sources in instruction.sources.iter().filter_map(|register| found.get(register)) {
                all.iter_mut().zip(sources).for_each(|(all, one)| *all |= one);
            }
            if all.iter().all(|&word| word == 0) {
                continue;
            }
            for register in &instruction.destinations {
                let own = found.entry(*register).or_insert_with(|| vec![0; words]);
                for (own, all) in own.iter_mut().zip(&all) {
                    has_changed |= *own | all != *own;
                    *own |= all;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    let sources = |access: &program::Access| {
        let bits = found.get(&program.number(access.address));
        let has =
            |source: &Source| bits.is_some_and(|bits| bits[source / 64] >> (source % 64) & 1 != 0);
        (0..64 * words).filter(has).collect()
    };
    program.accesses.iter().map(sources).collect()
}
