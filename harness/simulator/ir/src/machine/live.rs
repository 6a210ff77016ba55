//! Where registers are needed, and which are needed at the same time.

use std::collections::HashMap;

use super::{Code, End, Flow, Form, Operand, Register};

/// A set of registers.
type Bits = Vec<u64>;

/// Where a register is written: a block, and a place in it.
type Place = (usize, usize);

/// Of a function without edges from a block with several targets to one with phis.
pub(super) struct Live {
    at_start: Vec<Bits>,
    at_end: Vec<Bits>,
    written: Vec<Option<Place>>,
    /// The last place in a block where a register is read.
    read: HashMap<(Register, usize), usize>,
}

impl Live {
    pub fn of(code: &Code, flow: &Flow) -> Live {
        let words = code.classes.len().div_ceil(64);
        let empty = vec![vec![0; words]; code.blocks.len()];
        let mut live = Live {
            at_start: empty.clone(),
            at_end: empty.clone(),
            written: vec![None; code.classes.len()],
            read: HashMap::new(),
        };
        let (mut used, mut defined) = (empty.clone(), empty);
        for block in &flow.order {
            live.note(code, *block, &mut used[*block], &mut defined[*block]);
        }
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for block in flow.order.iter().rev() {
                let mut end = live.at_end[*block].clone();
                for next in code.blocks[*block].end.targets() {
                    for phi in &code.blocks[next].phis {
                        let incoming = phi.incoming.iter().filter(|(from, _)| from == block);
                        incoming.filter_map(|it| it.1.register()).for_each(|it| set(&mut end, it));
                    }
                    end.iter_mut().zip(&live.at_start[next]).for_each(|(to, from)| *to |= from);
                }
                let parts = end.iter().zip(&used[*block]).zip(&defined[*block]);
                let start: Bits =
                    parts.map(|((end, used), defined)| used | end & !defined).collect();
                is_changed |= start != live.at_start[*block] || end != live.at_end[*block];
                (live.at_start[*block], live.at_end[*block]) = (start, end);
            }
        }
        live
    }

    /// Notes what a block reads before it writes it, and what it writes. The instruction `i` reads at `2 i + 1`.
    fn note(&mut self, code: &Code, block: usize, used: &mut Bits, defined: &mut Bits) {
        let content = &code.blocks[block];
        for phi in &content.phis {
            self.written[phi.result as usize] = Some((block, 0));
            set(defined, phi.result);
        }
        for (at, instruction) in content.instructions.iter().enumerate() {
            let is_text = matches!(instruction.form, Form::Text { .. });
            for register in instruction.reads() {
                // A text may read after it has written.
                self.read.insert((register, block), 2 * at + if is_text { 3 } else { 1 });
                if !has(defined, register) {
                    set(used, register);
                }
            }
            for result in &instruction.results {
                self.written[*result as usize] = Some((block, 2 * at + 2));
                set(defined, *result);
            }
        }
        if let End::Branch { predicate, .. } = content.end {
            self.read.insert((predicate, block), usize::MAX);
            if !has(defined, predicate) {
                set(used, predicate);
            }
        }
    }

    /// Whether two registers hold values that are needed at the same time.
    pub fn meet(&self, one: Register, other: Register) -> bool {
        self.is_needed_where_written(one, other) || self.is_needed_where_written(other, one)
    }

    /// Whether `one` is needed after the place where `other` is written.
    fn is_needed_where_written(&self, one: Register, other: Register) -> bool {
        let (Some((home, place)), Some((block, at))) =
            (self.written[one as usize], self.written[other as usize])
        else {
            return true;
        };
        let is_known = match home == block {
            true => place <= at,
            false => has(&self.at_start[block], one),
        };
        let is_read = self.read.get(&(one, block)).is_some_and(|read| *read > at);
        is_known && (place == at && home == block || is_read || has(&self.at_end[block], one))
    }
}

fn set(bits: &mut Bits, register: Register) {
    bits[register as usize / 64] |= 1 << (register % 64);
}

fn has(bits: &Bits, register: Register) -> bool {
    bits[register as usize / 64] >> (register % 64) & 1 == 1
}

impl Code {
    /// Replaces registers everywhere.
    pub(super) fn rename(&mut self, name: impl Fn(Register) -> Register) {
        let rename = |operand: &mut Operand| {
            if let Some(register) = operand.register_mut() {
                *register = name(*register);
            }
        };
        for block in &mut self.blocks {
            for phi in &mut block.phis {
                phi.result = name(phi.result);
                phi.incoming.iter_mut().for_each(|(_, operand)| rename(operand));
            }
            for instruction in &mut block.instructions {
                instruction.operands.iter_mut().for_each(rename);
                instruction.results.iter_mut().for_each(|it| *it = name(*it));
            }
            if let End::Branch { predicate, .. } = &mut block.end {
                *predicate = name(*predicate);
            }
        }
    }
}
