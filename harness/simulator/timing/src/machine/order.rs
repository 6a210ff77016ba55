//! What a warp alone waits for: an in-order issue of a kernel's blocks in their order.
//!
//! A warp issues its instructions in order, at most one a clock, each once its operands are there. So a clock in which
//! none is issued belongs to the instruction whose result is awaited. Results come after the nominal time of their kind
//! ([`Wait::nominal_clocks`]); what another GPU's model makes of the same waits is its own matter. The way is gone twice
//! at a time: by a warp that finds all its loads in L1, and by one that finds none there, for [`Wait::Miss`].

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::kind::Wait;

/// What is waited for in one execution of a block: times of each kind, at its nominal length.
pub type Waits = BTreeMap<Wait, f64>;

/// A machine instruction, as far as waiting goes. `R` names a register.
#[derive(Debug, Clone)]
pub struct Issued<R> {
    /// The registers that it writes.
    pub written: Vec<R>,
    /// The registers that it reads.
    pub read: Vec<R>,
    /// What the user of its result waits for.
    pub wait: Wait,
    /// Whether it loads what need not be in L1.
    pub may_miss: bool,
}

/// The waits of each block. `next` are the blocks that may follow each; those that `slow` holds for are not on the
/// ordinary way.
pub fn waits<R: Hash + Eq + Clone>(
    next: &[Vec<usize>],
    slow: impl Fn(usize) -> bool,
    code: impl Fn(usize) -> Vec<Issued<R>>,
) -> Vec<Waits> {
    let mut way = Vec::new();
    stretch(next, 0, next.len(), None, &mut way);
    way.retain(|&block| !slow(block));
    let mut warp = Warp::default();
    let mut found = vec![Waits::new(); next.len()];
    for (visit, &block) in way.iter().enumerate() {
        // The last visit counts: a loop's second turn finds what its first left behind.
        found[block].clear();
        warp.visit(next, (visit, block), &code(block), |_, wait, clocks| {
            *found[block].entry(wait).or_default() += clocks;
        });
    }
    for (block, clocks) in way.iter().zip(misses(next, &way, code)) {
        let longest = found[*block].entry(Wait::Miss).or_default();
        *longest = longest.max(clocks);
    }
    for stalls in &mut found {
        for (wait, clocks) in stalls.iter_mut() {
            // Two decimals: enough for a model, and short in a file.
            *clocks = (*clocks / wait.nominal_clocks() * 100.0).round() / 100.0;
        }
        stalls.retain(|_, times| *times > 0.0);
    }
    found
}

/// How long a warp waits for the loads of each visit, if all miss. Who needs what was loaded may stand in a block that is
/// left out elsewhere, so they belong to the block that loads.
fn misses<R: Hash + Eq + Clone>(
    next: &[Vec<usize>],
    way: &[usize],
    code: impl Fn(usize) -> Vec<Issued<R>>,
) -> Vec<f64> {
    let mut warp = Warp::default();
    let mut found = vec![0.0; way.len()];
    for (visit, &block) in way.iter().enumerate() {
        let mut instructions = code(block);
        for instruction in instructions.iter_mut().filter(|instruction| instruction.may_miss) {
            instruction.wait = Wait::Miss;
        }
        warp.visit(next, (visit, block), &instructions, |of, wait, clocks| {
            if wait == Wait::Miss {
                found[of] += clocks;
            }
        });
    }
    found
}

/// Adds the blocks from `start` to `end` to a warp's ordinary way: every block in order, and each loop twice. `inside`
/// is the first block of the loop that they are the body of, if any.
fn stretch(
    next: &[Vec<usize>],
    start: usize,
    end: usize,
    inside: Option<usize>,
    visits: &mut Vec<usize>,
) {
    let mut at = start;
    while at < end {
        // The block that closes the largest loop which begins here.
        match (at..end).rev().find(|&last| next[last].contains(&at)) {
            Some(latch) if inside != Some(at) => {
                for _ in 0..2 {
                    stretch(next, at, latch + 1, Some(at), visits);
                }
                at = latch + 1;
            }
            _ => {
                visits.push(at);
                at += 1;
            }
        }
    }
}

/// The state of a warp: the clock of its next issue, and when registers will be there.
struct Warp<R> {
    clock: f64,
    ready: HashMap<R, Pending>,
}

/// A result on its way.
#[derive(Clone, Copy)]
struct Pending {
    /// When it is there.
    clock: f64,
    /// What its user waits for.
    wait: Wait,
    /// The visit of a block in which it was issued.
    visit: usize,
}

impl<R> Default for Warp<R> {
    fn default() -> Warp<R> {
        Warp { clock: 0.0, ready: HashMap::new() }
    }
}

impl<R: Hash + Eq + Clone> Warp<R> {
    /// Issues the instructions of a block; `stalls` is called for each wait, and how long it takes, and the visit in which it
    /// has its cause.
    fn visit(
        &mut self,
        next: &[Vec<usize>],
        (visit, block): (usize, usize),
        instructions: &[Issued<R>],
        mut stalls: impl FnMut(usize, Wait, f64),
    ) {
        for instruction in instructions {
            let results = instruction.read.iter().filter_map(|register| self.ready.get(register));
            let last = results.copied().max_by(|one, other| one.clock.total_cmp(&other.clock));
            if let Some(awaited) = last.filter(|result| result.clock > self.clock) {
                stalls(awaited.visit, awaited.wait, awaited.clock - self.clock);
                self.clock = awaited.clock;
            }
            let wait = instruction.wait;
            let result = Pending { clock: self.clock + wait.nominal_clocks(), wait, visit };
            self.ready
                .extend(instruction.written.iter().map(|register| (register.clone(), result)));
            self.clock += 1.0;
            if wait == Wait::Barrier {
                self.wait(wait, visit, &mut stalls);
            }
        }
        // A branch is taken where the way leads backwards, or only elsewhere than to the block behind.
        let backwards = next[block].iter().any(|&to| to <= block);
        if backwards || matches!(next[block].as_slice(), [to] if *to != block + 1) {
            self.wait(Wait::Branch, visit, &mut stalls);
        }
    }

    fn wait(&mut self, wait: Wait, visit: usize, stalls: &mut impl FnMut(usize, Wait, f64)) {
        stalls(visit, wait, wait.nominal_clocks());
        self.clock += wait.nominal_clocks();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issued(written: &[u32], read: &[u32], wait: Wait) -> Issued<u32> {
        Issued {
            written: written.to_vec(),
            read: read.to_vec(),
            wait,
            may_miss: wait == Wait::Global,
        }
    }

    #[test]
    fn a_dependent_pair_waits_and_what_stands_between_hides_it() {
        // MUFU at clock 0, its user may go at 18: 17 clocks of waiting, or 16 with one instruction between.
        let mufu = || issued(&[1], &[], Wait::Mufu);
        let user = || issued(&[2], &[1], Wait::Alu);
        let other = || issued(&[3], &[], Wait::Alu);
        let alone = waits(&[vec![]], |_| false, |_| vec![mufu(), user()]);
        assert_eq!(alone[0], Waits::from([(Wait::Mufu, 0.94)]));
        let apart = waits(&[vec![]], |_| false, |_| vec![mufu(), other(), user()]);
        assert_eq!(apart[0], Waits::from([(Wait::Mufu, 0.89)]));
    }

    #[test]
    fn a_loop_waits_for_its_own_last_turn() {
        // A sum that needs itself: 4 clocks from issue to use, of which the branch back takes 8.
        let sum = || issued(&[1], &[1], Wait::Alu);
        let looped = waits(&[vec![0, 1], vec![]], |_| false, |_| vec![sum()]);
        assert_eq!(looped[0], Waits::from([(Wait::Branch, 1.0)]));
        // The block behind it needs the sum too; it is there by now.
        assert!(looped[1].is_empty());
    }

    #[test]
    fn loads_that_miss_wait_together_and_behind_what_is_loaded_ahead() {
        let load = |to: u32, from: u32| issued(&[to], &[from], Wait::Global);
        let sum = |of: u32| issued(&[9], &[9, of], Wait::Alu);
        // Two loads that do not need each other: one wait, for the later one.
        let found = waits(&[vec![]], |_| false, |_| vec![load(1, 0), load(2, 0), sum(1), sum(2)]);
        assert_eq!(found[0][&Wait::Miss], 1.0);
        // Each needs the one before.
        let found = waits(&[vec![]], |_| false, |_| vec![load(1, 0), load(2, 1), sum(2)]);
        assert_eq!(found[0][&Wait::Miss], 2.0);
        // Loaded ahead of 200 instructions: a third is hidden.
        let work = (0..200).map(|_| issued(&[], &[], Wait::Alu));
        let ahead: Vec<_> = [load(1, 0)].into_iter().chain(work).chain([sum(1)]).collect();
        let found = waits(&[vec![]], |_| false, |_| ahead.clone());
        assert_eq!(found[0][&Wait::Miss], 0.67);
    }

    #[test]
    fn a_miss_belongs_to_the_block_that_loads() {
        // Block 1 may be left out, with the first use of what block 0 loads.
        let next = [vec![1, 2], vec![2], vec![]];
        let load = issued(&[1], &[], Wait::Global);
        let sum = issued(&[9], &[1], Wait::Alu);
        let code = |block: usize| vec![[&load, &sum, &sum][block].clone()];
        let found = waits(&next, |_| false, code);
        assert_eq!(found[0][&Wait::Miss], 1.0);
        assert!(!found[1].contains_key(&Wait::Miss) && !found[2].contains_key(&Wait::Miss));
    }

    #[test]
    fn slow_paths_are_left_out() {
        let next = [vec![1, 2], vec![2], vec![]];
        let load =
            |block: usize| vec![issued(&[1], &[1], [Wait::Alu, Wait::Global, Wait::Alu][block])];
        let found = waits(&next, |block| block == 1, load);
        assert!(found[1].is_empty());
        assert_eq!(found[2], Waits::from([(Wait::Alu, 0.75)]));
    }
}
