//! How often each machine block ran, from how often the PTX blocks did.

use std::collections::BTreeMap;

use super::Mix;
use super::align::align;
use super::flow::Flow;
use super::landmark::{Landmarks, Seen};
use crate::{Events, Kernel, cfg};

/// Executions of each block of `mix` in a launch that the simulator counted as `events`.
pub(super) fn executions(mix: &Mix, kernel: &Kernel, events: &Events) -> Vec<f64> {
    let ran: Vec<f64> = events.blocks.iter().map(|block| block.executions as f64).collect();
    let landmarks = Landmarks::of(kernel.blocks(), &mix.blocks);
    let next: Vec<Vec<usize>> = mix.blocks.iter().map(|block| block.next.clone()).collect();
    let flow = Flow::of(&next);
    // Slow paths are not looked at, and PTX blocks without landmarks tell nothing.
    let machine: Vec<usize> =
        (0..mix.blocks.len()).filter(|&block| !mix.blocks[block].slow_path).collect();
    let ptx: Vec<usize> = (0..ran.len().min(landmarks.ptx.len()))
        .filter(|&block| !landmarks.ptx[block].is_empty())
        .collect();
    let settling = Settling { landmarks: &landmarks, flow: &flow, ran: &ran, kernel };
    let mut found: Vec<Option<f64>> =
        mix.blocks.iter().map(|block| block.slow_path.then_some(0.0)).collect();
    for pair in align(&landmarks, &machine, &ptx) {
        let (machine, ptx) = (&machine[pair.machine], &ptx[pair.ptx]);
        for (block, executions) in settling.settle(machine, ptx) {
            found[block] = Some(executions);
        }
    }
    fill(&flow, &next, ran.first().copied().unwrap_or(0.0), &mut found)
}

/// What is needed to tell how often the machine blocks of a pair ran.
struct Settling<'a> {
    landmarks: &'a Landmarks,
    flow: &'a Flow,
    ran: &'a [f64],
    kernel: &'a Kernel,
}

/// Machine blocks of one loop that stand for the same PTX block, and how many copies of it they hold.
struct Unit {
    blocks: Vec<usize>,
    copies: f64,
}

impl Settling<'_> {
    /// Executions of those blocks of `machine` that have landmarks in common with `ptx`.
    fn settle(&self, machine: &[usize], ptx: &[usize]) -> Vec<(usize, f64)> {
        match (machine, ptx) {
            (_, &[ptx]) => self.settle_run(machine, ptx),
            (&[machine], _) => {
                let executions = self.settle_merged(machine, ptx);
                executions.map(|executions| (machine, executions)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// One machine block for several PTX blocks.
    fn settle_merged(&self, machine: usize, ptx: &[usize]) -> Option<f64> {
        let seen = &self.landmarks.machine;
        let here = self.sum(seen, &[machine]);
        let copies = self.landmarks.copies(&here, &self.sum(&self.landmarks.ptx, ptx))?;
        Some(if copies > 0.6 {
            // A short `if` became predicated instructions, which are issued whether or not they are switched off.
            ptx.iter().map(|&block| self.ran[block]).fold(0.0, f64::max)
        } else {
            // The PTX was unrolled and the machine code is not: each of its copies is one execution here.
            let times = |&block: &usize| {
                let there = self.sum(&self.landmarks.ptx, &[block]);
                let copies = self.landmarks.copies(&here, &there)?;
                Some(self.ran[block] / copies.min(1.0))
            };
            ptx.iter().filter_map(times).sum()
        })
    }

    /// Several machine blocks, or one, for one PTX block.
    fn settle_run(&self, machine: &[usize], ptx: usize) -> Vec<(usize, f64)> {
        let there = self.sum(&self.landmarks.ptx, &[ptx]);
        let mut by_loop: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for &block in machine {
            // Blocks with nothing in common follow from the others later.
            if self.landmarks.copies(&self.sum(&self.landmarks.machine, &[block]), &there).is_some()
            {
                by_loop.entry(self.flow.innermost[block]).or_default().push(block);
            }
        }
        let mut units: Vec<Unit> = by_loop
            .into_values()
            .filter_map(|blocks| {
                let here = self.sum(&self.landmarks.machine, &blocks);
                let copies = self.landmarks.copies(&here, &there)?;
                // Half and less is a copy of an unrolled block; what is near one is one whose sequences differ a little.
                let copies = if copies > 0.6 { copies.round() } else { copies };
                Some(Unit { blocks, copies })
            })
            .collect();
        units.sort_by(|one, other| other.copies.total_cmp(&one.copies));
        let turns = self.turns(&units, ptx);
        let each = units.iter().zip(turns);
        each.flat_map(|(unit, turns)| unit.blocks.iter().map(move |&block| (block, turns)))
            .collect()
    }

    /// Executions of each unit, largest first. If there are several, the assembler unrolled a loop: the unit with most
    /// copies takes as many turns as fit into one entry of the loop, the next what is left.
    fn turns(&self, units: &[Unit], ptx: usize) -> Vec<f64> {
        let all = self.ran[ptx];
        let entries = match entries(self.kernel, self.ran, ptx) {
            Some(entries) if units.len() > 1 => entries,
            _ => {
                let copies: f64 = units.iter().map(|unit| unit.copies).sum();
                return units.iter().map(|_| all / copies).collect();
            }
        };
        let mut left = all / entries;
        let last = units.len() - 1;
        let turns = units.iter().enumerate().map(|(index, unit)| {
            let turns = left / unit.copies;
            let turns = if index == last { turns } else { turns.floor() };
            left -= turns * unit.copies;
            turns * entries
        });
        turns.collect()
    }

    /// The landmarks of some blocks together.
    fn sum(&self, seen: &[Seen], blocks: &[usize]) -> Vec<u32> {
        let mut together = vec![0; self.landmarks.count()];
        for &(place, count) in blocks.iter().flat_map(|&block| &seen[block]) {
            together[place] += count;
        }
        together
    }
}

/// How often the innermost loop around a PTX block is entered; none if it is in none, or never.
fn entries(kernel: &Kernel, ran: &[f64], block: usize) -> Option<f64> {
    let next = successors(kernel);
    let head = Flow::of(&next).innermost[block]?;
    // Warps enter the loop where they come to its head otherwise than from inside: from a block before it.
    let outside = |from: &usize| next[*from].contains(&head) && *from < head;
    let entries: f64 = (0..next.len()).filter(outside).map(|from| ran[from]).sum();
    (entries > 0.0).then(|| entries.min(ran[head]).max(1.0))
}

/// The blocks that may follow each block of PTX.
fn successors(kernel: &Kernel) -> Vec<Vec<usize>> {
    let (code, blocks) = (&kernel.program.code, &kernel.program.blocks);
    let next = |block| cfg::successors(code, blocks, block).iter().map(|&b| b as usize).collect();
    (0..blocks.len()).map(next).collect()
}

/// Completes what is known: every other block runs as often as one that it surely runs along with; else at most as
/// often as the last block before it that every way leads through, and as the block that it leads to.
fn fill(flow: &Flow, next: &[Vec<usize>], start: f64, found: &mut [Option<f64>]) -> Vec<f64> {
    let known = found.to_vec();
    for block in 0..found.len() {
        if found[block].is_some() {
            continue;
        }
        let before = || chain(&flow.dominator, block);
        let behind = || chain(&flow.post_dominator, block);
        let together = before()
            .find(|&other| known[other].is_some() && flow.equally_often(other, block))
            .or_else(|| {
                behind().find(|&other| known[other].is_some() && flow.equally_often(block, other))
            });
        if let Some(executions) = together.and_then(|other| known[other]) {
            found[block] = Some(executions);
            continue;
        }
        // Of the same loop or an outer one: what is inside a loop runs more often than what comes behind it.
        let outer = |other: &usize| {
            let head = flow.innermost[*other];
            head.is_none() || head == flow.innermost[block] && head != Some(block)
        };
        let limit = before().find(outer).map_or(Some(start), |other| found[other]);
        let onward = match next[block].as_slice() {
            &[only] => known.get(only).copied().flatten(),
            _ => None,
        };
        found[block] = Some(limit.unwrap_or(start).min(onward.unwrap_or(f64::INFINITY)));
    }
    found.iter().map(|executions| executions.unwrap_or(0.0)).collect()
}

/// The blocks that a chain of (post-)dominators leads through from `block`.
fn chain(of: &[Option<usize>], block: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(of[block], |&at| of[at])
}
