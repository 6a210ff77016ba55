//! What a warp alone waits for: an in-order issue of a kernel's blocks in their order.
//!
//! A warp issues its instructions in order, at most one a clock, each once its operands are there. So a clock in which
//! none is issued belongs to the instruction whose result is awaited. Results come after the nominal time of their kind
//! ([`Wait::nominal_clocks`]); what another GPU's model makes of the same waits is its own matter.

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
}

/// The waits of each block. `next` are the blocks that may follow each; those that `slow` holds for are not on the
/// ordinary way.
pub fn waits<R: Hash + Eq + Clone>(
    next: &[Vec<usize>],
    slow: impl Fn(usize) -> bool,
    code: impl Fn(usize) -> Vec<Issued<R>>,
) -> Vec<Waits> {
    let mut warp = Warp::default();
    let mut found = vec![Waits::new(); next.len()];
    let mut visits = Vec::new();
    stretch(next, 0, next.len(), None, &mut visits);
    for block in visits.into_iter().filter(|&block| !slow(block)) {
        let mut stalls = Waits::new();
        for instruction in code(block) {
            warp.issue(instruction, &mut stalls);
        }
        // A branch is taken where the way leads backwards, or only elsewhere than to the block behind.
        let backwards = next[block].iter().any(|&to| to <= block);
        if backwards || matches!(next[block].as_slice(), [to] if *to != block + 1) {
            warp.wait(Wait::Branch, &mut stalls);
        }
        // The last visit counts: a loop's second turn finds what its first left behind.
        found[block] = stalls;
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
    ready: HashMap<R, (f64, Wait)>,
}

impl<R> Default for Warp<R> {
    fn default() -> Warp<R> {
        Warp { clock: 0.0, ready: HashMap::new() }
    }
}

impl<R: Hash + Eq> Warp<R> {
    fn issue(&mut self, instruction: Issued<R>, stalls: &mut Waits) {
        let awaited = instruction
            .read
            .iter()
            .filter_map(|register| self.ready.get(register).copied())
            .max_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((clock, wait)) = awaited.filter(|(clock, _)| *clock > self.clock) {
            *stalls.entry(wait).or_default() += clock - self.clock;
            self.clock = clock;
        }
        let wait = instruction.wait;
        let there = self.clock + wait.nominal_clocks();
        self.ready
            .extend(instruction.written.into_iter().map(|register| (register, (there, wait))));
        self.clock += 1.0;
        if wait == Wait::Barrier {
            self.wait(wait, stalls);
        }
    }

    fn wait(&mut self, wait: Wait, stalls: &mut Waits) {
        *stalls.entry(wait).or_default() += wait.nominal_clocks();
        self.clock += wait.nominal_clocks();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issued(written: &[u32], read: &[u32], wait: Wait) -> Issued<u32> {
        Issued { written: written.to_vec(), read: read.to_vec(), wait }
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
    fn slow_paths_are_left_out() {
        let next = [vec![1, 2], vec![2], vec![]];
        let load =
            |block: usize| vec![issued(&[1], &[1], [Wait::Alu, Wait::Global, Wait::Alu][block])];
        let found = waits(&next, |block| block == 1, load);
        assert!(found[1].is_empty());
        assert_eq!(found[2], Waits::from([(Wait::Alu, 0.75)]));
    }
}
