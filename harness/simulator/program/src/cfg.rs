//! Control flow: basic blocks and where diverged lanes reconverge.

mod loops;

use crate::instruction::{
    BasicBlock, Call, Callee, Instruction, NOWHERE, OfCluster, Operation, Service,
};
pub use loops::{Loop, dominators, loops};

/// Cuts code into basic blocks. `starts` are the places that labels stand for (sorted or not); branches in `code`
/// name indices into `starts` and name blocks afterwards.
pub fn blocks(code: &mut [Instruction], calls: &[Call], starts: &[u32]) -> Vec<BasicBlock> {
    let end = code.len() as u32;
    let mut leaders = vec![0];
    leaders.extend(starts.iter().copied().filter(|&s| s < end));
    for (at, instruction) in (0..).zip(code.iter()) {
        match instruction.operation {
            Operation::Branch(_)
            | Operation::Exit
            | Operation::Return
            | Operation::Call(_)
            | Operation::Trap
            | Operation::Barrier(_)
            | Operation::Cluster(OfCluster::Wait)
                if at + 1 < end =>
            {
                leaders.push(at + 1);
            }
            // Lanes may wait here for others and try again: nothing of the block may come before.
            Operation::Exchange(_) => leaders.push(at),
            _ => {}
        }
    }
    leaders.sort_unstable();
    leaders.dedup();
    let block_at = |place: u32| leaders.partition_point(|&l| l < place) as u32;
    for instruction in code.iter_mut() {
        if let Operation::Branch(target) = &mut instruction.operation {
            *target = block_at(starts[*target as usize]);
        }
    }
    let ends = leaders.iter().copied().skip(1).chain([end]);
    let mut blocks: Vec<_> = leaders
        .iter()
        .zip(ends)
        .map(|(&first, end)| BasicBlock { first, end, meet: NOWHERE })
        .collect();
    // Lanes that fail meet nobody. Without an edge to the end they cost the others no meeting before it.
    let next = |b: usize| match fails(code, calls, blocks[b]) {
        true => vec![b as u32],
        false => successors(code, &blocks, b),
    };
    let successors: Vec<_> = (0..blocks.len()).map(next).collect();
    for (block, meet) in blocks.iter_mut().zip(post_dominators(&successors)) {
        block.meet = meet;
    }
    blocks
}

/// Whether no lane gets to the end of a block, because of a `trap` or a failed assertion.
fn fails(code: &[Instruction], calls: &[Call], block: BasicBlock) -> bool {
    code[block.first as usize..block.end as usize].iter().any(|instruction| {
        let is_failure = match instruction.operation {
            Operation::Trap => true,
            Operation::Service(k) => {
                matches!(calls[k as usize].callee, Callee::Service(Service::Assert))
            }
            _ => false,
        };
        is_failure && instruction.guard.get().is_none()
    })
}

/// Where a block may go on. A `trap` goes nowhere and a guarded one on: an edge from it to the end would make the
/// end the only place where lanes surely meet, and a failed assertion's path would cost all others their meeting.
pub fn successors(code: &[Instruction], blocks: &[BasicBlock], index: usize) -> Vec<u32> {
    let block = blocks[index];
    let next = (index + 1 < blocks.len()).then_some(index as u32 + 1);
    let Some(last) = code[block.first as usize..block.end as usize].last() else { return vec![] };
    let guarded = last.guard.get().is_some();
    match last.operation {
        Operation::Branch(target) if guarded => next.into_iter().chain([target]).collect(),
        Operation::Branch(target) => vec![target],
        Operation::Exit | Operation::Return | Operation::Trap if !guarded => vec![],
        _ => next.into_iter().collect(),
    }
}

/// The immediate post-dominator of each block (Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm",
/// on the reversed graph); [`NOWHERE`] where that is the end of the kernel.
pub fn post_dominators(successors: &[Vec<u32>]) -> Vec<u32> {
    let count = successors.len();
    let exit = count;
    let mut predecessors = vec![Vec::new(); count + 1];
    for (block, next) in successors.iter().enumerate() {
        for &n in next {
            predecessors[n as usize].push(block);
        }
        // Blocks without a successor lead to the end.
        if next.is_empty() {
            predecessors[exit].push(block);
        }
    }
    // Postorder of the reversed graph from the end, without recursion.
    let mut order = vec![usize::MAX; count + 1];
    let mut sequence = Vec::with_capacity(count + 1);
    let mut seen = vec![false; count + 1];
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((block, child)) = stack.pop() {
        match predecessors[block].get(child) {
            Some(&next) => {
                stack.push((block, child + 1));
                if !std::mem::replace(&mut seen[next], true) {
                    stack.push((next, 0));
                }
            }
            None => {
                order[block] = sequence.len();
                sequence.push(block);
            }
        }
    }
    const UNKNOWN: usize = usize::MAX;
    let mut dominator = vec![UNKNOWN; count + 1];
    dominator[exit] = exit;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in sequence.iter().rev().skip(1) {
            let next = &successors[block];
            let candidates = if next.is_empty() {
                vec![exit]
            } else {
                next.iter().map(|&n| n as usize).collect()
            };
            let mut meet = UNKNOWN;
            for candidate in candidates {
                if dominator[candidate] == UNKNOWN {
                    continue;
                }
                let (mut a, mut b) = (candidate, if meet == UNKNOWN { candidate } else { meet });
                while a != b {
                    while order[a] < order[b] {
                        a = dominator[a];
                    }
                    while order[b] < order[a] {
                        b = dominator[b];
                    }
                }
                meet = a;
            }
            if dominator[block] != meet {
                dominator[block] = meet;
                changed = true;
            }
        }
    }
    dominator[..count]
        .iter()
        .map(|&d| if d == UNKNOWN || d == exit { NOWHERE } else { d as u32 })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_meets_below() {
        //   0 → 1, 2 → 3
        assert_eq!(post_dominators(&[vec![1, 2], vec![3], vec![3], vec![]]), [3, 3, 3, NOWHERE]);
    }

    #[test]
    fn a_loop_meets_behind_itself() {
        // 0 → 1; 1 → 1, 2; 2 ends
        assert_eq!(post_dominators(&[vec![1], vec![1, 2], vec![]]), [1, 2, NOWHERE]);
    }

    #[test]
    fn early_ends_meet_nowhere_and_endless_loops_are_survived() {
        // 0 → 1, 2; both end
        assert_eq!(post_dominators(&[vec![1, 2], vec![], vec![]]), [NOWHERE; 3]);
        // 0 → 0, 1 ends is not reached from 0's loop
        assert_eq!(post_dominators(&[vec![0], vec![]]), [NOWHERE, NOWHERE]);
    }

    #[test]
    fn nested_conditions() {
        // 0 → 1, 5; 1 → 2, 3; 2 → 4; 3 → 4; 4 → 5
        let next = [vec![1, 5], vec![2, 3], vec![4], vec![4], vec![5], vec![]];
        assert_eq!(post_dominators(&next), [5, 4, 4, 4, 5, NOWHERE]);
    }
}
