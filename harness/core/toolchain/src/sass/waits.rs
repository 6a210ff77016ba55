//! What one warp alone waits for in each block: which registers its instructions write and read.

use simt::machine::order::{self, Issued, Waits};
use simt::machine::{MachineKind, Wait};

use super::listing::{Block, Function, Instruction};

/// The waits of each block.
pub(super) fn waits(function: &Function, blocks: &[Block]) -> Vec<Waits> {
    let next: Vec<Vec<usize>> = blocks.iter().map(|block| block.next.clone()).collect();
    let code = |block: usize| -> Vec<Issued<String>> {
        let instructions = &blocks[block].instructions;
        instructions.iter().map(|&place| issued(&function.instructions[place])).collect()
    };
    order::waits(&next, |block| blocks[block].slow_path, code)
}

fn issued(instruction: &Instruction) -> Issued<String> {
    let (written, read) = registers(instruction);
    let mut wait = Wait::of(&instruction.opcode);
    if wait == Wait::Barrier && instruction.base() != "BAR" {
        // Fences and the like take no turn of all warps.
        wait = Wait::Alu;
    }
    // Copies to shared memory give no register: they end at a barrier.
    let may_miss =
        matches!(instruction.base(), "LDG" | "LD" | "SULD") || is_sample(&instruction.opcode);
    Issued { written, read, wait, may_miss }
}

/// The registers that an instruction writes and reads. The first operand is written (and those predicates that stand
/// directly behind it), unless the instruction only reads.
fn registers(instruction: &Instruction) -> (Vec<String>, Vec<String>) {
    let kind = MachineKind::of(&instruction.opcode);
    let writes = !matches!(
        kind,
        MachineKind::StoreGlobal
            | MachineKind::StoreShared
            | MachineKind::Branch
            | MachineKind::Barrier
    ) && !matches!(instruction.base(), "RED" | "REDG" | "STL");
    let mut written = Vec::new();
    let mut read: Vec<String> = instruction.guard.iter().flat_map(|g| names(g, 1)).collect();
    let mut in_front = writes;
    let is_sample = is_sample(&instruction.opcode);
    let width = if is_sample && has_one_component(&instruction.operands) {
        1
    } else {
        width(&instruction.opcode)
    };
    for (index, operand) in instruction.operands.split(", ").enumerate() {
        let predicate = is_predicate(operand.trim());
        if in_front && (index == 0 || predicate || is_sample) {
            written.extend(names(operand, if predicate { 1 } else { width }));
            // Only comparisons write a second predicate, sums a carry, and samples a second pair of components.
            in_front = index == 0;
        } else {
            in_front = false;
            read.extend(names(operand, read_width(&instruction.opcode, index)));
        }
    }
    (written, read)
}

/// Whether the texture unit samples. What it gives are two pairs of components: the second operand is the first pair.
fn is_sample(opcode: &str) -> bool {
    matches!(opcode.split('.').next(), Some("TEX" | "TLD" | "TLD4"))
}

/// Whether a sample has its first component only: without a mask it has all four.
fn has_one_component(operands: &str) -> bool {
    operands.rsplit(", ").next().is_some_and(|last| last.trim() == "0x1")
}

/// Registers that a result takes.
fn width(opcode: &str) -> u32 {
    let modifiers = || opcode.split('.').skip(1);
    let matrices = opcode.starts_with("LDSM");
    if modifiers().any(|word| word == "128" || matrices && word == "4")
        || opcode.starts_with("HMMA") && modifiers().any(|word| word == "F32")
    {
        4
    } else if is_sample(opcode)
        || modifiers().any(|word| word == "64" || word == "WIDE" || matrices && word == "2")
        || opcode.starts_with("HMMA")
    {
        2
    } else {
        1
    }
}

/// Registers that the operand of this place takes, if it is read: several of matrices, and of what is stored together.
fn read_width(opcode: &str, place: usize) -> u32 {
    let has = |word: &str| opcode.split('.').any(|part| part == word);
    match place {
        1 | 2 if opcode.starts_with("HMMA") => {
            let first = if has("16816") || has("1688") && has("TF32") { 4 } else { 2 };
            first / place as u32
        }
        3 if opcode.starts_with("HMMA") => width(opcode),
        1 if has("F32x4") => 4,
        1 if has("F32x2") => 2,
        // A position.
        2 if is_sample(opcode) => 2,
        _ => 1,
    }
}

fn is_predicate(operand: &str) -> bool {
    let operand = operand.trim_start_matches('!');
    let operand = operand.strip_prefix('U').unwrap_or(operand);
    let number = operand.strip_prefix('P').unwrap_or("x");
    number == "T" || number.parse::<u32>().is_ok()
}

/// The registers that an operand names, e.g. R6 and R7 in `desc[UR4][R6.64+0x10]`; `width` of each at least.
fn names(operand: &str, width: u32) -> Vec<String> {
    let mut found = Vec::new();
    let words = operand.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    for word in words {
        let (name, modifiers) = word.split_once('.').unwrap_or((word, ""));
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (file, number) = name.split_at(digits);
        let Ok(number) = number.parse::<u32>() else { continue };
        if matches!(file, "R" | "UR" | "P" | "UP" | "B") {
            let width = if modifiers.contains("64") { 2 } else { width };
            found.extend((number..number + width).map(|number| format!("{file}{number}")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use simt::machine::Place;

    use super::*;

    #[test]
    fn matrices_and_texels_lie_in_several_registers() {
        let found = |opcode: &str, operands: &str| {
            let (opcode, operands) = (opcode.to_string(), operands.to_string());
            let (written, read) = registers(&Instruction {
                at: 0,
                place: Place::default(),
                guard: None,
                opcode,
                operands,
            });
            (written.join(" "), read.join(" "))
        };
        let told = |written: &str, read: &str| (written.to_string(), read.to_string());
        assert_eq!(
            found("HMMA.16816.F32", "R4, R8, R20, RZ"),
            told("R4 R5 R6 R7", "R8 R9 R10 R11 R20 R21")
        );
        assert_eq!(
            found("HMMA.1688.F32", "R4, R8, R20, R4"),
            told("R4 R5 R6 R7", "R8 R9 R20 R4 R5 R6 R7")
        );
        assert_eq!(
            found("HMMA.1688.F32.TF32", "R4, R8.reuse, R20, R4"),
            told("R4 R5 R6 R7", "R8 R9 R10 R11 R20 R21 R4 R5 R6 R7")
        );
        assert_eq!(found("LDSM.16.MT88.2", "R20, [R28]"), told("R20 R21", "R28"));
        assert_eq!(found("LDSM.16.M88.4", "R8, [R26]"), told("R8 R9 R10 R11", "R26"));
        assert_eq!(found("MOVM.16.MT88", "R8, R9"), told("R8", "R9"));
        assert_eq!(
            found("TEX.LL", "RZ, R7, R6, R0, UR4, 0x0, 2D, 0x1"),
            told("R7", "R6 R7 R0 UR4")
        );
        assert_eq!(
            found("TEX.LL", "R10, R8, R6, R9, UR4, 0x0, 2D"),
            told("R10 R11 R8 R9", "R6 R7 R9 UR4")
        );
        assert_eq!(
            found("REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU", "desc[UR4][R2.64], R4"),
            told("", "UR4 R2 R3 R4 R5 R6 R7")
        );
    }
}
