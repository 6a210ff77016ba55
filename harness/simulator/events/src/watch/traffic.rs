//! Counts the memory traffic of every instruction.

mod banks;
mod beside;
mod cache;
mod copied;
mod engines;
mod flight;
mod later;
mod partial;
mod sectors;
mod tally;

use crate::Counts;
use execution::context::Context;
use execution::exchange;
use execution::listener::{Arrival, Kind, Texels, Touch};
use execution::peers::Named;
use execution::spaces::{Place, place};
use program::{Copying, Kernel, Operation};
use ptx::Space;
use ptx::space::SHARED_WINDOW;

use crate::{Coalescing, Machine};
use beside::Beside;
use cache::{Cache, Last};
use copied::Copied;
use engines::Rows;
use flight::Flight;
pub use later::Later;
use partial::Partial;
use program::registers::Registers;

/// Most sectors recorded for the L2 cache, over all multiprocessors. Later ones get the hit rates of the second half of
/// these, when the cache is warm.
const MOST_LATER: usize = 1 << 24;

/// Counts for one multiprocessor.
pub struct Traffic {
    machine: Machine,
    /// For each index of the program its PTX instruction.
    instruction_at: Vec<u32>,
    counts: Vec<Counts>,
    /// For each instruction, whether an engine beside the warp does it.
    of_engine: Vec<bool>,
    rows: Rows,
    copied: Copied,
    l1: Option<Cache>,
    last: Last,
    later: Later,
    most_later: usize,
    /// Buffer for the sectors of one request.
    sectors: Vec<u64>,
}

impl Traffic {
    /// Of a multiprocessor whose caches are cold.
    pub fn new(machine: Machine, kernel: &Kernel) -> Traffic {
        let instructions = kernel.instructions().count();
        Traffic {
            machine,
            instruction_at: kernel.instruction_at().to_vec(),
            counts: vec![Counts::default(); instructions],
            of_engine: kernel.instructions().map(|it| it.is_of_engine()).collect(),
            rows: Rows::default(),
            copied: Copied::default(),
            l1: (machine.l1_bytes > 0).then(|| Cache::new(machine.l1_bytes)),
            last: Last::default(),
            later: Later::new(instructions),
            most_later: MOST_LATER / machine.multiprocessors.max(1) as usize,
            sectors: Vec::new(),
        }
    }

    /// Counts of each instruction, except those of the L2 cache.
    pub fn counted(mut self) -> (Vec<Counts>, Later) {
        let counts = self.counts.iter_mut().zip(&self.of_engine);
        counts.filter(|(_, of_engine)| **of_engine).for_each(|(counts, _)| engines::pass(counts));
        (self.counts, self.later)
    }

    /// A warp diverges.
    pub fn diverges(&mut self, at: u32) {
        self.counts[self.instruction_at[at as usize] as usize].divergent += 1;
    }

    /// A memory access.
    pub fn touches(&mut self, cx: &Context, touch: &Touch) {
        let instruction = self.instruction_at[touch.at as usize];
        let counts = &mut self.counts[instruction as usize];
        if let Operation::Copying(Copying::Begin(_)) = cx.program.code[touch.at as usize].operation
        {
            match touch.kind {
                Kind::Announcement => {
                    counts.shared_requests += 1;
                    counts.shared_bytes += u64::from(touch.mask.count_ones()) * touch.bytes;
                    let passes = self.copied.passes(touch, self.machine.shared_banks);
                    counts.shared_wavefronts += passes;
                    return;
                }
                // It was counted when it was announced.
                Kind::Store => return,
                _ => self.copied.read(touch),
            }
        }
        if self.of_engine[instruction as usize] {
            self.sectors.clear();
            self.rows.touch(cx, touch, counts, &mut self.sectors);
            return self.caches(instruction, false);
        }
        let lanes = u64::from(touch.mask.count_ones());
        let first = touch.first();
        if touch.kind == Kind::Atomic {
            counts.atomics += 1;
            counts.atomic_lanes += lanes;
            counts.atomic_same_address += sectors::most_at_one_address(touch);
            counts.cluster_atomics += u64::from(lanes_away(cx, touch).count_ones());
        } else {
            counts.cluster_passes += passes_away(cx, touch);
        }
        // The first lane decides, because an access that mixes spaces is rare.
        match place(&cx.spaces, touch.space, first) {
            Place::Parameter => {}
            Place::Shared => {
                counts.shared_requests += 1;
                counts.shared_bytes += lanes * touch.bytes;
                counts.shared_wavefronts += banks::wavefronts(touch, self.machine.shared_banks);
            }
            Place::Constant => {
                counts.constant_requests += 1;
                counts.constant_wavefronts += sectors::distinct_addresses(touch);
            }
            Place::Local => {
                counts.local_requests += 1;
                counts.local_sectors += sectors::local(touch);
            }
            Place::Global => {
                counts.global_requests += 1;
                counts.global_bytes += lanes * touch.bytes;
                self.sectors.clear();
                sectors::global(touch, self.machine.coalescing, &mut self.sectors);
                counts.global_sectors += self.sectors.len() as u64;
                if touch.kind == Kind::Store {
                    counts.stored_lines += sectors::lines(&self.sectors);
                    partial::mark(touch, &mut self.sectors);
                }
                let through_l1 = touch.kind == Kind::Load && !cx.program.is_past_l1(touch.at);
                if through_l1 && self.l1.is_some() {
                    counts.l1_tags += sectors::tag_passes(&self.sectors);
                }
                self.caches(instruction, through_l1);
            }
        }
    }

    /// Lanes of a warp exchange values.
    pub fn exchanges(&mut self, cx: &Context, registers: &Registers, arrival: Arrival) {
        let instruction = self.instruction_at[arrival.at as usize];
        let turns = exchange::match_turns(cx.program, registers, arrival);
        self.counts[instruction as usize].match_turns += turns;
    }

    /// A request to the texture unit, whose cache is the L1 cache.
    pub fn samples(&mut self, texels: &Texels) {
        let instruction = self.instruction_at[texels.at as usize];
        self.sectors.clear();
        for touch in texels.touches() {
            sectors::global(&touch, Coalescing::Sectors, &mut self.sectors);
        }
        self.sectors.sort_unstable();
        self.sectors.dedup();
        let counts = &mut self.counts[instruction as usize];
        counts.texture_requests += 1;
        counts.texture_sectors += self.sectors.len() as u64;
        self.caches(instruction, texels.kind == Kind::Load);
    }

    /// Looks up the request's sectors in the L1 cache and keeps the misses.
    fn caches(&mut self, instruction: u32, through_l1: bool) {
        // Stores write through, atomics execute in L2, and strong or `.cg` loads bypass L1.
        let mut l1 = self.l1.as_mut().filter(|_| through_l1);
        let counts = &mut self.counts[instruction as usize];
        for line in self.sectors.chunk_by(|one, next| Cache::line(*one) == Cache::line(*next)) {
            let hits = l1.as_mut().map_or(0, |l1| l1.touch_all(line, &mut self.last));
            counts.l1_hits += u64::from(hits.count_ones());
            for &sector in line.iter().filter(|&&sector| hits & Cache::bit(sector) == 0) {
                self.later.add(instruction, sector, self.most_later);
            }
        }
    }
}

/// The lanes of an access that go to the shared memory of another block of the cluster, as a mask.
fn lanes_away(cx: &Context, touch: &Touch) -> u32 {
    let base = match touch.space {
        Space::Cluster => 0,
        Space::Generic => SHARED_WINDOW,
        _ => return 0,
    };
    if cx.clusters.size() == 1 {
        return 0;
    }
    let is_away =
        |address: u64| matches!(cx.spaces.peers.named(address.wrapping_sub(base)), Named::Peer(_));
    let lanes = touch.active().filter(|&(_, address)| is_away(address));
    lanes.fold(0, |mask, (lane, _)| mask | 1 << lane)
}

/// The passes that these take, if they load or store. An H200 took as long for 32 lanes of 64 bits next to each other as for
/// eight lanes of 32 bits in as many sectors, and half as long for each sector where lanes load 128 bits.
fn passes_away(cx: &Context, touch: &Touch) -> u64 {
    let mask = lanes_away(cx, touch);
    if mask == 0 {
        return 0;
    }
    let sectors = sectors::shared(&touch.of_lanes(mask));
    if touch.kind == Kind::Load && touch.bytes == 16 { sectors.div_ceil(2) } else { sectors }
}

/// Hits and misses of an instruction in the L2 cache.
#[derive(Default, Clone, Copy)]
struct Seen {
    hits: u64,
    /// Of these, those that were still on their way from memory.
    awaited: u64,
    all: u64,
    /// Those of the second half.
    late: (u64, u64),
}

/// Looks up in the L2 cache what went beyond the L1 caches, one sector of each multiprocessor in turn, and adds the
/// results to the counts of the instructions. `later` is in the order of the multiprocessors.
///
/// A store hits a sector that another store left. Otherwise memory has to be written sooner or later, even if the
/// sector was loaded before. `stores` marks the instructions that store.
pub fn count_l2<'l>(
    later: &'l [Later],
    machine: &Machine,
    (stores, counts): (&[bool], &mut [Counts]),
) {
    // GPUs before compute capability 2.0 have no L2 cache.
    let mut l2 = (machine.l2_bytes > 0).then(|| Cache::new(machine.l2_bytes));
    let mut stored = l2.clone();
    let longest = later.iter().map(Later::len).max().unwrap_or(0);
    let mut seen = vec![Seen::default(); counts.len()];
    let mut partial = Partial::new(counts.len());
    let mut beside = (machine.fetched_sectors > 1).then(|| Beside::new(counts.len()));
    let mut flight = Flight::new(machine.flight_sectors);
    let cursor = |one: &'l Later| (one.cursor(), Last::default(), Last::default());
    let mut cursors: Vec<_> = later.iter().map(cursor).collect();
    for k in 0..longest {
        for (cursor, last, last_stored) in &mut cursors {
            let Some((instruction, marked)) = cursor.pass() else { continue };
            let (sector, missing) = partial::unmarked(marked);
            let Seen { hits, awaited, all, late } = &mut seen[instruction as usize];
            let mut hit = l2.as_mut().is_some_and(|l2| l2.touch(sector, last));
            if stores[instruction as usize]
                && let Some(stored) = &mut stored
            {
                let is_loaded = std::mem::replace(&mut hit, stored.touch(sector, last_stored));
                partial.store((instruction, sector), missing, is_loaded, hit);
            } else if hit {
                *awaited += u64::from(flight.has(sector, k));
            } else {
                flight.begins(sector, k);
            }
            if !hit
                && !stores[instruction as usize]
                && counts[instruction as usize].texture_requests == 0
                && let Some(beside) = &mut beside
            {
                // Neighbours of texels belong to other blocks, most of which are not run. In a run of sectors each has
                // its neighbour beside it.
                let neighbour = (instruction, Beside::neighbour(sector));
                let is_known = || l2.as_ref().is_some_and(|l2| l2.has(neighbour.1));
                if !cursor.is_beside(neighbour) && !is_known() {
                    beside.misses(instruction, sector);
                }
            }
            let hit = u64::from(hit);
            *hits += hit;
            *all += 1;
            if 2 * k >= longest {
                *late = (late.0 + hit, late.1 + 1);
            }
        }
    }
    let (mut fills, lines) = partial.fills();
    let wasted = beside.map(Beside::wasted).unwrap_or_default();
    fills.iter_mut().zip(wasted).for_each(|(fills, wasted)| *fills += wasted);
    for (index, (counts, Seen { hits, awaited, all, late })) in
        counts.iter_mut().zip(seen).enumerate()
    {
        let dropped: u64 = later.iter().map(|one| one.dropped(index)).sum();
        let (hits_late, all_late) = if late.1 > 0 { late } else { (hits, all) };
        let rate = if all_late > 0 { hits_late as f64 / all_late as f64 } else { 0.0 };
        let more = (dropped as f64 * rate).round() as u64;
        counts.l2_hits += hits + more;
        counts.dram_sectors += all - hits + dropped - more;
        // The dropped sectors have the rates of the recorded ones.
        let of_all = |count: u64| count as f64 / all.max(1) as f64 * (all + dropped) as f64;
        counts.l2_awaited += of_all(awaited).round() as u64;
        counts.dram_fills += of_all(fills[index]).round() as u64;
        counts.partial_lines += of_all(lines[index]).round() as u64;
    }
}
