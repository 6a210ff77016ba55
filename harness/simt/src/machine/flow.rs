//! The shape of machine code: which block every way to another leads through, and loops.

use crate::cfg::{self, post_dominators};
use crate::kernel::Kernel;
use crate::program::NOWHERE;

/// What is known of a kernel's blocks from their edges alone.
pub(super) struct Flow {
    /// The nearest block that every way to this one leads through.
    pub dominator: Vec<Option<usize>>,
    /// The nearest block that every way from this one leads through.
    pub post_dominator: Vec<Option<usize>>,
    /// The first block of the innermost loop that the block is part of.
    pub innermost: Vec<Option<usize>>,
}

impl Flow {
    /// Looks at blocks of which the first is the start.
    pub(super) fn of(next: &[Vec<usize>]) -> Flow {
        let count = next.len();
        let valid = |to: &&usize| **to < count;
        let edges: Vec<Vec<u32>> = next
            .iter()
            .map(|to| to.iter().filter(valid).map(|&block| block as u32).collect())
            .collect();
        let known = |places: Vec<u32>| -> Vec<Option<usize>> {
            let place = |&p: &u32| (p != NOWHERE && (p as usize) < count).then_some(p as usize);
            places.iter().take(count).map(place).collect()
        };
        // Backwards, from a place before the start: dominators are post-dominators of the reversed edges.
        let mut reversed = vec![Vec::new(); count + 1];
        for (from, to) in edges.iter().enumerate() {
            to.iter().for_each(|&to| reversed[to as usize].push(from as u32));
        }
        if let Some(start) = reversed.first_mut() {
            start.push(count as u32);
        }
        let dominator = known(post_dominators(&reversed));
        let innermost = innermost_loops(&edges, &reversed, &dominator);
        Flow { dominator, post_dominator: known(post_dominators(&edges)), innermost }
    }

    /// Whether the two blocks run equally often: each way through one leads through the other, in the same loop.
    pub(super) fn equally_often(&self, dominator: usize, block: usize) -> bool {
        let mut after = self.post_dominator[dominator];
        while let Some(place) = after {
            if place == block {
                return self.innermost[dominator] == self.innermost[block];
            }
            after = self.post_dominator[place];
        }
        false
    }
}

impl Flow {
    /// Whether `block`, which every way comes to through `other`, runs at most as often: it is in no loop but the
    /// other's. (What is inside a loop runs more often than what comes before it or behind it.)
    pub(super) fn is_comparable(&self, other: usize, block: usize) -> bool {
        self.innermost[other] == self.innermost[block] && self.innermost[block] != Some(block)
    }
}

/// Whether every way to `block` leads through `other`.
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

/// The first block of each block's smallest natural loop.
fn innermost_loops(
    edges: &[Vec<u32>],
    reversed: &[Vec<u32>],
    dominator: &[Option<usize>],
) -> Vec<Option<usize>> {
    let count = edges.len();
    let mut members: Vec<(usize, Vec<bool>)> = Vec::new();
    for (from, to) in edges.iter().enumerate() {
        for head in to.iter().map(|&to| to as usize) {
            if !dominates(dominator, head, from) {
                continue;
            }
            let index = members.iter().position(|(known, _)| *known == head).unwrap_or_else(|| {
                members.push((head, vec![false; count]));
                members.len() - 1
            });
            let inside = &mut members[index].1;
            inside[head] = true;
            let mut open = vec![from];
            while let Some(block) = open.pop() {
                if block < count && !std::mem::replace(&mut inside[block], true) {
                    open.extend(reversed[block].iter().map(|&block| block as usize));
                }
            }
        }
    }
    let size = |inside: &[bool]| inside.iter().filter(|&&is| is).count();
    members.sort_by_key(|(_, inside)| size(inside));
    (0..count)
        .map(|block| members.iter().find(|(_, inside)| inside[block]).map(|(head, _)| *head))
        .collect()
}

/// The blocks that may follow each block of PTX.
pub(super) fn successors(kernel: &Kernel) -> Vec<Vec<usize>> {
    let (code, blocks) = (&kernel.program.code, &kernel.program.blocks);
    let next = |block| cfg::successors(code, blocks, block).iter().map(|&b| b as usize).collect();
    (0..blocks.len()).map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_if_in_a_loop_has_its_dominators_and_its_loop() {
        // 0 → 1 (head) → 2 (if) → 3 (meet, back to 1 or on) → 4; 1 → 3 skips 2.
        let flow = Flow::of(&[vec![1], vec![2, 3], vec![3], vec![1, 4], vec![]]);
        assert_eq!(flow.dominator, [None, Some(0), Some(1), Some(1), Some(3)]);
        assert_eq!(flow.post_dominator, [Some(1), Some(3), Some(3), Some(4), None]);
        assert_eq!(flow.innermost, [None, Some(1), Some(1), Some(1), None]);
        assert!(flow.equally_often(1, 3));
        assert!(!flow.equally_often(1, 2), "the condition may not hold");
        assert!(!flow.equally_often(0, 3), "the loop runs more often");
        assert!(flow.equally_often(0, 4));
    }

    #[test]
    fn loops_in_loops_are_told_apart() {
        // 1 is the outer loop's first block, 2 the inner one's only block.
        let flow = Flow::of(&[vec![1], vec![2], vec![2, 3], vec![1, 4], vec![]]);
        assert_eq!(flow.innermost, [None, Some(1), Some(2), Some(1), None]);
    }

    #[test]
    fn odd_shapes_have_an_answer() {
        Flow::of(&[]);
        Flow::of(&[vec![0]]); // never ends
        Flow::of(&[vec![7], vec![0]]); // an edge to nowhere, a block that nothing leads to
    }
}
