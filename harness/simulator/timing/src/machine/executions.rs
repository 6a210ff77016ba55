//! How often each machine block ran, from how often the PTX blocks did.

use std::collections::{BTreeMap, BTreeSet};

use super::align::align;
use super::code::{MachineBlock, Mix, Place};
use super::flow::{Flow, successors};
use super::landmark::{Landmarks, Seen, TOLERANCE};
use super::rotated::rotated;
use super::settle::Settling;
use events::Events;
use program::Kernel;

/// Executions of each block of `mix` in a launch that the simulator counted as `events`.
pub(super) fn executions(mix: &Mix, kernel: &Kernel, events: &Events) -> Vec<f64> {
    let ran: Vec<f64> = events.blocks.iter().map(|block| block.executions as f64).collect();
    let landmarks = Landmarks::of(kernel, &mix.blocks);
    let next: Vec<Vec<usize>> = mix.blocks.iter().map(|block| block.next.clone()).collect();
    let flow = Flow::of(&next);
    // Slow paths are not looked at, and PTX blocks without landmarks tell nothing.
    let machine: Vec<usize> =
        (0..mix.blocks.len()).filter(|&block| !mix.blocks[block].slow_path).collect();
    let ptx: Vec<usize> = (0..ran.len().min(landmarks.ptx.len()))
        .filter(|&block| !landmarks.ptx[block].is_empty())
        .collect();
    let settling = Settling::new(&landmarks, &flow, &ran, kernel);
    let mut found: Vec<Option<f64>> =
        mix.blocks.iter().map(|block| block.slow_path.then_some(0.0)).collect();
    for pair in align(&landmarks, &machine, &ptx) {
        for (block, executions) in settling.settle(&machine[pair.machine], &ptx[pair.ptx]) {
            found[block] = Some(executions);
        }
    }
    reconcile(&settling, &Flow::of(&successors(kernel)), &machine, &mut found);
    rest(&settling, &machine, &mut found);
    bound(&settling, &mut found);
    let most = by_lines(mix, kernel, &ran, &flow);
    let start = ran.first().copied().unwrap_or(0.0);
    let filled = fill(&flow, &next, start, (&found, &most));
    let corrected = rotated(mix, kernel, &landmarks, (&ran, &filled));
    if corrected.is_empty() {
        return filled;
    }
    for (block, executions) in corrected {
        found[block] = Some(executions);
    }
    fill(&flow, &next, start, (&found, &most))
}

/// How often each machine block ran at most: as often as the PTX blocks with the source line that most of its
/// instructions are of; as many instructions, nearly: one may be left of that line where paths come together. The
/// compiler that made the PTX may have unrolled a loop more often, so that of a loop's blocks only those are bounded of
/// which nothing ran.
fn by_lines(mix: &Mix, kernel: &Kernel, ran: &[f64], flow: &Flow) -> Vec<f64> {
    let mut blocks_of: BTreeMap<Place, BTreeMap<usize, usize>> = BTreeMap::new();
    for (at, block) in kernel.blocks().iter().enumerate().take(ran.len()) {
        for instruction in &block.instructions {
            let line = blocks_of.entry(Place::of(kernel, instruction)).or_default();
            *line.entry(at).or_default() += 1;
        }
    }
    let executions = |blocks: BTreeMap<usize, usize>| -> f64 {
        let most = blocks.values().copied().max().unwrap_or(0);
        blocks.iter().filter(|(_, count)| **count * FEW > most).map(|(&at, _)| ran[at]).sum()
    };
    let of_lines: BTreeMap<Place, f64> =
        blocks_of.into_iter().map(|(line, blocks)| (line, executions(blocks))).collect();
    let most = |(at, block): (usize, &MachineBlock)| {
        let mut counts: BTreeMap<&Place, u32> = BTreeMap::new();
        for (line, _, count) in block.code.lines().filter(|(line, ..)| line.line > 0) {
            *counts.entry(line).or_default() += count;
        }
        let line = counts.into_iter().max_by_key(|(_, count)| *count).map(|(line, _)| line);
        let executions = line.and_then(|line| of_lines.get(line)).copied();
        let is_bound = |executions: &f64| *executions == 0.0 || flow.innermost[at].is_none();
        executions.filter(is_bound).unwrap_or(f64::INFINITY)
    };
    mix.blocks.iter().enumerate().map(most).collect()
}

/// Finds code of which much more or less would have run here than in the PTX, and divides its executions anew. So it is
/// where the assembler, or a newer compiler, put an unrolled loop's remainder behind it that was in front.
///
/// `flow` is that of the PTX.
fn reconcile(settling: &Settling, flow: &Flow, machine: &[usize], found: &mut [Option<f64>]) {
    let landmarks = settling.landmarks;
    let ran: Vec<f64> = found.iter().map(|executions| executions.unwrap_or(0.0)).collect();
    let there = totals(landmarks, &landmarks.ptx, settling.ran);
    let here = totals(landmarks, &landmarks.machine, &ran);
    let differs = |place: usize| !agree(there[place], here[place]);
    let has = |seen: &Seen, place: usize| seen.binary_search_by_key(&place, |it| it.0).is_ok();

    let mut blocks_with: Vec<Vec<usize>> = vec![Vec::new(); landmarks.count()];
    for &block in machine {
        landmarks.machine[block].iter().for_each(|&(place, _)| blocks_with[place].push(block));
    }
    // Landmarks that occur in the same machine blocks belong to the same code.
    let mut code: BTreeMap<Vec<usize>, BTreeSet<usize>> = BTreeMap::new();
    for (place, blocks) in blocks_with.into_iter().enumerate() {
        if landmarks.is_kept(place) && !blocks.is_empty() && there[place] > 0.0 {
            code.entry(blocks).or_default().insert(place);
        }
    }
    for (blocks, places) in code {
        // One load less may have been found to be needless; but not most of them.
        if places.iter().filter(|&&place| differs(place)).count() * 2 <= places.len() {
            continue;
        }
        let holds = |&block: &usize| places.iter().any(|&p| has(&landmarks.ptx[block], p));
        let ptx: Vec<usize> = (0..settling.ran.len()).filter(holds).collect();
        // What is conditional there may be predicated here, in a block that runs in any case.
        let in_any_case = |&block: &usize| {
            let mut before = chain(&flow.dominator, block);
            before.any(|before| {
                let ran = settling.ran[before];
                chain(&flow.post_dominator, before).all(|behind| behind != block)
                    && blocks.iter().any(|&b| found[b].is_some_and(|found| agree(ran, found)))
            })
        };
        if ptx.iter().all(in_any_case) {
            continue;
        }
        let count = |block: usize, place: usize| {
            let counts = landmarks.machine[block].iter();
            counts.filter(|(known, _)| *known == place).map(|(_, count)| f64::from(*count)).sum()
        };
        // One copy of the code is what the block with the fewest holds.
        let copy: BTreeMap<usize, f64> = places
            .iter()
            .map(|&place| {
                (place, blocks.iter().map(|&block| count(block, place)).fold(f64::MAX, f64::min))
            })
            .collect();
        let ratios = |of: &dyn Fn(usize) -> f64| median(copy.iter().map(|(&p, one)| of(p) / one));
        let Some(all) = ratios(&|place| there[place]) else { continue };
        let copies = |&block: &usize| Some((block, ratios(&|place| count(block, place))?));
        let blocks: Vec<(usize, f64)> = blocks.iter().filter_map(copies).collect();
        for (block, executions) in settling.divide(&blocks, all, &ptx) {
            found[block] = Some(executions);
        }
    }
}

/// Blocks that no PTX block goes with, though it has their instructions: if all that ran there is accounted for by other
/// blocks, these did not run. So it is with copies of a loop's body for a remainder that was none.
fn rest(settling: &Settling, machine: &[usize], found: &mut [Option<f64>]) {
    let landmarks = settling.landmarks;
    let ran: Vec<f64> = found.iter().map(|executions| executions.unwrap_or(0.0)).collect();
    let there = totals(landmarks, &landmarks.ptx, settling.ran);
    let here = totals(landmarks, &landmarks.machine, &ran);
    let in_ptx: BTreeSet<usize> = landmarks.ptx.iter().flatten().map(|&(place, _)| place).collect();
    for &block in machine.iter().filter(|&&block| ran[block] == 0.0) {
        let mut kept =
            landmarks.machine[block].iter().filter(|(p, _)| landmarks.is_kept(*p)).peekable();
        let accounted = |place: usize| here[place] >= (1.0 - TOLERANCE) * there[place];
        if kept.peek().is_some()
            && kept.all(|&(place, _)| in_ptx.contains(&place) && accounted(place))
        {
            found[block] = Some(0.0);
        }
    }
}

/// Blocks that were found by nothing but a condition: no more often than the last block before them that every way leads
/// through.
fn bound(settling: &Settling, found: &mut [Option<f64>]) {
    for block in 0..found.len() {
        let mut seen = settling.landmarks.machine[block].iter();
        if seen.all(|(place, _)| settling.landmarks.is_condition(*place)) {
            let before = chain(&settling.flow.dominator, block)
                .filter(|&other| settling.flow.is_comparable(other, block))
                .find_map(|other| found[other]);
            if let (Some(executions), Some(limit)) = (&mut found[block], before) {
                *executions = executions.min(limit);
            }
        }
    }
}

/// A block with so many times fewer instructions of a line than another is not where that line is executed.
const FEW: usize = 8;

/// Whether what ran here is what ran there.
fn agree(there: f64, here: f64) -> bool {
    (there - here).abs() <= TOLERANCE * there
}

/// How often each landmark ran.
fn totals(landmarks: &Landmarks, seen: &[Seen], ran: &[f64]) -> Vec<f64> {
    let mut totals = vec![0.0; landmarks.count()];
    for (seen, ran) in seen.iter().zip(ran) {
        seen.iter().for_each(|&(place, count)| totals[place] += f64::from(count) * ran);
    }
    totals
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Completes what is known: every other block runs as often as one that it surely runs along with; else at most as
/// often as the last block before it that every way leads through, and as the block that it leads to. None more often
/// than `most`.
fn fill(
    flow: &Flow,
    next: &[Vec<usize>],
    start: f64,
    (known, most): (&[Option<f64>], &[f64]),
) -> Vec<f64> {
    let mut found = known.to_vec();
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
            found[block] = Some(executions.min(most[block]));
            continue;
        }
        let limit = before()
            .find(|&other| flow.is_comparable(other, block))
            .map_or(Some(start), |other| found[other]);
        let onward = match next[block].as_slice() {
            &[only] => known.get(only).copied().flatten(),
            _ => None,
        };
        let onward = onward.unwrap_or(f64::INFINITY);
        found[block] = Some(limit.unwrap_or(start).min(onward).min(most[block]));
    }
    found.iter().map(|executions| executions.unwrap_or(0.0)).collect()
}

/// The blocks that a chain of (post-)dominators leads through from `block`.
fn chain(of: &[Option<usize>], block: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(of[block], |&at| of[at])
}
