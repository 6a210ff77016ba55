//! The observer interface of the executor.
//!
//! The executor is compiled twice: for a listener that records nothing, at no cost, and for one that is called for
//! every memory access, divergent branch and barrier. A listener belongs to one multiprocessor; its state for a block
//! is its [`Listener::Block`].

use super::context::Context;
pub use super::touch::{Kind, Touch};
use program::registers::{LANES, Registers};
use program::{Groups, Proxied, Scope};
use ptx::Space;

/// A request to the texture unit that is about to be executed: of each lane up to eight texels, or an element of a
/// surface, all in global memory.
pub struct Texels<'a> {
    /// Index of the instruction in [`Program::code`](program::Program::code).
    pub at: u32,
    /// Index of the warp in its block.
    pub warp: u32,
    /// Whether it reads or writes.
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
    /// Lanes arrive at the barrier of their cluster; `releases` unless relaxed.
    ArrivesCluster { arrival: Arrival, releases: bool },
    /// Lanes have waited there, and go on: all live threads of the block if `whole`.
    PassesCluster { arrivals: &'a [Arrival], whole: bool },
    /// Lanes execute a fence between the generic proxy and the one of asynchronous copies.
    FencesProxy { arrival: Arrival, what: Proxied },
    /// Lanes acquire the tensor maps at these addresses.
    AcquiresMaps { arrival: Arrival, addresses: &'a [u64; LANES] },
    /// A warp makes a group of its `wgmma` products, or waits for groups.
    Products { arrival: Arrival, what: Groups },
    /// Lanes make a group of their bulk copies to global memory, or wait for groups.
    Sent { arrival: Arrival, what: Groups },
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
    fn diverges(&mut self, _at: u32) {}
    /// Called when the guard of an instruction is true for some lane.
    fn guard_holds(&mut self, _at: u32) {}
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
    fn orders(&mut self, (): &mut (), _: &Context, _: Order) {}
    fn records(self) -> Option<()> {
        None
    }
}
