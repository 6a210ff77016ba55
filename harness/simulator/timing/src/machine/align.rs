//! Which machine blocks were made from which PTX blocks.
//!
//! The assembler keeps the order in which code was written, with few exceptions, so both forms are read side by side:
//! a run of machine blocks may stand for one PTX block (a square root has branches of its own), one machine block for
//! a run of PTX blocks (a short `if` becomes predicated instructions), and blocks may have no counterpart. Of all such
//! readings the one is taken whose counterparts have most landmarks in common (as differences of texts are found).

use std::ops::Range;

use super::landmark::{Landmarks, Seen};

/// Machine blocks and the PTX blocks that they stand for; one of the two is a single block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub machine: Range<usize>,
    pub ptx: Range<usize>,
}

/// A run is at most as long as this: the parts of a few unrolled square roots and divisions.
const LONGEST: usize = 40;

/// What a landmark that both have is worth, in units of its weight; half of that is lost for one that is missing.
const COMMON: i64 = 4;

/// The best reading of `machine` beside `ptx`, both given by the places of blocks in `landmarks`.
pub(super) fn align(landmarks: &Landmarks, machine: &[usize], ptx: &[usize]) -> Vec<Pair> {
    let (rows, columns) = (machine.len() + 1, ptx.len() + 1);
    // best[i][j]: of the first i machine blocks and the first j PTX blocks; with the step that led there.
    let mut best = vec![(0i64, Step::Start); rows * columns];
    let mut columns_with: Vec<Vec<usize>> = vec![Vec::new(); landmarks.count()];
    for (at, &block) in ptx.iter().enumerate() {
        landmarks.ptx[block].iter().for_each(|&(place, _)| columns_with[place].push(at + 1));
    }
    for i in 0..rows {
        // The columns whose block has a landmark in common with the row's.
        let mut shares = vec![false; columns];
        if let Some(before) = i.checked_sub(1) {
            let seen = landmarks.machine[machine[before]].iter();
            seen.flat_map(|&(place, _)| &columns_with[place]).for_each(|&j| shares[j] = true);
        }
        for j in 0..columns {
            let mut found = best[i * columns + j];
            let mut try_step = |score: i64, step: Step| {
                if found.1 == Step::Start || score > found.0 {
                    found = (score, step);
                }
            };
            if i > 0 {
                try_step(best[(i - 1) * columns + j].0, Step::SkipMachine);
            }
            if j > 0 {
                try_step(best[i * columns + j - 1].0, Step::SkipPtx);
            }
            if i > 0 && j > 0 {
                // A run that ends with a block of nothing in common is no better without it: that was tried already,
                // but for a run of two, which is one pair without it.
                let (longest, longest_of_ptx) = if shares[j] { (LONGEST, LONGEST) } else { (0, 2) };
                let ptx_block = &landmarks.ptx[ptx[j - 1]];
                let run = machine[..i].iter().rev().take(longest).map(|&m| &landmarks.machine[m]);
                for (length, score) in (1..).zip(scores(landmarks, run, ptx_block)) {
                    let before = best[(i - length) * columns + j - 1].0;
                    try_step(before + score, Step::MachineRun(length));
                }
                let machine_block = &landmarks.machine[machine[i - 1]];
                let run = ptx[..j].iter().rev().take(longest_of_ptx).map(|&p| &landmarks.ptx[p]);
                for (length, score) in (1..).zip(scores(landmarks, run, machine_block)).skip(1) {
                    let before = best[(i - 1) * columns + j - length].0;
                    try_step(before + score, Step::PtxRun(length));
                }
            }
            if i + j > 0 {
                best[i * columns + j] = found;
            }
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (machine.len(), ptx.len());
    loop {
        match best[i * columns + j].1 {
            Step::Start => break,
            Step::SkipMachine => i -= 1,
            Step::SkipPtx => j -= 1,
            Step::MachineRun(length) => {
                (i, j) = (i - length, j - 1);
                pairs.push(Pair { machine: i..i + length, ptx: j..j + 1 });
            }
            Step::PtxRun(length) => {
                (i, j) = (i - 1, j - length);
                pairs.push(Pair { machine: i..i + 1, ptx: j..j + length });
            }
        }
    }
    pairs.reverse();
    pairs
}

/// The last step of a reading.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Start,
    SkipMachine,
    SkipPtx,
    /// So many machine blocks for one PTX block.
    MachineRun(usize),
    /// One machine block for so many PTX blocks.
    PtxRun(usize),
}

/// How well the first one, two, three … blocks of `run` together go with `one`.
fn scores<'a>(
    landmarks: &'a Landmarks,
    run: impl Iterator<Item = &'a Seen> + 'a,
    one: &'a Seen,
) -> impl Iterator<Item = i64> + 'a {
    // By landmark of `one`, how often the run has it.
    let mut together = vec![0u32; one.len()];
    // What those landmarks are worth so far.
    let mut score: i64 =
        one.iter().map(|&(place, wanted)| worth(landmarks, place, wanted, 0)).sum();
    // Landmarks of the run that `one` does not have, and the number of blocks that have one in common with it.
    let (mut foreign, mut related) = (0i64, 0i64);
    run.map(move |block| {
        let mut shares = false;
        for &(place, count) in block {
            if let Ok(known) = one.binary_search_by_key(&place, |(known, _)| *known) {
                let (wanted, had) = (one[known].1, together[known]);
                together[known] = had + count;
                score += worth(landmarks, place, wanted, had + count);
                score -= worth(landmarks, place, wanted, had);
                shares = true;
            } else {
                foreign += i64::from(landmarks.weight(place)) * i64::from(count);
            }
        }
        related += i64::from(shares);
        // A further copy of the same code is better taken along than left out.
        if score > 0 || related > 0 { score + related - foreign } else { i64::MIN / 4 }
    })
}

/// What a landmark is worth that one side wants so often and the other has so often.
fn worth(landmarks: &Landmarks, place: usize, wanted: u32, had: u32) -> i64 {
    let common = i64::from(had.min(wanted));
    let missing = i64::from(wanted) - common;
    i64::from(landmarks.weight(place)) * (COMMON * common - missing)
}
