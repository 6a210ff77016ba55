//! A memory access of a warp, as listeners get it.

use super::build::Build;
use super::transfer;
use super::work::Work;
use program::registers::{FULL, File, LANES, Register, Registers, lanes};
use ptx::Space;

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Announces a later store of an asynchronous copy; until then the contents are undefined.
    Announcement,
    /// Reads and writes at once.
    Atomic,
}

/// A load, store, atomic or announcement that is about to be executed; its addresses are not checked yet.
pub struct Touch<'a> {
    /// Index of the instruction in [`Program::code`](program::Program::code).
    pub at: u32,
    /// Index of the warp in its block.
    pub warp: u32,
    /// Active lanes, one bit each; at least one.
    pub mask: u32,
    /// Whether it reads, writes, does both, or announces a store.
    pub kind: Kind,
    /// The space that the instruction names.
    pub space: Space,
    /// Bytes that each lane accesses.
    pub bytes: u64,
    /// What a copy stores, where that is known: up to 16 bytes, the lowest first. Others store registers.
    pub copied: Option<u128>,
    addresses: Addresses<'a>,
}

/// The addresses of a warp's lanes; those of inactive lanes are meaningless.
#[derive(Clone, Copy)]
pub(super) enum Addresses<'a> {
    /// That of the first lane, and the distance of each lane from the one before.
    Steps(u64, u64),
    /// Each of them, and whether those of all active lanes are equal.
    Each(&'a [u64; LANES], bool),
}

/// What is seen of addresses that were looked at one by one.
#[derive(Clone, Copy)]
pub(super) enum Pattern {
    /// One address for all active lanes.
    One,
    /// All lanes are active and access consecutive elements.
    Row,
    Other,
}

impl Pattern {
    #[inline(always)]
    fn of(addresses: &[u64; LANES], bytes: u64, mask: u32) -> Pattern {
        let first = addresses[mask.trailing_zeros() as usize % LANES];
        if mask != FULL {
            let mut others = 0;
            for (lane, address) in addresses.iter().enumerate() {
                others |= u32::from(*address != first) << lane;
            }
            return if others & mask == 0 { Pattern::One } else { Pattern::Other };
        }
        // Most others differ at once.
        let last = addresses[LANES - 1];
        let (pattern, step) = match last.wrapping_sub(first) {
            0 => (Pattern::One, 0),
            gap if gap == bytes * (LANES as u64 - 1) => (Pattern::Row, bytes),
            _ => return Pattern::Other,
        };
        let mut differs = 0;
        for lane in 0..LANES {
            differs |= addresses[lane] ^ first.wrapping_add(step * lane as u64);
        }
        if differs == 0 { pattern } else { Pattern::Other }
    }
}

/// Finds the lanes' addresses: those that a register holds, and so many bytes on.
pub(super) struct Find<'a> {
    pub registers: &'a Registers,
    pub register: Register,
    pub plus: i64,
    pub bytes: u64,
    pub mask: u32,
}

impl Work for Find<'_> {
    type Result = ([u64; LANES], Pattern);

    #[inline(always)]
    fn run(self) -> ([u64; LANES], Pattern) {
        let addresses = transfer::addresses(self.registers, self.register, self.plus);
        let pattern = Pattern::of(&addresses, self.bytes, self.mask);
        (addresses, pattern)
    }
}

impl<'a> Addresses<'a> {
    /// Of lanes whose registers differ by `step` each from the one before.
    #[inline(always)]
    fn by_steps(find: &Find, step: u64) -> Option<Addresses<'static>> {
        let Register { file, index } = find.register;
        let all = step * (LANES as u64 - 1);
        let first = match file {
            File::Doubles => {
                let first = find.registers.double(index)[0].wrapping_add_signed(find.plus);
                first.checked_add(all).map(|_| first)
            }
            // Addresses in 32 bits wrap there.
            _ => {
                let first = find.registers.word(index)[0].wrapping_add(find.plus as u32);
                first.checked_add(all as u32).map(|_| first.into())
            }
        };
        first.map(|first| Addresses::Steps(first, step))
    }

    #[inline(always)]
    fn seen(addresses: &'a [u64; LANES], pattern: Pattern, (bytes, mask): (u64, u32)) -> Self {
        match pattern {
            Pattern::One if mask == FULL => Addresses::Steps(addresses[0], 0),
            Pattern::One => Addresses::Each(addresses, true),
            Pattern::Row => Addresses::Steps(addresses[0], bytes),
            Pattern::Other => Addresses::Each(addresses, false),
        }
    }

    #[inline(always)]
    fn of(addresses: &'a [u64; LANES], bytes: u64, mask: u32) -> Self {
        Addresses::seen(addresses, Pattern::of(addresses, bytes, mask), (bytes, mask))
    }

    /// The addresses that are looked for. If all lanes are active and their registers differ by the same from one to the next,
    /// `step` is that; otherwise they are put into `buffer`.
    #[inline(always)]
    pub(super) fn find(
        build: Build,
        find: Find,
        step: Option<u8>,
        buffer: &'a mut Option<[u64; LANES]>,
    ) -> Addresses<'a> {
        let (bytes, mask) = (find.bytes, find.mask);
        if let Some(addresses) = step.and_then(|step| Addresses::by_steps(&find, step.into())) {
            return addresses;
        }
        let (addresses, pattern) = build.run(find);
        Addresses::seen(buffer.insert(addresses), pattern, (bytes, mask))
    }
}

impl<'a> Touch<'a> {
    /// An access of `bytes` bytes by each lane of `mask`, by the instruction at index `at`.
    #[inline(always)]
    pub fn new(
        who: (u32, u32, u32),
        what: (Kind, Space, u64),
        addresses: &'a [u64; LANES],
    ) -> Touch<'a> {
        Touch::at(who, what, Addresses::of(addresses, what.2, who.2))
    }

    /// The same at addresses that have been looked at.
    #[inline(always)]
    pub(super) fn at(
        (at, warp, mask): (u32, u32, u32),
        (kind, space, bytes): (Kind, Space, u64),
        addresses: Addresses<'a>,
    ) -> Touch<'a> {
        Touch { at, warp, mask, kind, space, bytes, copied: None, addresses }
    }

    /// The same access, which stores these bytes.
    pub(super) fn of_copied(self, bytes: u128) -> Touch<'a> {
        Touch { copied: Some(bytes), ..self }
    }

    /// The same access by only the lanes of `mask`.
    #[inline(always)]
    pub fn of_lanes(&self, mask: u32) -> Touch<'a> {
        let addresses = match self.addresses {
            Addresses::Each(addresses, _) if mask != self.mask => {
                Addresses::of(addresses, self.bytes, mask)
            }
            same => same,
        };
        Touch { mask, addresses, ..*self }
    }

    /// Whether the active lanes all have the same address.
    #[inline(always)]
    pub fn is_uniform(&self) -> bool {
        match self.addresses {
            Addresses::Steps(_, step) => step == 0 || self.mask.is_power_of_two(),
            Addresses::Each(_, is_one) => is_one,
        }
    }

    /// Whether all lanes are active and access consecutive elements.
    #[inline(always)]
    pub fn is_row(&self) -> bool {
        self.mask == FULL
            && matches!(self.addresses, Addresses::Steps(_, step) if step == self.bytes)
    }

    /// The address of a lane; meaningless where the lane is not active.
    #[inline(always)]
    pub fn address(&self, lane: usize) -> u64 {
        match self.addresses {
            Addresses::Steps(first, step) => first.wrapping_add(step * lane as u64),
            Addresses::Each(addresses, _) => addresses[lane % LANES],
        }
    }

    /// The address of the first active lane.
    #[inline(always)]
    pub fn first(&self) -> u64 {
        self.address(self.mask.trailing_zeros() as usize)
    }

    /// The active lanes, lowest first, each with its address.
    #[inline]
    pub fn active(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        lanes(self.mask).map(|lane| (lane, self.address(lane)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHAT: (Kind, Space, u64) = (Kind::Load, Space::Global, 4);

    #[test]
    fn parts_of_a_row_are_what_they_would_be_alone() {
        for step in [0, 4, 8] {
            let each: [u64; LANES] = std::array::from_fn(|lane| 1000 + step * lane as u64);
            let whole = Touch::new((0, 0, FULL), WHAT, &each);
            assert_eq!((whole.is_row(), whole.is_uniform()), (step == 4, step == 0));
            for mask in [1, 1 << 31, 0b110, 0xffff] {
                let (part, alone) = (whole.of_lanes(mask), Touch::new((0, 0, mask), WHAT, &each));
                let is_one = step == 0 || mask.count_ones() == 1;
                assert_eq!((part.is_uniform(), alone.is_uniform()), (is_one, is_one), "{mask:x}");
                assert!(!part.is_row() && !alone.is_row());
                assert!(part.active().eq(alone.active()) && part.first() == alone.first());
            }
        }
    }

    #[test]
    fn lanes_that_differ_have_each_its_address() {
        let each: [u64; LANES] = std::array::from_fn(|lane| (lane as u64 * 7) % 32);
        let touch = Touch::new((0, 0, FULL), WHAT, &each);
        assert!(!touch.is_row() && !touch.is_uniform());
        assert!(touch.active().all(|(lane, address)| address == each[lane]));
        assert!(touch.of_lanes(1 << 5).is_uniform());
    }
}
