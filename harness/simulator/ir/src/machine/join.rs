//! Computes nothing twice, and nothing in a loop that could be computed before it.

use std::collections::HashMap;

use super::{Code, Flow, Form, Instruction, Operand, Register};
use crate::types::Class;

/// What an instruction computes.
type Key = (std::borrow::Cow<'static, str>, Vec<Operand>, Class);

pub(super) fn join(code: &mut Code) {
    let flow = Flow::of(code);
    // The block that writes a register, the entry for those that nobody writes.
    let mut home = vec![0; code.classes.len()];
    let mut same: Vec<Register> = (0..code.classes.len() as Register).collect();
    let mut known: HashMap<Key, Vec<(usize, Register)>> = HashMap::new();
    for block in &flow.order {
        for phi in &code.blocks[*block].phis {
            home[phi.result as usize] = *block;
        }
        for mut instruction in std::mem::take(&mut code.blocks[*block].instructions) {
            for operand in &mut instruction.operands {
                if let Some(register) = operand.register_mut() {
                    *register = same[*register as usize];
                }
            }
            let target = place(&flow, &home, &instruction, *block);
            if let (Form::Pure(opcode), [result]) =
                (&instruction.form, instruction.results.as_slice())
            {
                let class = code.classes[*result as usize];
                let key = (opcode.clone(), instruction.operands.clone(), class);
                let equals = known.entry(key).or_default();
                if let Some((_, equal)) = equals.iter().find(|(at, _)| flow.dominates(*at, target))
                {
                    same[*result as usize] = *equal;
                    continue;
                }
                equals.push((target, *result));
            }
            for result in &instruction.results {
                home[*result as usize] = target;
            }
            code.blocks[target].instructions.push(instruction);
        }
    }
    for block in &mut code.blocks {
        for phi in &mut block.phis {
            for (_, operand) in &mut phi.incoming {
                if let Some(register) = operand.register_mut() {
                    *register = same[*register as usize];
                }
            }
        }
        if let super::End::Branch { predicate, .. } = &mut block.end {
            *predicate = same[*predicate as usize];
        }
    }
}

/// The block with the fewest loops around it among those where an instruction's operands are known.
fn place(flow: &Flow, home: &[usize], instruction: &Instruction, block: usize) -> usize {
    let mut best = block;
    if !instruction.is_pure() || is_special(instruction) {
        return best;
    }
    let mut at = block;
    while instruction.reads().all(|it| flow.dominates(home[it as usize], at)) {
        if flow.depth[at] < flow.depth[best] {
            best = at;
        }
        if at == flow.dominator[at] {
            break;
        }
        at = flow.dominator[at];
    }
    best
}

/// Whether it only reads a special register, which is as cheap anywhere.
fn is_special(instruction: &Instruction) -> bool {
    matches!(instruction.operands.as_slice(), [Operand::Name(name)] if name.starts_with('%'))
}
