//! Copies from global to shared memory for which a thread does not wait at once.
//!
//! They may happen at any time between the instruction and the wait for it: here memory is read by the first and
//! written by the second, so that whoever does not wait finds what was there before.

use super::listener::{Kind, Touch};
use super::memory::{addresses, scattered};
use super::spaces::{Refused, Spaces, refuse, window};
use crate::memory::Storage;
use crate::program::AsyncCopy;
use crate::registers::{LANES, Registers, lanes};
use crate::space::Space;

/// Copies of a warp's lanes that are under way.
#[derive(Default)]
pub(crate) struct Copies {
    under_way: Vec<UnderWay>,
    /// Groups that each lane has closed.
    closed: [u32; LANES],
}

/// What one execution of an instruction copies.
struct UnderWay {
    /// The instruction's place in the program.
    at: u32,
    /// Lanes that have not waited for it yet.
    mask: u32,
    to: [u64; LANES],
    bytes: u64,
    words: [[u32; 4]; LANES],
    /// For each lane the groups that it had closed before.
    group: [u32; LANES],
}

impl Copies {
    /// A block begins; what was under way in the one before is of no interest to anyone.
    pub(super) fn clear(&mut self) {
        self.under_way.clear();
        self.closed = [0; LANES];
    }

    /// The lanes of `mask`, which is not empty, begin a copy.
    pub(super) fn begin(
        &mut self,
        spaces: &Spaces,
        (registers, local): (&Registers, &Storage),
        copy: &AsyncCopy,
        (at, mask): (u32, u32),
    ) -> Result<(), Refused> {
        let from = addresses(registers, copy.from, copy.from_plus);
        let to = addresses(registers, copy.to, copy.to_plus);
        let bytes = copy.bytes;
        let mut words = [[0; 4]; LANES];
        // Looks where it will write before anything is read.
        at_each(spaces, local, (Space::Shared, true), &to, bytes, mask, |_, _, _| {})?;
        at_each(
            spaces,
            local,
            (Space::Global, false),
            &from,
            bytes,
            mask,
            |storage, offset, lane| {
                for (k, word) in (0..bytes / 4).zip(&mut words[lane]) {
                    *word = storage.load(offset + 4 * k, 4) as u32;
                }
            },
        )?;
        self.under_way.push(UnderWay { at, mask, to, bytes, words, group: self.closed });
        Ok(())
    }

    /// For the lanes of `mask`, copies begun since the last time are a group.
    pub(super) fn commit(&mut self, mask: u32) {
        for lane in lanes(mask) {
            self.closed[lane] += 1;
        }
    }

    /// The lanes of `mask` wait until no more than `left` groups are under way, or for all copies. `tell` is told of
    /// what is written just before it is.
    pub(super) fn wait(
        &mut self,
        spaces: &Spaces,
        warp: u32,
        (mask, left): (u32, Option<u32>),
        mut tell: impl FnMut(&Touch),
    ) {
        for copy in &mut self.under_way {
            let is_over = |lane: &usize| {
                left.is_none_or(|left| copy.group[*lane].saturating_add(left) < self.closed[*lane])
            };
            let over = lanes(mask & copy.mask).filter(is_over).fold(0, |over, l| over | 1 << l);
            if over == 0 {
                continue;
            }
            let what = (Kind::Store, Space::Shared, copy.bytes);
            tell(&Touch::new((copy.at, warp, over), what, &copy.to));
            for lane in lanes(over) {
                for (k, word) in (0..copy.bytes / 4).zip(copy.words[lane]) {
                    spaces.shared.store(copy.to[lane] + 4 * k, 4, word.into());
                }
            }
            copy.mask &= !over;
        }
        self.under_way.retain(|copy| copy.mask != 0);
    }
}

/// Calls `each` with the place of every lane's access.
fn at_each(
    spaces: &Spaces,
    local: &Storage,
    (space, is_write): (Space, bool),
    addresses: &[u64; LANES],
    bytes: u64,
    mask: u32,
    each: impl FnMut(&Storage, u64, usize),
) -> Result<(), Refused> {
    let lane = mask.trailing_zeros() as usize;
    let mut hint = u32::MAX;
    let window = window(spaces, local, space, addresses[lane], is_write, &mut hint)
        .ok_or_else(|| refuse(spaces, lane, space, addresses[lane], bytes, is_write))?;
    scattered(spaces, local, space, &window, addresses, bytes, &mut hint, mask, is_write, each)
}
