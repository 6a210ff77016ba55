//! Copies operands of texts to the results whose registers they share, before the fence of products if there is one.
//!
//! What threads write to a register of a product must come before a `wgmma.fence` (PTX ISA, "wgmma.fence"), and the source has
//! its fence before the text of the product. So copies go before it, as far as what they copy is known there.

use std::collections::HashSet;

use super::{Code, Form, Instruction, Piece, Register, move_of};
use crate::types::Class;

/// What texts of the fence have in them.
const FENCE: &str = "wgmma.fence";

pub(super) fn copy_operands(code: &mut Code) {
    for block in &mut code.blocks {
        let mut placed = Placed::default();
        for instruction in std::mem::take(&mut block.instructions) {
            copies(&instruction, &code.classes).for_each(|copy| placed.add(copy));
            placed.add(instruction);
        }
        block.instructions = placed.instructions;
    }
}

/// The copies that a text needs before it.
fn copies(instruction: &Instruction, classes: &[Class]) -> impl Iterator<Item = Instruction> {
    let tied = match &instruction.form {
        Form::Text { tied, .. } => tied.as_slice(),
        _ => &[],
    };
    tied.iter().map(|(result, operand)| {
        let to = instruction.results[*result];
        Instruction {
            form: Form::Fixed(move_of(classes[to as usize]).into()),
            results: vec![to],
            operands: vec![instruction.operands[*operand].clone()],
            location: instruction.location,
        }
    })
}

/// The instructions of a block so far.
#[derive(Default)]
struct Placed {
    instructions: Vec<Instruction>,
    /// Where the last fence is.
    fence: Option<usize>,
    /// What was read, and what was written, since then.
    read: HashSet<Register>,
    written: HashSet<Register>,
}

impl Placed {
    fn add(&mut self, instruction: Instruction) {
        if let Some(fence) = &mut self.fence
            && is_copy(&instruction)
            && instruction.reads().all(|from| !self.written.contains(&from))
            && !instruction
                .results
                .iter()
                .any(|to| self.read.contains(to) || self.written.contains(to))
        {
            self.instructions.insert(*fence, instruction);
            *fence += 1;
            return;
        }
        if is_fence(&instruction) {
            self.fence = Some(self.instructions.len());
            self.read.clear();
            self.written.clear();
        }
        self.read.extend(instruction.reads());
        self.written.extend(&instruction.results);
        self.instructions.push(instruction);
    }
}

fn is_copy(instruction: &Instruction) -> bool {
    matches!(&instruction.form, Form::Fixed(opcode) if opcode.starts_with("mov."))
}

fn is_fence(instruction: &Instruction) -> bool {
    let Form::Text { pieces, .. } = &instruction.form else { return false };
    pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(FENCE)))
}

#[cfg(test)]
mod tests {
    use super::super::{Block, End, Operand};
    use super::*;

    fn text(words: &str, results: &[Register], operands: &[Register], tied: bool) -> Instruction {
        Instruction {
            form: Form::Text {
                pieces: vec![Piece::Text(words.to_owned())],
                tied: if tied { vec![(0, 0)] } else { Vec::new() },
                has_effects: true,
            },
            results: results.to_vec(),
            operands: operands.iter().map(|it| Operand::Register(*it)).collect(),
            location: None,
        }
    }

    /// The texts, and for each copy its result and its operand.
    fn placed(instructions: Vec<Instruction>) -> Vec<String> {
        let block = Block { phis: Vec::new(), instructions, end: End::Exit, location: None };
        let mut code = Code { blocks: vec![block], classes: vec![Class::B32; 8] };
        copy_operands(&mut code);
        let shown = |it: &Instruction| match &it.form {
            Form::Text { pieces, .. } => match &pieces[0] {
                Piece::Text(text) => text.clone(),
                piece => format!("{piece:?}"),
            },
            _ => format!("{} = {:?}", it.results[0], it.operands[0].register()),
        };
        code.blocks[0].instructions.iter().map(shown).collect()
    }

    #[test]
    fn the_first_products_sum_is_copied_before_the_fence_and_the_next_ones_after_the_product() {
        let fence = || text("wgmma.fence.sync.aligned;", &[], &[], false);
        let first = text("first", &[1], &[0], true);
        let second = text("second", &[2], &[1], true);
        let copied = ["1 = Some(0)", "wgmma.fence.sync.aligned;", "first", "2 = Some(1)", "second"];
        assert_eq!(placed(vec![fence(), first.clone(), second]), copied);
        let late = text("late", &[0], &[], false);
        let stays = ["wgmma.fence.sync.aligned;", "late", "1 = Some(0)", "first"];
        assert_eq!(placed(vec![fence(), late, first.clone()]), stays);
        let reader = text("reader", &[], &[1], false);
        assert_eq!(
            placed(vec![fence(), reader, first]).iter().position(|it| it == "1 = Some(0)"),
            Some(2)
        );
    }
}
