//! Registers of products that are under way: `wgmma` works on them while the threads go on (PTX ISA, "wgmma.fence",
//! "wgmma.commit_group", "wgmma.wait_group").
//!
//! A product's sums belong to it until `wait_group` has waited for its group, and its operands in registers must not change
//! before. What threads have written to any of these needs a `wgmma.fence` before the product. A `mov` only gives a register
//! another name: compilers make such copies, and remove them.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Code, Summary};
use crate::class::Class;

/// What is wrong with a register of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfinished {
    /// It is used although the product may be under way.
    Used,
    /// Threads have written it, and no fence comes between that and the product.
    Unfenced,
}

/// On some way to a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct State {
    /// Registers of products under way, each with the groups that were closed since; none if its own is open.
    under_way: BTreeMap<u16, Option<u64>>,
    /// Registers that threads have written since the last fence.
    written: BTreeSet<u16>,
}

impl State {
    /// Adds another way to the same place; whether that changes anything.
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (&register, &age) in &other.under_way {
            let own = self.under_way.entry(register).or_insert(age);
            // An open group is younger than all others.
            *own = (*own).min(age);
        }
        self.written.extend(&other.written);
        *self != before
    }

    /// Goes past an instruction; what is wrong there. `left` is how many groups it leaves under way, if it waits for some, and
    /// registers below `words` are those that hold sums and operands.
    fn pass(&mut self, instruction: &Summary, left: Option<u64>, words: u16) -> Option<Unfinished> {
        let opcode = instruction.opcode.as_str();
        match opcode.strip_prefix("wgmma.") {
            Some(rest) if rest.starts_with("mma_async") => {
                let all = instruction.sources.iter().chain(&instruction.destinations);
                let own = all.filter(|register| **register < words);
                let unfenced = own.clone().any(|register| self.written.contains(register));
                self.under_way.extend(own.map(|&register| (register, None)));
                return unfenced.then_some(Unfinished::Unfenced);
            }
            Some(rest) if rest.starts_with("fence") => self.written.clear(),
            Some(rest) if rest.starts_with("commit_group") => {
                for age in self.under_way.values_mut() {
                    *age = Some(age.map_or(0, |age| age + 1));
                }
            }
            Some(_) => {
                let left = left.unwrap_or(0);
                self.under_way.retain(|_, age| age.is_none_or(|age| age < left));
            }
            None => return self.use_by(instruction),
        }
        None
    }

    /// Any other instruction.
    fn use_by(&mut self, instruction: &Summary) -> Option<Unfinished> {
        let (from, to) = (&instruction.sources, &instruction.destinations);
        if let ([from], [to], Class::Move) = (from.as_slice(), to.as_slice(), instruction.class) {
            match self.under_way.get(from).copied() {
                Some(age) => self.under_way.insert(*to, age),
                None => self.under_way.remove(to),
            };
            if self.written.contains(from) || !self.under_way.contains_key(to) {
                self.written.insert(*to);
            }
            return None;
        }
        let used = from.iter().chain(to).any(|register| self.under_way.contains_key(register));
        self.written.extend(to);
        used.then_some(Unfinished::Used)
    }
}

/// For each basic block the place in the program of its first instruction that uses a product's register wrongly, on some
/// way there.
pub fn unfinished(kernel: &Code) -> Vec<Option<(u32, Unfinished)>> {
    let mut found = vec![None; kernel.blocks.len()];
    if !kernel.instructions().any(|instruction| instruction.opcode.starts_with("wgmma.mma_async")) {
        return found;
    }
    let edges = kernel.edges();
    let [words, ..] = kernel.program.registers;
    let waits = kernel.program.product_waits.iter();
    let waits: BTreeMap<u32, u64> =
        waits.map(|&(place, left)| (kernel.instruction_at[place as usize], left)).collect();
    let lengths = kernel.blocks.iter().map(|block| block.instructions.len() as u32);
    let firsts: Vec<u32> =
        lengths.scan(0, |sum, length| Some(std::mem::replace(sum, *sum + length))).collect();
    let pass = |state: &mut State, block: usize, at: usize| {
        let left = waits.get(&(firsts[block] + at as u32)).copied();
        state.pass(&kernel.blocks[block].instructions[at], left, words)
    };
    let mut before: Vec<Option<State>> = vec![None; kernel.blocks.len()];
    before[0] = Some(State::default());
    let mut open = vec![0];
    while let Some(block) = open.pop() {
        let Some(mut state) = before[block].clone() else { continue };
        for at in 0..kernel.blocks[block].instructions.len() {
            pass(&mut state, block, at);
        }
        for &next in &edges[block] {
            let place = &mut before[next as usize];
            let changes = match place {
                Some(known) => known.join(&state),
                None => {
                    *place = Some(state.clone());
                    true
                }
            };
            if changes {
                open.push(next as usize);
            }
        }
    }
    for (block, before) in before.into_iter().enumerate() {
        let Some(mut state) = before else { continue };
        let mut all = 0..kernel.blocks[block].instructions.len();
        found[block] = all.find_map(|at| {
            let wrong = pass(&mut state, block, at)?;
            let index = firsts[block] + at as u32;
            let place = kernel.instruction_at.iter().position(|&it| it == index)?;
            Some((place as u32, wrong))
        });
    }
    found
}
