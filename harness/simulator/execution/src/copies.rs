//! Copies from global to shared memory for which a thread does not wait at once.
//!
//! They may happen at any time between the instruction and the wait for it: here memory is read by the first and
//! written by the second, so that whoever does not wait finds what was there before.

use super::atomics::updated;
use super::cause::Cause;
use super::landings::Landing;
use super::listener::{Kind, Touch};
use super::peers::Peers;
use super::spaces::{Refused, Spaces, refuse, window};
use super::transfer::{addresses, scattered};
use crate::fault::AccessError;
use memory::Storage;
use program::registers::{LANES, Registers, lanes};
use program::{AsyncCopy, AtomicOperation, AtomicType, BulkCopy, Part};
use ptx::Space;

/// Copies of a warp's lanes that are under way.
#[derive(Default)]
pub struct Copies {
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
        let global = (Space::Global, false);
        for (read, mask) in reads(registers, copy, mask) {
            if read == bytes {
                at_each(spaces, local, global, &from, bytes, mask, |storage, offset, lane| {
                    for (k, word) in (0..bytes / 4).zip(&mut words[lane]) {
                        *word = storage.load(offset + 4 * k, 4) as u32;
                    }
                })?;
                continue;
            }
            for k in 0..read {
                let from = from.map(|address| address.wrapping_add(k));
                at_each(spaces, local, global, &from, 1, mask, |storage, offset, lane| {
                    let byte = storage.load(offset, 1) as u32;
                    words[lane][(k / 4) as usize] |= byte << (8 * (k % 4));
                })?;
            }
        }
        self.under_way.push(UnderWay { at, mask, to, bytes, words, group: self.closed });
        Ok(())
    }

    /// For the lanes of `mask`, copies begun since the last time are a group.
    pub(super) fn commit(&mut self, mask: u32) {
        for lane in lanes(mask) {
            self.closed[lane] += 1;
        }
    }

    /// The lanes of `mask` wait until no more than `left` groups are under way, or for all copies. `report` gets
    /// what is written just before it is.
    pub(super) fn wait(
        &mut self,
        spaces: &Spaces,
        warp: u32,
        (mask, left): (u32, Option<u32>),
        mut report: impl FnMut(&Touch),
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
            report(&Touch::new((copy.at, warp, over), what, &copy.to));
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

/// Bytes that a copy reads, with the lanes that read so many.
pub(super) fn reads(registers: &Registers, copy: &AsyncCopy, mask: u32) -> Vec<(u64, u32)> {
    let whole = copy.bytes;
    let all = match copy.part {
        Part::Whole => vec![(whole, mask)],
        Part::Unless(predicate) => vec![(whole, mask & !registers.predicate(predicate))],
        Part::Bytes(register) => {
            let wanted = registers.word(register);
            let of = |bytes| {
                let read = |&lane: &usize| whole.min(wanted[lane].into()) == bytes;
                lanes(mask).filter(read).fold(0, |mask, lane| mask | 1 << lane)
            };
            (1..=whole).map(|bytes| (bytes, of(bytes))).collect()
        }
    };
    all.into_iter().filter(|&(_, mask)| mask != 0).collect()
}

/// Bytes that a bulk copy moves at once.
const PIECE: u64 = 16;

/// Copies in one go, for one lane of `mask` after the other. `report` gets each piece just before it is copied.
///
/// What it brings to shared memory lands with the others of `landing`; without one it is done where it begins, and who does
/// not wait for it sees it all the same, but is not ordered with it.
pub(super) fn bulk(
    spaces: &Spaces,
    (registers, local): (&Registers, &Storage),
    copy: &BulkCopy,
    (at, warp, mask): (u32, u32, u32),
    mut landing: Option<&mut Landing>,
    mut report: impl FnMut(&Touch),
) -> Result<(), Refused> {
    let place = |(space, register, plus)| (space, addresses(registers, register, plus));
    let ((from_space, from), (to_space, to)) = (place(copy.from), place(copy.to));
    for lane in lanes(mask) {
        let bytes = u64::from(registers.word(copy.bytes)[lane]);
        if bytes % PIECE != 0 {
            let (write, space, address) = (false, from_space, from[lane].wrapping_add(bytes));
            let problem = AccessError::Misaligned;
            let bytes = PIECE as u32;
            return Err(Box::new((lane, Cause::Access { problem, write, space, bytes, address })));
        }
        for piece in (0..bytes).step_by(PIECE as usize) {
            let mask = 1 << lane;
            let mut words = [0; 4];
            let write = if copy.reduces.is_some() { Kind::Atomic } else { Kind::Store };
            let to_ranks = match copy.ranks {
                Some(ranks) => Peers::of_mask(registers.word(ranks)[lane]).collect(),
                None => vec![spaces.peers.rank],
            };
            let targets = to_ranks.into_iter().map(|rank| match copy.ranks {
                Some(_) => (to_space, to.map(|to| spaces.peers.mapped(to, rank)), write),
                None => (to_space, to, write),
            });
            let ends = [(from_space, from, Kind::Load)].into_iter().chain(targets);
            for (space, addresses, kind) in ends {
                let addresses = &addresses.map(|address| address.wrapping_add(piece));
                let touch = Touch::new((at, warp, mask), (kind, space, PIECE), addresses);
                report(&match kind {
                    Kind::Store => touch.of_copied(piece_of(&words)),
                    _ => touch,
                });
                let is_write = kind == write;
                at_each(
                    spaces,
                    local,
                    (space, is_write),
                    addresses,
                    PIECE,
                    mask,
                    |s, offset, _| {
                        if let Some(reduces) = copy.reduces.filter(|_| is_write) {
                            return combine(s, offset, &words, reduces);
                        }
                        if let Some(landing) = landing.as_mut().filter(|_| is_write) {
                            let address = addresses[lane];
                            for (k, pair) in (0..).zip(words.chunks(2)) {
                                landing.bring((space, address + 8 * k), 8, pair[0] | pair[1] << 32);
                            }
                            return;
                        }
                        for (k, word) in (0..).zip(&mut words) {
                            if is_write {
                                s.store(offset + 4 * k, 4, *word);
                            } else {
                                *word = s.load(offset + 4 * k, 4);
                            }
                        }
                    },
                )?;
            }
        }
    }
    Ok(())
}

/// The bytes of a piece in four words, the lowest first.
fn piece_of(words: &[u64; 4]) -> u128 {
    words.iter().rev().fold(0, |all, &word| all << 32 | u128::from(word))
}

/// Combines the elements of a piece with those that are there.
fn combine(
    storage: &Storage,
    offset: u64,
    words: &[u64; 4],
    (operation, of): (AtomicOperation, AtomicType),
) {
    let bytes = of.bytes();
    for first in (0..PIECE).step_by(bytes as usize) {
        let word = (first / 4) as usize;
        let value = match bytes {
            8 => words[word] | words[word + 1] << 32,
            _ => words[word] >> (8 * (first % 4)) & (u64::MAX >> (64 - 8 * bytes)),
        };
        storage.update(offset + first, bytes, |old| updated((operation, of), old, value, 0));
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
