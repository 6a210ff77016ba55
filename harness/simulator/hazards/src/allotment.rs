//! Registers that the warps of a block ask for by `setmaxnreg`: `inc` waits until the block has so many left (PTX ISA,
//! "setmaxnreg").

use super::block::BlockHazards;
use super::facts::Facts;
use super::finding::{Actor, Finding, HazardKind};
use program::registers::LANES;
use ptx::Space;

impl BlockHazards {
    /// A warp enters a basic block.
    pub(super) fn asks(&mut self, facts: &Facts, block: u32, warp: u32) {
        if let Some(Some(request)) = facts.requests.blocks.get(block as usize) {
            self.asked.insert(warp, *request);
        }
    }

    /// The finding of a block whose warps have asked for more than it began with, when it has ended.
    pub(super) fn asked_too_much(&self, facts: &Facts) -> Option<Finding> {
        let first = facts.requests.first;
        let warps = self.shape.threads.div_ceil(LANES as u32);
        let rest = u64::from(warps) - self.asked.len() as u64;
        let all = self.asked.values().map(|&(_, count)| u64::from(count)).sum::<u64>();
        let (asked, has) = (all + rest * first, u64::from(warps) * first);
        let (warp, &(at, _)) =
            self.asked.iter().max_by_key(|(warp, (_, count))| (*count, **warp))?;
        let [asked, has] = [asked, has].map(|it| (it * LANES as u64) as u32);
        (asked > has).then(|| Finding {
            kind: HazardKind::Registers { asked, has },
            actor: Actor { at, block: self.number, thread: warp * LANES as u32 },
            space: Space::Local,
            address: 0,
        })
    }
}
