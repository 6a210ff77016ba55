//! The observer interface of the executor.
//!
//! The executor is compiled twice: for a listener that records nothing, at no cost, and for one that is called for
//! every memory access, divergent branch and barrier. A listener belongs to one multiprocessor; its state for a block
//! is its [`Listener::Block`].

use super::build::Build;
use super::context::Context;
use super::transfer::addresses;
use super::work::Work;
use program::Scope;
use program::registers::{LANES, Register, Registers, lanes};
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
    /// What it does.
    pub kind: Kind,
    /// The space that the instruction names.
    pub space: Space,
    /// Bytes that each lane accesses.
    pub bytes: u64,
    /// The address of each lane; those of inactive lanes are meaningless.
    pub addresses: &'a [u64; LANES],
    pattern: Pattern,
}

/// The pattern of a warp's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// One address for all active lanes.
    One,
    /// All lanes are active and access consecutive elements.
    Row,
    Other,
}

impl Pattern {
    /// That of accesses of so many bytes by all lanes, of which `step` is what [`Step`](super::transfer::Step) finds.
    #[inline(always)]
    pub(super) fn of_step(step: Option<u8>, bytes: u64) -> Pattern {
        match step.map(u64::from) {
            Some(0) => Pattern::One,
            Some(step) if step == bytes => Pattern::Row,
            _ => Pattern::Other,
        }
    }

    #[inline(always)]
    fn of(addresses: &[u64; LANES], bytes: u64, mask: u32) -> Pattern {
        let first = addresses[mask.trailing_zeros() as usize % LANES];
        if mask != u32::MAX {
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

/// Finds the lanes' addresses and what is seen of them.
struct Find<'a> {
    registers: &'a Registers,
    register: Register,
    plus: i64,
    bytes: u64,
    mask: u32,
    pattern: Option<Pattern>,
    addresses: &'a mut [u64; LANES],
}

impl Work for Find<'_> {
    type Result = Pattern;

    #[inline(always)]
    fn run(self) -> Pattern {
        *self.addresses = addresses(self.registers, self.register, self.plus);
        match self.pattern {
            // One in 32 bits may wrap around within.
            Some(pattern) if self.addresses[0] <= self.addresses[LANES - 1] => pattern,
            _ => Pattern::of(self.addresses, self.bytes, self.mask),
        }
    }
}

impl<'a> Touch<'a> {
    /// An access of `bytes` bytes by each lane of `mask`, by the instruction at index `at`.
    #[inline(always)]
    pub fn new(
        (at, warp, mask): (u32, u32, u32),
        (kind, space, bytes): (Kind, Space, u64),
        addresses: &'a [u64; LANES],
    ) -> Touch<'a> {
        let pattern = Pattern::of(addresses, bytes, mask);
        Touch { at, warp, mask, kind, space, bytes, addresses, pattern }
    }

    /// The same at the addresses that a register holds, and so many bytes on; with the pattern if that is known.
    #[inline(always)]
    pub(super) fn find(
        build: Build,
        (at, warp, mask): (u32, u32, u32),
        (kind, space, bytes): (Kind, Space, u64),
        (registers, register, plus): (&Registers, Register, i64),
        pattern: Option<Pattern>,
        addresses: &'a mut [u64; LANES],
    ) -> Touch<'a> {
        let addresses_of = &mut *addresses;
        let find =
            Find { registers, register, plus, bytes, mask, pattern, addresses: addresses_of };
        let pattern = build.run(find);
        Touch { at, warp, mask, kind, space, bytes, addresses, pattern }
    }

    /// The same access by only the lanes of `mask`.
    #[inline(always)]
    pub fn of_lanes(&self, mask: u32) -> Touch<'a> {
        let pattern = match mask == self.mask {
            true => self.pattern,
            false => Pattern::of(self.addresses, self.bytes, mask),
        };
        Touch { mask, pattern, ..*self }
    }

    /// Whether the active lanes all have the same address.
    #[inline(always)]
    pub fn is_uniform(&self) -> bool {
        self.pattern == Pattern::One
    }

    /// Whether all lanes are active and access consecutive elements.
    #[inline(always)]
    pub fn is_row(&self) -> bool {
        self.pattern == Pattern::Row
    }

    /// The active lanes, lowest first, each with its address.
    #[inline]
    pub fn active(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        lanes(self.mask).map(|lane| (lane, self.addresses[lane]))
    }
}

/// A request to the texture unit that is about to be executed: of each lane up to eight texels, or an element of a
/// surface, all in global memory.
pub struct Texels<'a> {
    /// Index of the instruction in [`Program::code`](program::Program::code).
    pub at: u32,
    /// Index of the warp in its block.
    pub warp: u32,
    /// What it does.
    pub kind: Kind,
    /// Bytes of a texel.
    pub bytes: u64,
    /// For each texel of the footprint, the lanes that read it and its address for each lane.
    pub taps: &'a [(u32, [u64; LANES])],
}

impl Texels<'_> {
    /// One access for each texel of the footprint.
    #[inline]
    pub fn touches(&self) -> impl Iterator<Item = Touch<'_>> {
        let &Texels { at, warp, kind, bytes, taps } = self;
        let what = (kind, Space::Global, bytes);
        let taps = taps.iter().filter(|(mask, _)| *mask != 0);
        taps.map(move |(mask, addresses)| Touch::new((at, warp, *mask), what, addresses))
    }
}

/// Lanes of a warp that reached a barrier of the block, or an exchange.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    /// Index of the warp in its block.
    pub warp: u32,
    /// These lanes, one bit each.
    pub mask: u32,
    /// Index of the instruction in [`Program::code`](program::Program::code).
    pub at: u32,
}

/// What orders the accesses of threads.
#[expect(missing_docs, reason = "the variants' comments are of their fields too")]
#[derive(Debug, Clone, Copy)]
pub enum Order<'a> {
    /// Lanes reach a barrier of the block, without the lanes `left` of their warp.
    Arrives { arrival: Arrival, left: u32 },
    /// Lanes arrive at a barrier without waiting (`bar.arrive`).
    GoesBy { arrival: Arrival, number: usize },
    /// A barrier is complete; `arrivals` waited there: all live threads of the block if `whole`.
    Passes { arrivals: &'a [Arrival], number: usize, whole: bool },
    /// Lanes of a warp have synchronised (`bar.warp.sync`); `live` are all lanes that have not exited.
    Meets { warp: u32, mask: u32, live: u32 },
    /// Lanes execute a fence.
    Fences { arrival: Arrival, scope: Scope },
}

/// Is notified of what the warps of one multiprocessor execute.
pub trait Listener {
    /// Its state for one block, created when the block begins.
    type Block;
    /// What it records.
    type Records;
    /// `false` compiles the executor without the calls.
    const LISTENS: bool;

    /// Called when a block begins.
    fn begin(&mut self, cx: &Context) -> Self::Block;
    /// Called when a block has finished.
    fn end(&mut self, own: Self::Block);
    /// Whether warps take turns after every basic block that accesses global memory, roughly as on hardware, and not only
    /// where they wait. It changes cache hits, and results where a barrier is missing.
    fn interleaves(&self) -> bool;
    /// Whether blocks that communicate may see each other's strong writes as late as the memory model allows: what a kernel
    /// computes is verified then, and what it does is not counted.
    fn weakens(&self) -> bool {
        false
    }
    /// Called when the lanes of `mask` enter a basic block.
    fn enters(&mut self, own: &mut Self::Block, block: u32, warp: u32, mask: u32);
    /// Called before a memory access.
    fn touches(&mut self, own: &mut Self::Block, cx: &Context, r: &Registers, touch: &Touch);
    /// Called before texels are read, or elements of a surface are read or written.
    fn samples(&mut self, own: &mut Self::Block, cx: &Context, r: &Registers, texels: &Texels);
    /// Called before lanes of a warp exchange values.
    fn exchanges(&mut self, own: &mut Self::Block, cx: &Context, r: &Registers, arrival: Arrival);
    /// Called when a warp diverges at a branch.
    fn parts(&mut self, at: u32);
    /// Called when the guard of an instruction is true for some lane.
    fn passes(&mut self, at: u32);
    /// Called when a barrier, fence or the like orders accesses.
    fn orders(&mut self, own: &mut Self::Block, cx: &Context, order: Order);
    /// What it has recorded, after its last block.
    fn records(self) -> Option<Self::Records>;
}

/// A listener that records nothing.
pub struct Unwatched;

impl Listener for Unwatched {
    type Records = ();
    type Block = ();
    const LISTENS: bool = false;

    fn begin(&mut self, _: &Context) {}
    fn end(&mut self, (): ()) {}
    fn interleaves(&self) -> bool {
        false
    }
    fn enters(&mut self, (): &mut (), _: u32, _: u32, _: u32) {}
    fn touches(&mut self, (): &mut (), _: &Context, _: &Registers, _: &Touch) {}
    fn samples(&mut self, (): &mut (), _: &Context, _: &Registers, _: &Texels) {}
    fn exchanges(&mut self, (): &mut (), _: &Context, _: &Registers, _: Arrival) {}
    fn parts(&mut self, _: u32) {}
    fn passes(&mut self, _: u32) {}
    fn orders(&mut self, (): &mut (), _: &Context, _: Order) {}
    fn records(self) -> Option<()> {
        None
    }
}
