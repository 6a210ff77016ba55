//! Accesses that leave the array in shared memory by whose name they were made.
//!
//! Arrays lie side by side in a block's shared memory, so an index that is too large hits the next one, and no address
//! is out of bounds.

use super::block::OfBlock;
use super::facts::Facts;
use super::finding::{Actor, Finding, Wrong};
use super::inside::lanes_inside;
use crate::exec::listener::{Kind, Touch};
use crate::fault::Deed;
use crate::registers::LANES;
use crate::space::Space;

impl OfBlock {
    /// An access that is in none of the arrays from whose names its address comes.
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
        let address = touch.addresses[lane];
        let array = *arrays().min_by_key(|array| array.distance(address - base))?;
        let deed = match touch.kind {
            Kind::Load => Deed::Read,
            Kind::Store | Kind::Announcement => Deed::Write,
            Kind::Atomic => Deed::Atomic,
        };
        let thread = touch.warp * LANES as u32 + lane as u32;
        Some(Finding {
            wrong: Wrong::Overrun { array, deed, bytes: touch.bytes as u32 },
            actor: Actor { at: touch.at, block: self.number, thread },
            space: Space::Shared,
            address: address - base,
        })
    }
}
