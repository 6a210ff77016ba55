//! Strong loads whose address depends on what another strong load or an atomic has returned.

use std::collections::HashSet;

use program::{Code, Operation};

/// By number of the access: whether its address may be computed from such a value. Neither loops nor branches count, only
/// instructions that turn one value into another.
pub(super) fn dependent(code: &Code) -> Vec<bool> {
    let program = &code.program;
    let mut found = HashSet::new();
    for instruction in &program.code {
        match instruction.operation {
            Operation::Load(k) if program.accesses[k as usize].strong => {
                let access = &program.accesses[k as usize];
                let registers = access.results();
                found.extend(registers.map(|register| program.number(register)));
            }
            Operation::Atomic(k) => {
                let registers = program.atomics[k as usize].results();
                found.extend(registers.map(|register| program.number(register)));
            }
            _ => {}
        }
    }
    loop {
        let count = found.len();
        for instruction in code.instructions() {
            if instruction.sources.iter().any(|register| found.contains(register)) {
                found.extend(&instruction.destinations);
            }
        }
        if found.len() == count {
            break;
        }
    }
    let is = |access: &program::Access| found.contains(&program.number(access.address));
    program.accesses.iter().map(is).collect()
}
