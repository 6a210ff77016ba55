//! Natural loops.

use super::post_dominators;
use crate::instruction::NOWHERE;

/// A natural loop: the blocks from which its latches are reached without passing its head.
#[derive(Debug)]
pub struct Loop {
    /// The head: the block through which every path into the loop leads.
    pub head: usize,
    /// Blocks with an edge back to the head: each execution of one ends an iteration.
    pub latches: Vec<usize>,
    /// For each block of the kernel, whether it is in the loop.
    pub inside: Vec<bool>,
}

/// The immediate dominator of each block. The first block is the entry.
pub fn dominators(edges: &[Vec<u32>]) -> Vec<Option<usize>> {
    let count = edges.len();
    // Dominators are post-dominators of the reversed edges; the end of those is a block before the start.
    let mut reversed = predecessors(edges);
    if let Some(start) = reversed.first_mut() {
        start.push(count as u32);
    }
    reversed.push(Vec::new());
    let place = |&p: &u32| (p != NOWHERE && (p as usize) < count).then_some(p as usize);
    post_dominators(&reversed).iter().take(count).map(place).collect()
}

/// Every loop that has one head, in the order of their first latches.
pub fn loops(edges: &[Vec<u32>], dominator: &[Option<usize>]) -> Vec<Loop> {
    let predecessors = predecessors(edges);
    let mut all: Vec<Loop> = Vec::new();
    for (latch, to) in edges.iter().enumerate() {
        for head in to.iter().map(|&to| to as usize) {
            if !dominates(dominator, head, latch) {
                continue;
            }
            let known = all.iter().position(|it| it.head == head);
            let index = known.unwrap_or_else(|| {
                let mut inside = vec![false; edges.len()];
                inside[head] = true;
                all.push(Loop { head, latches: Vec::new(), inside });
                all.len() - 1
            });
            let Loop { latches, inside, .. } = &mut all[index];
            latches.push(latch);
            let mut open = vec![latch];
            while let Some(block) = open.pop() {
                if !std::mem::replace(&mut inside[block], true) {
                    open.extend(predecessors[block].iter().map(|&block| block as usize));
                }
            }
        }
    }
    all
}

fn predecessors(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (from, to) in edges.iter().enumerate() {
        to.iter().for_each(|&to| reversed[to as usize].push(from as u32));
    }
    reversed
}

/// Whether `other` dominates `block`.
fn dominates(dominator: &[Option<usize>], other: usize, block: usize) -> bool {
    let mut place = Some(block);
    while let Some(at) = place {
        if at == other {
            return true;
        }
        place = dominator[at];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_has_a_head_and_all_its_latches() {
        // 0 → 1 (head) → 2 → 1 (`continue`) or 3 → 1 or 4
        let edges = [vec![1], vec![2], vec![1, 3], vec![1, 4], vec![]];
        let all = loops(&edges, &dominators(&edges));
        let [one] = &all[..] else { panic!("{all:?}") };
        assert_eq!((one.head, &one.latches[..]), (1, &[2, 3][..]));
        assert_eq!(one.inside, [false, true, true, true, false]);
    }

    #[test]
    fn an_edge_back_that_is_not_the_only_way_in_is_no_loop() {
        // 0 → 1 or 2; 1 → 2; 2 → 1
        let edges = [vec![1, 2], vec![2], vec![1]];
        assert!(loops(&edges, &dominators(&edges)).is_empty());
    }
}
