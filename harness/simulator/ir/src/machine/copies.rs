//! Replaces phis by one register for the values that a phi joins, where they are never needed at the same time, and by copies
//! at the ends of blocks where they are.

use super::live::Live;
use super::{Code, Flow, Form, Instruction, Operand, Register};
use crate::types::Class;

/// The most pairs of registers that are compared before two groups stay apart.
const MOST_PAIRS: usize = 4096;

pub(super) fn replace_phis(code: &mut Code) {
    split_edges(code);
    let flow = Flow::of(code);
    let live = Live::of(code, &flow);
    let mut groups = Groups::new(code.classes.len());
    let mut blocks = flow.order.clone();
    // What is copied most often is joined first.
    blocks.sort_by_key(|block| std::cmp::Reverse(flow.depth[*block]));
    for block in &blocks {
        for phi in &code.blocks[*block].phis {
            let mut incoming: Vec<_> = phi.incoming.iter().collect();
            incoming.sort_by_key(|(from, _)| std::cmp::Reverse(flow.depth[*from]));
            for (_, operand) in incoming {
                if let Operand::Register(register) = operand {
                    groups.join(phi.result, *register, &live);
                }
            }
        }
    }
    code.rename(|register| groups.of[register as usize]);
    for block in blocks {
        let phis = std::mem::take(&mut code.blocks[block].phis);
        for from in &flow.before[block] {
            let copies = phis.iter().filter_map(|phi| {
                let (_, operand) = phi.incoming.iter().find(|(block, _)| block == from)?;
                (*operand != Operand::Register(phi.result)).then(|| (phi.result, operand.clone()))
            });
            let copies = ordered(copies.collect(), code);
            let location = code.blocks[*from].location;
            code.blocks[*from].instructions.extend(copies.into_iter().map(
                |(to, operand, class)| Instruction {
                    form: Form::Fixed(move_of(class).into()),
                    results: vec![to],
                    operands: vec![operand],
                    location,
                },
            ));
        }
    }
}

/// The instruction that copies a register.
pub(crate) fn move_of(class: Class) -> &'static str {
    match class {
        Class::Predicate => "mov.pred",
        Class::B16 => "mov.b16",
        Class::B32 => "mov.b32",
        Class::B64 => "mov.b64",
    }
}

/// Puts a block on each edge from one with several targets to one with phis.
fn split_edges(code: &mut Code) {
    for from in 0..code.blocks.len() {
        let targets = code.blocks[from].end.targets();
        if targets.len() < 2 {
            continue;
        }
        for to in targets {
            if !code.blocks[to].phis.is_empty() {
                code.split(from, to);
            }
        }
    }
}

/// Registers that become one, each known by one of them.
struct Groups {
    of: Vec<Register>,
    members: Vec<Vec<Register>>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        let all = 0..count as Register;
        Groups { of: all.clone().collect(), members: all.map(|it| vec![it]).collect() }
    }

    /// Makes one group of two, unless some of their registers are needed at the same time.
    fn join(&mut self, one: Register, other: Register, live: &Live) {
        let [one, other] = [one, other].map(|it| self.of[it as usize]);
        let (left, right) = (&self.members[one as usize], &self.members[other as usize]);
        if one == other || left.len() * right.len() > MOST_PAIRS {
            return;
        }
        if left.iter().any(|it| right.iter().any(|that| live.meet(*it, *that))) {
            return;
        }
        let moved = std::mem::take(&mut self.members[other as usize]);
        moved.iter().for_each(|it| self.of[*it as usize] = one);
        self.members[one as usize].extend(moved);
    }
}

/// Copies that happen at once, one after the other: what is still to be read is not overwritten; a ring is broken by a register
/// more.
fn ordered(mut open: Vec<(Register, Operand)>, code: &mut Code) -> Vec<(Register, Operand, Class)> {
    let mut done = Vec::new();
    while !open.is_empty() {
        let free = open
            .iter()
            .position(|(to, _)| open.iter().all(|(_, from)| from.register() != Some(*to)));
        if let Some(free) = free {
            let (to, from) = open.remove(free);
            done.push((to, from, code.classes[to as usize]));
            continue;
        }
        let (to, _) = open[0];
        let class = code.classes[to as usize];
        let saved = code.register(class);
        done.push((saved, Operand::Register(to), class));
        for (_, from) in &mut open {
            if *from == Operand::Register(to) {
                *from = Operand::Register(saved);
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_at_once_swap_and_rotate() {
        let mut code = Code { blocks: Vec::new(), classes: vec![Class::B32; 4] };
        let copies =
            [(0, 1), (1, 2), (2, 0), (3, 0)].map(|(to, from)| (to, Operand::Register(from)));
        let mut values: Vec<u32> = vec![10, 11, 12, 13, 0];
        for (to, from, _) in ordered(copies.to_vec(), &mut code) {
            values[to as usize] = values[from.register().unwrap() as usize];
        }
        assert_eq!(values[..4], [11, 12, 10, 10]);
    }
}
