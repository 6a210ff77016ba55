//! Registers of products that are under way: `wgmma` works on them while the threads go on (PTX ISA, "wgmma.fence",
//! "wgmma.commit_group", "wgmma.wait_group").
//!
//! A product's sums belong to it until `wait_group` has waited for its group, and its operands in registers must not change
//! before. What threads have written to any of these needs a `wgmma.fence` before the product, and so does the first product of
//! all. Reads are not looked at, since a compiler that knows nothing of the fence may move them behind it. A `mov` only gives a
//! register another name: compilers make such copies, and remove them.

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

/// The age of a register of no product.
const FREE: u8 = u8::MAX;

/// On some way to a place, by register.
#[derive(Clone)]
struct State {
    /// How many groups the products under way have closed since one that has this register, its own among them; [`FREE`] if
    /// there is none.
    ages: Vec<u8>,
    /// Whether threads have written it since the last fence, or there was none.
    written: Vec<bool>,
}

impl State {
    fn new(registers: usize) -> State {
        State { ages: vec![FREE; registers], written: vec![true; registers] }
    }

    /// Adds another way to the same place; whether that changes anything.
    fn join(&mut self, other: &State) -> bool {
        let mut changes = false;
        // The youngest product is waited for last.
        for (own, &age) in self.ages.iter_mut().zip(&other.ages) {
            changes |= age < *own;
            *own = age.min(*own);
        }
        for (own, &is_written) in self.written.iter_mut().zip(&other.written) {
            changes |= is_written && !*own;
            *own |= is_written;
        }
        changes
    }

    /// Goes past an instruction; what is wrong there. `left` is how many groups it leaves under way, if it waits for some, and
    /// registers below `words` are those that hold sums and operands.
    fn pass(&mut self, instruction: &Summary, left: Option<u64>, words: u16) -> Option<Unfinished> {
        let opcode = instruction.opcode.as_str();
        match opcode.strip_prefix("wgmma.") {
            Some(rest) if rest.starts_with("mma_async") => {
                let is_word = |register: &&u16| **register < words;
                let sums = instruction.destinations.iter().filter(is_word);
                // The metadata of a sparse product, which come after the sums, need neither fence nor wait.
                let metadata = rest.contains(".sp.").then_some(sums.clone().count());
                let sources = instruction.sources.iter().filter(is_word).enumerate();
                let sources = sources.filter(|(at, _)| Some(*at) != metadata).map(|(_, it)| it);
                let own = sources.chain(sums).map(|it| usize::from(*it));
                let unfenced = own.clone().any(|register| self.written[register]);
                own.for_each(|register| self.ages[register] = 0);
                return unfenced.then_some(Unfinished::Unfenced);
            }
            Some(rest) if rest.starts_with("fence") => self.written.fill(false),
            Some(rest) if rest.starts_with("commit_group") => {
                for age in self.ages.iter_mut().filter(|age| **age != FREE) {
                    *age = age.saturating_add(1).min(FREE - 1);
                }
            }
            Some(_) => {
                let left = left.unwrap_or(0);
                for age in self.ages.iter_mut().filter(|age| u64::from(**age) > left) {
                    *age = FREE;
                }
            }
            None => return self.use_by(instruction),
        }
        None
    }

    /// Any other instruction.
    fn use_by(&mut self, instruction: &Summary) -> Option<Unfinished> {
        let (from, to) = (&instruction.sources, &instruction.destinations);
        if let ([from], [to], Class::Move) = (from.as_slice(), to.as_slice(), instruction.class) {
            let (from, to) = (usize::from(*from), usize::from(*to));
            self.ages[to] = self.ages[from];
            self.written[to] |= self.written[from] || self.ages[to] == FREE;
            return None;
        }
        let is_used = |register: &u16| self.ages[usize::from(*register)] != FREE;
        let used = from.iter().chain(to).any(is_used);
        to.iter().for_each(|register| self.written[usize::from(*register)] = true);
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
    let named = kernel.instructions().flat_map(|it| it.sources.iter().chain(&it.destinations));
    let registers = named.max().map_or(0, |&last| usize::from(last) + 1);
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
    before[0] = Some(State::new(registers));
    // Mostly in the order of the program: what comes before a place is known when it is looked at.
    let mut open = BTreeSet::from([0]);
    while let Some(block) = open.pop_first() {
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
                open.insert(next as usize);
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
