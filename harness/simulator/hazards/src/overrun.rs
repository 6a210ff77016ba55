//! Accesses outside the array in shared memory whose name they use.
//!
//! The arrays of a block lie side by side in shared memory, so an index that is too large hits the next array, and its
//! address is not out of bounds.

use super::block::BlockHazards;
use super::facts::Facts;
use super::finding::{Actor, Finding, HazardKind};
use super::inside::lanes_inside;
use execution::AccessKind;
use execution::listener::{Kind, Touch};
use program::registers::LANES;
use ptx::Space;

impl BlockHazards {
    /// An access outside all arrays from whose names its address may come.
    pub(super) fn overrun(&self, facts: &Facts, touch: &Touch, base: u64) -> Option<Finding> {
        let wanted = facts.traits[touch.at as usize].arrays;
        if wanted == 0 {
            return None;
        }
        let arrays = || self.arrays.iter().filter(|array| wanted >> array.number & 1 != 0);
        let mut outside = touch.mask;
        for array in arrays() {
            outside &= !lanes_inside(touch, base + array.start, array.end - array.start);
            if outside == 0 {
                return None;
            }
        }
        let lane = outside.trailing_zeros() as usize % LANES;
        let address = touch.address(lane);
        let array = *arrays().min_by_key(|array| array.distance(address - base))?;
        let access = match touch.kind {
            Kind::Load => AccessKind::Read,
            Kind::Store | Kind::Announcement => AccessKind::Write,
            Kind::Atomic => AccessKind::Atomic,
        };
        let thread = touch.warp * LANES as u32 + lane as u32;
        Some(Finding {
            kind: HazardKind::Overrun { array, access, bytes: touch.bytes as u32 },
            actor: Actor { at: touch.at, block: self.number, thread },
            space: Space::Shared,
            address: address - base,
        })
    }
}
