//! The order of blocks, what comes before what in any case, and loops.

use super::{Code, End};

/// What follows from the ends of a function's blocks.
pub(crate) struct Flow {
    /// The blocks that can be reached, each before those that it dominates.
    pub order: Vec<usize>,
    /// The blocks before each block, each once.
    pub before: Vec<Vec<usize>>,
    /// The nearest block that is passed on every way to a block; the entry's own is the entry.
    pub dominator: Vec<usize>,
    /// How many blocks dominate a block.
    height: Vec<usize>,
    /// In how many loops a block is.
    pub depth: Vec<usize>,
}

impl Flow {
    pub fn of(code: &Code) -> Flow {
        Flow::of_targets(&code.blocks.iter().map(|block| block.end.targets()).collect::<Vec<_>>())
    }

    /// Of blocks that are known by what may come next.
    pub fn of_targets(targets: &[Vec<usize>]) -> Flow {
        let order = order(targets);
        let mut place = vec![usize::MAX; targets.len()];
        order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
        let mut before = vec![Vec::new(); targets.len()];
        for block in &order {
            for next in &targets[*block] {
                if !before[*next].contains(block) {
                    before[*next].push(*block);
                }
            }
        }
        let dominator = dominators(&order, &place, &before);
        let mut height = vec![0; targets.len()];
        for block in &order[1..] {
            height[*block] = height[dominator[*block]] + 1;
        }
        let depth = vec![0; targets.len()];
        let mut flow = Flow { order, before, dominator, height, depth };
        flow.find_loops();
        flow
    }

    /// Whether every way to `inner` passes `outer`.
    pub fn dominates(&self, outer: usize, inner: usize) -> bool {
        let mut at = inner;
        while self.height[at] > self.height[outer] {
            at = self.dominator[at];
        }
        at == outer
    }

    fn find_loops(&mut self) {
        for header in self.order.clone() {
            let backs: Vec<usize> = self.before[header]
                .iter()
                .copied()
                .filter(|it| self.dominates(header, *it))
                .collect();
            if backs.is_empty() {
                continue;
            }
            let mut is_inside = vec![false; self.depth.len()];
            is_inside[header] = true;
            self.depth[header] += 1;
            let mut open = backs;
            while let Some(block) = open.pop() {
                if !std::mem::replace(&mut is_inside[block], true) {
                    self.depth[block] += 1;
                    open.extend(&self.before[block]);
                }
            }
        }
    }
}

/// The blocks that can be reached, in reverse postorder.
fn order(targets: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; targets.len()];
    let mut open = vec![(0, 0)];
    let mut order = Vec::new();
    seen[0] = true;
    while let Some((block, next)) = open.pop() {
        // The first target is visited last, and so comes first.
        match targets[block].len().checked_sub(next + 1) {
            Some(at) => {
                open.push((block, next + 1));
                let target = targets[block][at];
                if !std::mem::replace(&mut seen[target], true) {
                    open.push((target, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// By Cooper, Harvey and Kennedy: the common dominator of the blocks before, until nothing changes.
fn dominators(order: &[usize], place: &[usize], before: &[Vec<usize>]) -> Vec<usize> {
    let mut dominator = vec![usize::MAX; before.len()];
    dominator[0] = 0;
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for block in &order[1..] {
            let known = before[*block].iter().copied().filter(|it| dominator[*it] != usize::MAX);
            let common = known.reduce(|mut one, mut other| {
                while one != other {
                    match place[one] > place[other] {
                        true => one = dominator[one],
                        false => other = dominator[other],
                    }
                }
                one
            });
            if let Some(common) = common {
                is_changed |= std::mem::replace(&mut dominator[*block], common) != common;
            }
        }
    }
    dominator
}

impl Code {
    /// Leads branches to empty blocks to where these lead; there are no phis any more.
    pub(super) fn skip_empty_blocks(&mut self) {
        let to: Vec<usize> =
            (0..self.blocks.len()).map(|block| self.first_with_content(block)).collect();
        for block in &mut self.blocks {
            block.end.retarget(|target| to[target]);
        }
    }

    fn first_with_content(&self, start: usize) -> usize {
        let mut at = start;
        // As many steps as there are blocks are a loop of nothing.
        for _ in 0..self.blocks.len() {
            match &self.blocks[at] {
                super::Block { instructions, end: End::Jump(to), .. }
                    if instructions.is_empty() =>
                {
                    at = *to
                }
                _ => return at,
            }
        }
        start
    }

    /// A block on the way from one to another, where there was none.
    pub(super) fn split(&mut self, from: usize, to: usize) -> usize {
        let new = self.blocks.len();
        let location = self.blocks[from].location;
        self.blocks.push(super::Block {
            phis: Vec::new(),
            instructions: Vec::new(),
            end: End::Jump(to),
            location,
        });
        self.blocks[from].end.retarget(|target| if target == to { new } else { target });
        for phi in &mut self.blocks[to].phis {
            for (block, _) in &mut phi.incoming {
                if *block == from {
                    *block = new;
                }
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_with_a_branch_has_its_dominators_and_depths() {
        // 0 -> 1; 1 -> 2, 3; 2 -> 4; 3 -> 4; 4 -> 1, 5; 6 is not reached.
        let targets = [vec![1], vec![2, 3], vec![4], vec![4], vec![1, 5], vec![], vec![5]];
        let flow = Flow::of_targets(&targets);
        assert_eq!(flow.order, [0, 1, 2, 3, 4, 5]);
        assert_eq!(flow.dominator[..6], [0, 0, 1, 1, 1, 4]);
        assert_eq!(flow.depth, [0, 1, 1, 1, 1, 0, 0]);
        assert!(flow.dominates(1, 5) && flow.dominates(2, 2) && !flow.dominates(2, 4));
        assert_eq!(flow.before[5], [4]);
    }
}
