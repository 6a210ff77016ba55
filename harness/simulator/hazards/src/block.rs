//! The state of hazard detection for one block while it runs.

use std::collections::HashMap;

use super::arrays::{Array, arrays};
use super::bytes::{Bytes, mask};
use super::clocks::VectorClocks;
use super::copies::Copies;
use super::facts::{Facts, Traits};
use super::finding::{Actor, Finding, HazardKind};
use super::grid::RemoteAccess;
use super::maps::Maps;
use super::products::UnderWay;
use super::shared::{Shadow, Stamp};
use execution::context::Context;
use execution::listener::{Kind, Touch};
use program::registers::LANES;
use ptx::Space;

/// What the sizes of a block's records follow from, beside its kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) threads: u32,
    shared_bytes: u64,
    dynamic_shared_bytes: u32,
    local_stride: u64,
}

impl Shape {
    pub(super) fn of(cx: &Context) -> Shape {
        Shape {
            threads: cx.threads.iter().product(),
            shared_bytes: cx.spaces.shared_bytes,
            dynamic_shared_bytes: cx.dynamic_shared_bytes,
            local_stride: cx.spaces.local_stride(),
        }
    }
}

/// The state of hazard detection for one block.
pub struct BlockHazards {
    pub(super) shape: Shape,
    pub(super) number: u64,
    pub(super) clocks: VectorClocks,
    /// The tick at which it began.
    pub(super) began: u32,
    /// Its place in its cluster, and the cluster's number.
    pub(super) rank: u32,
    pub(super) cluster: u64,
    /// The tick of each thread's last fence between the proxies.
    pub(super) proxied: Vec<u32>,
    /// The initialisation of each `mbarrier`, by its offset, that the asynchronous proxy may not see.
    pub(super) unseen: HashMap<u64, Stamp>,
    /// Tensor maps that it has changed.
    pub(super) maps: Maps,
    /// For each warp its products under way; empty in a kernel without any.
    pub(super) products: Vec<UnderWay>,
    /// For each warp the last `setmaxnreg`, and its registers.
    pub(super) asked: HashMap<u32, (u32, u32)>,
    /// Its bulk copies under way.
    pub(super) copies: Copies,
    /// How often each thread has arrived at the barrier of the cluster.
    pub(super) phases: Vec<u32>,
    /// How many of its phases it has waited for.
    pub(super) waited: Vec<u32>,
    /// What its threads know of other blocks.
    pub(super) remote: RemoteAccess,
    pub(super) shadow: Shadow,
    /// The value stored last in each cell of shared memory.
    pub(super) values: Vec<u64>,
    /// The initialised bytes of shared memory.
    pub(super) written: Bytes,
    /// The initialised bytes of local memory, thread after thread.
    local: Bytes,
    /// For each warp and access, the barrier since which it was first executed, and its sequence number since then.
    history: Vec<(u32, u32)>,
    accesses: usize,
    turn: u32,
    /// The allocation that each access hit last.
    hints: Vec<u32>,
    /// The arrays in shared memory.
    pub(super) arrays: Vec<Array>,
    /// For each warp and barrier of [`Facts::barriers`], the lanes that have passed it for the last time, and a basic
    /// block that shows it.
    pub(super) behind: Vec<(u32, u32)>,
}

impl BlockHazards {
    pub(super) fn new(cx: &Context, facts: &Facts) -> BlockHazards {
        let shape = Shape::of(cx);
        let threads = shape.threads;
        let warps = threads.div_ceil(LANES as u32) as usize;
        let cells = facts.shared_grain.count(cx.spaces.shared_bytes) as usize;
        BlockHazards {
            shape,
            number: 0,
            clocks: VectorClocks::new(threads),
            began: 0,
            rank: 0,
            cluster: 0,
            proxied: vec![0; warps * LANES],
            unseen: HashMap::new(),
            maps: Maps::default(),
            products: (0..warps).filter(|_| facts.products).map(|_| UnderWay::default()).collect(),
            asked: HashMap::new(),
            copies: Copies::default(),
            phases: vec![0; threads as usize],
            waited: vec![0; threads as usize],
            remote: RemoteAccess::default(),
            shadow: Shadow::new(cells, warps),
            values: vec![0; cells],
            written: Bytes::new(cx.spaces.shared_bytes),
            local: Bytes::new(shape.local_stride * u64::from(threads)),
            history: vec![(0, 0); warps * facts.accesses as usize],
            accesses: facts.accesses as usize,
            turn: 0,
            hints: vec![u32::MAX; facts.accesses as usize],
            behind: vec![(0, 0); warps * facts.barriers.len()],
            arrays: arrays(cx),
        }
    }

    /// Begins the context's block.
    pub(super) fn begin(&mut self, cx: &Context) {
        let [width, height, _] = cx.grid.map(u64::from);
        let [x, y, z] = cx.block.map(u64::from);
        self.number = (z * height + y) * width + x;
        self.proxied.fill(0);
        self.unseen.clear();
        self.maps.clear();
        self.products.fill_with(UnderWay::default);
        self.asked.clear();
        self.copies = Copies::default();
        if self.clocks.begin() {
            self.shadow.clear();
            self.history.fill((0, 0));
        }
        self.began = self.clocks.now();
        self.rank = cx.clusters.rank(cx.block);
        self.cluster = cx.clusters.number(cx.block);
        self.phases.fill(0);
        self.waited.fill(0);
        self.remote = RemoteAccess::default();
        self.written.clear();
        for offset in cx.program.reserved_shared().into_iter().flatten() {
            self.written.set(offset as u64, 1);
        }
        self.local.clear();
        self.behind.fill((0, 0));
        self.turn = 0;
    }

    /// Bytes of its records, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<BlockHazards>() + self.shadow.bytes() + self.values.len() * size_of::<u64>()
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Its number, and the last tick before it began.
    pub(super) fn since(&self) -> (u64, u32) {
        (self.number, self.began - 1)
    }

    /// Records that a warp executed an access.
    pub(super) fn remember(&mut self, warp: u32, number: u32) {
        self.turn += 1;
        let since = self.clocks.since(warp);
        let first = &mut self.history[warp as usize * self.accesses + number as usize];
        if first.0 != since {
            *first = (since, self.turn);
        }
    }

    fn first(&self, warp: u32, number: u32) -> Option<u32> {
        let (since, turn) = self.history[warp as usize * self.accesses + number as usize];
        (since == self.clocks.since(warp)).then_some(turn)
    }

    /// Whether one access comes before another in the program, between two barriers.
    pub(super) fn is_before(&self, facts: &Facts, one: (u32, u32), other: (u32, u32)) -> bool {
        let number = |at: u32| facts.traits[at as usize].number;
        [other.1, one.1]
            .into_iter()
            .find_map(|thread| {
                let warp = thread / LANES as u32;
                let first = self.first(warp, number(one.0))?;
                Some(first < self.first(warp, number(other.0))?)
            })
            .unwrap_or(one.0 <= other.0)
    }

    /// The finding of a read of uninitialised shared memory.
    pub(super) fn unwritten_shared(
        &mut self,
        facts: &Facts,
        touch: &Touch,
        base: u64,
    ) -> Option<Finding> {
        let is_row = touch.bytes == 4 && touch.is_row();
        if is_row && self.written.has_row(touch.first() - base) {
            return None;
        }
        let own = &facts.traits[touch.at as usize];
        let wanted = used_bytes(touch, own);
        let most = if touch.is_uniform() { 1 } else { LANES };
        for (lane, address) in touch.active().take(most) {
            let missing = wanted & !self.written.get(address - base, touch.bytes);
            if missing != 0 {
                return Some(self.unwritten(touch, lane, Space::Shared, address - base, missing));
            }
        }
        None
    }

    /// Records an access to local memory; the finding if it reads what its thread never wrote. One initialised byte of
    /// a wide access is enough, because it may copy a structure with padding.
    pub(super) fn touch_local(
        &mut self,
        facts: &Facts,
        cx: &Context,
        touch: &Touch,
        base: u64,
    ) -> Option<Finding> {
        let own = &facts.traits[touch.at as usize];
        let wanted = used_bytes(touch, own);
        let stride = cx.spaces.local_stride();
        for (lane, address) in touch.active() {
            let thread = u64::from(touch.warp) * LANES as u64 + lane as u64;
            let place = thread * stride + (address - base);
            if touch.kind == Kind::Store {
                self.local.set(place, touch.bytes);
            } else if !own.parameter
                && wanted != 0
                && wanted & self.local.get(place, touch.bytes) == 0
            {
                return Some(self.unwritten(touch, lane, Space::Local, address - base, wanted));
            }
        }
        None
    }

    pub(super) fn unwritten(
        &self,
        touch: &Touch,
        lane: usize,
        space: Space,
        address: u64,
        missing: u64,
    ) -> Finding {
        let thread = touch.warp * LANES as u32 + lane as u32;
        Finding {
            kind: HazardKind::Uninitialised { bytes: touch.bytes as u32 },
            actor: Actor { at: touch.at, block: self.number, thread },
            space,
            address: address + u64::from(missing.trailing_zeros()),
        }
    }

    /// The allocation that contains an access, and the offset there.
    pub(super) fn find(
        &mut self,
        cx: &Context,
        number: u32,
        address: u64,
        bytes: u64,
    ) -> Option<(usize, u64)> {
        if address & (bytes - 1) != 0 {
            return None;
        }
        let all = cx.spaces.memory.allocations();
        let hint = &mut self.hints[number as usize];
        if let Some(known) = all.get(*hint as usize)
            && let Some(offset) = known.offset(address, bytes)
        {
            return Some((*hint as usize, offset));
        }
        let index = cx.spaces.memory.find(address, bytes)?;
        *hint = index as u32;
        Some((index, address - all[index].address))
    }
}

/// One bit for each byte of an access that the program uses.
pub(super) fn used_bytes(touch: &Touch, own: &Traits) -> u64 {
    own.used_bytes & mask(touch.bytes)
}
