//! How often the machine blocks of a pair ran: as often as their PTX, divided among copies of it.

use std::collections::BTreeMap;

use super::flow::{Flow, successors};
use super::landmark::{Landmark, Landmarks, Seen};
use program::Kernel;

/// What is needed to tell how often machine blocks ran.
pub(super) struct Settling<'a> {
    pub landmarks: &'a Landmarks,
    /// The shape of the machine code.
    pub flow: &'a Flow,
    /// Executions of the PTX blocks.
    pub ran: &'a [f64],
    /// How often the innermost loop around each PTX block was entered.
    entries: Vec<Option<f64>>,
}

/// Machine blocks of one loop that stand for the same PTX, and how many copies of it they hold.
pub(super) struct Unit {
    pub blocks: Vec<usize>,
    pub copies: f64,
    /// How much the landmarks tell that this rests on.
    weight: u32,
}

impl<'a> Settling<'a> {
    pub(super) fn new(
        landmarks: &'a Landmarks,
        flow: &'a Flow,
        ran: &'a [f64],
        kernel: &Kernel,
    ) -> Settling<'a> {
        Settling { landmarks, flow, ran, entries: entries(kernel, ran) }
    }

    /// Executions of those blocks of `machine` that have landmarks in common with `ptx`; one of the two is one block.
    pub(super) fn settle(&self, machine: &[usize], ptx: &[usize]) -> Vec<(usize, f64)> {
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
        let here = self.sum(&self.landmarks.machine, &[machine]);
        let (copies, _) = self.landmarks.copies(&here, &self.sum(&self.landmarks.ptx, ptx))?;
        Some(if copies > HALF {
            // A short `if` became predicated instructions, which are issued whether or not they are switched off.
            ptx.iter().map(|&block| self.ran[block]).fold(0.0, f64::max)
        } else {
            // The PTX was unrolled and the machine code is not: each of its copies is one execution here.
            let times = |&block: &usize| {
                let there = self.sum(&self.landmarks.ptx, &[block]);
                let (copies, _) = self.landmarks.copies(&here, &there)?;
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
            let here = self.sum(&self.landmarks.machine, &[block]);
            // Blocks with nothing in common follow from the others later.
            if self.landmarks.copies(&here, &there).is_some() {
                by_loop.entry(self.flow.innermost[block]).or_default().push(block);
            }
        }
        let units = by_loop.into_values().filter_map(|blocks| {
            let here = self.sum(&self.landmarks.machine, &blocks);
            let (copies, weight) = self.landmarks.copies(&here, &there)?;
            // What is near one is one copy whose sequences differ a little.
            let copies = if copies > HALF { copies.round() } else { copies };
            Some(Unit { blocks, copies, weight })
        });
        let mut units: Vec<Unit> = units.collect();
        // A condition of the same line does not make a unit beside one with loads and arithmetic.
        let most = units.iter().map(|unit| unit.weight).max();
        units.retain(|unit| Some(unit.weight) == most);
        // Nor do conditions alone tell of copies: the assembler adds its own.
        if most == Some(Landmark::Condition.weight()) {
            units.truncate(1);
            units.iter_mut().for_each(|unit| unit.copies = 1.0);
        }
        turns(units, self.ran[ptx], self.entries[ptx])
    }

    /// Executions of some machine blocks, each with `copies` of code that ran `all` times, wherever that code is in the
    /// PTX: in one of the blocks `ptx`.
    pub(super) fn divide(
        &self,
        blocks: &[(usize, f64)],
        all: f64,
        ptx: &[usize],
    ) -> Vec<(usize, f64)> {
        let entries = ptx.iter().filter_map(|&block| self.entries[block]).reduce(f64::max);
        let mut units: BTreeMap<Option<usize>, Unit> = BTreeMap::new();
        for &(block, copies) in blocks {
            // Outside of loops each block is a unit of its own.
            let own = || Unit { blocks: Vec::new(), copies: 0.0, weight: 0 };
            let innermost = self.flow.innermost[block];
            let unit = units.entry(innermost.or(Some(block))).or_insert_with(own);
            unit.blocks.push(block);
            unit.copies += copies;
        }
        turns(units.into_values().collect(), all, entries)
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

/// Fewer copies than this are a part of a block that only the PTX has unrolled.
const HALF: f64 = 0.6;

/// Executions of the blocks of each unit, for code that ran `all` times. If there are several units the assembler
/// unrolled a loop that is entered `entries` times: the unit with most copies takes as many turns as fit into one entry,
/// the next what is left.
fn turns(mut units: Vec<Unit>, all: f64, entries: Option<f64>) -> Vec<(usize, f64)> {
    units.sort_by(|one, other| other.copies.total_cmp(&one.copies));
    let together: f64 = units.iter().map(|unit| unit.copies).sum();
    let mut left = entries.map(|entries| all / entries);
    let last = units.len().saturating_sub(1);
    let mut found = Vec::new();
    for (index, unit) in units.into_iter().enumerate() {
        let turns = match (&mut left, entries) {
            (Some(left), Some(entries)) if last > 0 => {
                let turns = *left / unit.copies;
                let turns = if index == last { turns } else { turns.floor() };
                *left -= turns * unit.copies;
                turns * entries
            }
            _ => all / together,
        };
        found.extend(unit.blocks.into_iter().map(|block| (block, turns)));
    }
    found
}

/// How often the innermost loop around each PTX block is entered; none if it is in none, or never.
fn entries(kernel: &Kernel, ran: &[f64]) -> Vec<Option<f64>> {
    let next = successors(kernel);
    let entries = |head: usize| {
        // Warps come to a loop's head otherwise than from inside it: from a block before.
        let before = |from: &usize| next[*from].contains(&head) && *from < head;
        let entries: f64 = (0..head).filter(before).filter_map(|from| ran.get(from)).sum();
        (entries > 0.0).then(|| entries.min(ran.get(head).copied().unwrap_or(entries)).max(1.0))
    };
    Flow::of(&next).innermost.into_iter().map(|head| entries(head?)).collect()
}
