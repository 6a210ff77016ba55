//! Loops that the assembler turned round: where the PTX tests in the middle of a loop's body, the machine code has the
//! part before the test once in front of the loop and once at its end. Then a loop of nothing but integer work, which is
//! found by its condition alone, seems to go round once more than it does: as often as the test is made.

use std::collections::BTreeMap;

use super::code::{MachineBlock, Mix, Place};
use super::kind::MachineKind;
use super::landmark::{Landmarks, TOLERANCE};
use program::Class;
use program::{Kernel, Summary};

/// Executions of loops of one block, found as `ran` by nothing but a condition, that go round once less in each entry:
/// then their integer instructions are about as many as those of the PTX, and else more.
pub(super) fn rotated(
    mix: &Mix,
    kernel: &Kernel,
    landmarks: &Landmarks,
    (ptx, ran): (&[f64], &[f64]),
) -> Vec<(usize, f64)> {
    let there = of_ptx(kernel, ptx);
    let found = |at: usize| {
        let block = &mix.blocks[at];
        let mut seen = landmarks.machine[at].iter();
        let is_candidate = block.next.contains(&at) && !block.slow_path;
        if !is_candidate || !seen.all(|(place, _)| landmarks.is_condition(*place)) {
            return None;
        }
        let before = |from: &usize| *from != at && mix.blocks[*from].next.contains(&at);
        let entries: f64 = (0..mix.blocks.len()).filter(before).map(|from| ran[from]).sum();
        let less = ran[at] - entries;
        let own = of_machine(block);
        // How many more than in the PTX there would be, on the lines of this block.
        let excess = |executions: f64| -> f64 {
            let of_line = |(line, count): (&Place, &f64)| {
                let all =
                    mix.blocks.iter().zip(ran).map(|(other, ran)| {
                        of_machine(other).get(line).copied().unwrap_or(0.0) * ran
                    });
                Some(all.sum::<f64>() + count * (executions - ran[at]) - there.get(line)?)
            };
            own.iter().filter_map(of_line).sum()
        };
        let lines = || own.keys().filter_map(|line| there.get(line));
        let is_too_often = excess(ran[at]) > TOLERANCE * lines().sum::<f64>();
        let is_nearer = excess(less).abs() < excess(ran[at]);
        (entries > 0.0 && less > 0.0 && is_too_often && is_nearer).then_some((at, less))
    };
    (0..mix.blocks.len()).filter_map(found).collect()
}

/// How many integer instructions ran of each line of which the PTX has nothing else that computes: the assembler makes one
/// of some of them, and never more than one of each.
fn of_ptx(kernel: &Kernel, ran: &[f64]) -> BTreeMap<Place, f64> {
    let mut lines: BTreeMap<Place, Option<f64>> = BTreeMap::new();
    for (block, ran) in kernel.blocks().iter().zip(ran) {
        for instruction in block.instructions.iter().filter(|it| it.class != Class::Move) {
            let line = lines.entry(Place::of(kernel, instruction)).or_insert(Some(0.0));
            *line = line.filter(|_| is_plain(instruction)).map(|count| count + ran);
        }
    }
    lines.into_iter().filter_map(|(line, count)| Some((line, count?))).collect()
}

/// Whether one machine instruction does it, alone or with others.
fn is_plain(instruction: &Summary) -> bool {
    let name = instruction.opcode.split('.').next().unwrap_or_default();
    instruction.class == Class::Integer
        && instruction.opcode.ends_with("32")
        && matches!(name, "add" | "sub" | "and" | "or" | "xor" | "not" | "shl" | "shr")
}

/// The integer instructions of a block by their lines, copies not counted.
fn of_machine(block: &MachineBlock) -> BTreeMap<Place, f64> {
    let mut lines = BTreeMap::new();
    for (line, opcode, count) in block.code.lines() {
        let computes =
            matches!(MachineKind::of(opcode), MachineKind::Integer | MachineKind::IntegerMul)
                && !opcode.contains(".MOV");
        if computes {
            *lines.entry(line.clone()).or_default() += f64::from(count);
        }
    }
    lines
}
