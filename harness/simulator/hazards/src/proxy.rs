//! Asynchronous copies that read shared memory which threads have written, without the fence between the two proxies (PTX
//! ISA, "Async proxy", "fence.proxy.async").
//!
//! The fence counts in the thread that has written, or later in the one that begins the copy.

use super::block::BlockHazards;
use super::facts::Facts;
use super::finding::{Actor, Finding, HazardKind};
use execution::listener::{Arrival, Kind, Touch};
use program::registers::{LANES, lanes};
use ptx::Space;

impl BlockHazards {
    /// Lanes of a warp execute a fence between the proxies.
    pub(super) fn fences_proxy(&mut self, arrival: Arrival) {
        let now = self.clocks.advance();
        for lane in lanes(arrival.mask) {
            self.proxied[arrival.warp as usize * LANES + lane] = now;
        }
    }

    /// What a bulk copy reads of the block's shared memory although no fence follows the write.
    pub(super) fn lacks_proxy_fence(
        &self,
        facts: &Facts,
        touch: &Touch,
        base: u64,
    ) -> Option<Finding> {
        if !facts.traits[touch.at as usize].bulk || touch.kind != Kind::Load {
            return None;
        }
        let grain = facts.shared_grain;
        touch.active().find_map(|(lane, address)| {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let offset = address - base;
            let mut cells = offset / grain..(offset + touch.bytes).div_ceil(grain);
            cells.find_map(|cell| {
                let write = self.shadow.last_write(cell as usize);
                let fenced = |by: u32| self.proxied[by as usize] > write.tick();
                if write.tick() < self.began
                    || facts.traits[write.at() as usize].bulk
                    || fenced(write.thread())
                    || fenced(thread)
                    // That is a race.
                    || !self.clocks.ordered(write.thread(), write.tick(), thread)
                {
                    return None;
                }
                let with = Actor { at: write.at(), block: self.number, thread: write.thread() };
                Some(Finding {
                    kind: HazardKind::MissingProxyFence { with },
                    actor: Actor { at: touch.at, block: self.number, thread },
                    space: Space::Shared,
                    address: cell * grain,
                })
            })
        })
    }
}
