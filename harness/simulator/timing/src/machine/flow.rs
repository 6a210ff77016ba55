//! The shape of machine code: which block every way to another leads through, and loops.

use program::Kernel;
use program::NOWHERE;
use program::cfg::{self, dominators, loops, post_dominators};

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
        let dominator = dominators(&edges);
        let innermost = innermost_loops(&edges, &dominator);
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

/// The first block of each block's smallest natural loop.
fn innermost_loops(edges: &[Vec<u32>], dominator: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut loops = loops(edges, dominator);
    loops.sort_by_key(|it| it.inside.iter().filter(|&&is| is).count());
    let innermost = |block: usize| loops.iter().find(|it| it.inside[block]).map(|it| it.head);
    (0..edges.len()).map(innermost).collect()
}

/// The blocks that may follow each block of PTX.
pub(super) fn successors(kernel: &Kernel) -> Vec<Vec<usize>> {
    let (code, blocks) = (&kernel.program().code, &kernel.program().blocks);
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
