//! Registers that a thread may read before it has written them.
//!
//! All others need no value when a block begins: what an earlier block left in them is never seen.

use fixedbitset::FixedBitSet;

use super::code::{Code, Summary};
use crate::class::Class;
use crate::registers::{File, Register};

/// Registers that may be read before they are written: on some path to a read, no instruction without a guard writes them.
/// Constants are left out, and so are registers of the simulator that only pass a value on within an instruction or carry
/// from one to the next. `None` if the kernel has functions that it calls: calls are not followed.
pub fn registers(kernel: &Code) -> Option<Vec<Register>> {
    let program = &kernel.program;
    let written = written(kernel, Ways::All)?;
    let constants = constants(kernel);
    let mut needed = FixedBitSet::with_capacity(constants.len());
    let guarded = guarded(kernel);
    for (at, before) in written.into_iter().enumerate() {
        let Some(mut before) = before else { continue };
        for (instruction, &is_guarded) in kernel.blocks[at].instructions.iter().zip(&guarded[at]) {
            for register in instruction.sources.iter().map(|&it| usize::from(it)) {
                if !before[register] {
                    needed.insert(register);
                }
            }
            writes(&mut before, instruction, !is_guarded);
        }
    }
    let files = [File::Words, File::Doubles, File::Predicates].into_iter().zip(program.registers);
    let all = files.flat_map(|(file, count)| (0..count).map(move |index| Register { file, index }));
    let is_needed = |register: &Register| {
        let number = usize::from(program.number(*register));
        needed[number] && !constants[number]
    };
    Some(all.filter(is_needed).collect())
}

/// For each basic block the place in the program of its first instruction that reads a register which no instruction
/// writes on any way there: what it reads is undefined. A read that a predicate may switch off is none. Calls are not
/// followed: nothing is found where there are some.
pub fn undefined_reads(kernel: &Code) -> Vec<Option<u32>> {
    let Some(written) = written(kernel, Ways::Any) else { return vec![None; kernel.blocks.len()] };
    let guarded = guarded(kernel);
    let place = |index: usize| {
        kernel.instruction_at.iter().position(|&it| it as usize == index).map(|place| place as u32)
    };
    let mut first = 0;
    let mut found = Vec::new();
    for (at, before) in written.into_iter().enumerate() {
        let block = &kernel.blocks[at].instructions;
        let undefined = before.and_then(|mut before| {
            block.iter().zip(&guarded[at]).position(|(instruction, &is_guarded)| {
                let is_undefined = |it: &u16| !before[usize::from(*it)];
                let sources = &instruction.sources;
                // A packed register has a part that is needed and one that nobody reads.
                let is_packed = instruction.class == Class::Move && sources.len() > 1;
                let reads = match is_packed {
                    true => sources.iter().all(is_undefined),
                    false => sources.iter().any(is_undefined),
                };
                writes(&mut before, instruction, true);
                reads && !is_guarded
            })
        });
        found.push(undefined.and_then(|index| place(first + index)));
        first += block.len();
    }
    found
}

/// On which of the ways to a block a register must be written to count as written there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// On each; what a predicate may switch off does not count.
    All,
    /// On one at least.
    Any,
}

/// For each basic block, by their numbers, the registers that are written before it, constants among them; `None` for one
/// that nothing leads to, and where there are calls.
fn written(kernel: &Code, ways: Ways) -> Option<Vec<Option<FixedBitSet>>> {
    if !kernel.program.functions.is_empty() {
        return None;
    }
    let constants = constants(kernel);
    let edges = kernel.edges();
    let own: Vec<FixedBitSet> = kernel
        .blocks
        .iter()
        .zip(guarded(kernel))
        .map(|(block, guarded)| {
            let mut own = FixedBitSet::with_capacity(constants.len());
            for (instruction, is_guarded) in block.instructions.iter().zip(guarded) {
                writes(&mut own, instruction, ways == Ways::Any || !is_guarded);
            }
            own
        })
        .collect();
    let mut written: Vec<Option<FixedBitSet>> = vec![None; edges.len()];
    written[0] = Some(constants);
    let mut waiting = vec![0];
    while let Some(block) = waiting.pop() {
        let mut after = written[block].clone()?;
        after.union_with(&own[block]);
        for next in edges[block].iter().map(|&next| next as usize) {
            match (&mut written[next], ways) {
                (None, _) => written[next] = Some(after.clone()),
                (Some(known), Ways::All) if !known.is_subset(&after) => {
                    known.intersect_with(&after);
                }
                (Some(known), Ways::Any) if !known.is_superset(&after) => known.union_with(&after),
                _ => continue,
            }
            waiting.push(next);
        }
    }
    Some(written)
}

/// Adds what an instruction writes, if that counts.
fn writes(written: &mut FixedBitSet, instruction: &Summary, counts: bool) {
    if counts {
        written.extend(instruction.destinations.iter().map(|&it| usize::from(it)));
    }
}

/// By their numbers which registers need no instruction that writes them: those of constants, and those that only pass a
/// value on within an instruction.
fn constants(kernel: &Code) -> FixedBitSet {
    let program = &kernel.program;
    let count = program.registers.into_iter().map(usize::from).sum();
    let held = program.constants.iter().map(|(register, _)| register).chain(&program.scratch);
    let mut constants = FixedBitSet::with_capacity(count);
    constants.extend(held.map(|&register| usize::from(program.number(register))));
    constants
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
    fn a_register_that_no_way_writes_is_undefined() {
        let undefined = |body: &str| {
            let text = format!(
                ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p) {{\n\
                 .reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .b64 %rd<2>;\nld.param.u32 %r1, [p];\n\
                 setp.lt.u32 %p1, %r1, 9;\n{body}\nret;\n}}\n"
            );
            let module = Module::parse("k.ptx", &text).expect("valid PTX");
            let code = &module.kernel("k").expect("the kernel").code;
            let places = undefined_reads(code).into_iter().flatten();
            places.map(|place| code.instruction(place).line).collect::<Vec<u32>>()
        };
        assert_eq!(undefined("add.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, %r2;"), []);
        assert_eq!(undefined("add.u32 %r3, %r2, 1;\nmov.u32 %r2, 1;"), [10]);
        assert_eq!(undefined("mov.b64 %rd1, {%r1, %r2};"), [], "nobody may read the upper half");
        assert_eq!(undefined("mov.b64 %rd1, {%r2, %r3};"), [10]);
        assert_eq!(undefined("@%p1 mov.u32 %r2, 1;\nadd.u32 %r3, %r2, 1;"), []);
        assert_eq!(undefined("@%p1 add.u32 %r3, %r2, 1;"), []);
        assert_eq!(undefined("@%p1 bra L;\nmov.u32 %r2, 1;\nL:\nadd.u32 %r3, %r2, 1;"), []);
        assert_eq!(undefined("@%p1 bra L;\nmov.u32 %r3, %r2;\nL:\nmov.u32 %r2, 1;"), [11]);
        let in_a_loop = "L:\nadd.u32 %r3, %r2, 1;\nmov.u32 %r2, 1;\n@%p1 bra L;";
        assert_eq!(undefined(in_a_loop), [], "a later round has written it");
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
