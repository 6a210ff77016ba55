//! What a launch needs of each part of a GPU: the clocks that the part would be busy, were it never to wait.

use super::approximate::approximate;
use super::demand::{LANES, SECTOR, on_pipe};
use super::figure::Engines;
use super::gpu::Gpu;
use super::pipe::Pipe;
use super::work::Work;
use crate::machine::{MachineCounts, MachineKind, OF_PRODUCT};
use events::{Counts, Events};
use program::Class;
use program::Summary;

/// What a launch needs of one part of the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// The part: "issue", "FP32", "DRAM" …
    pub part: &'static str,
    /// Clocks that the part takes at its peak for all of the launch: where each multiprocessor has one, those of a single
    /// multiprocessor that had to do all.
    pub clocks: f64,
    /// The share of that peak that is reached at most.
    pub reached: f64,
    /// Who has the part.
    pub owner: Owner,
    /// Whether it hides what else the warps of a multiprocessor need only in part.
    pub is_of_warps: bool,
}

/// Who has a part of the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Each multiprocessor for its own blocks: the one with the most blocks decides.
    Multiprocessor,
    /// All multiprocessors together, each a share that no other can use.
    Share,
    /// The chip as a whole.
    Chip,
}

/// Passes over the banks of shared memory.
const SHARED_MEMORY: &str = "shared memory";

/// What goes between blocks through the L2 cache.
pub(super) const MESSAGES: &str = "messages";

/// What `gpu` needs for a launch. `work.counts` are those of [`Gpu::executed`].
pub fn needs(gpu: &Gpu, work: &Work) -> Vec<Need> {
    let throughput = &gpu.throughput;
    let counts = work.traffic(gpu, work.events.total());
    let of = |count: u64| count as f64;
    // Where engines work beside the warps, their clocks tell what hides what.
    let is_of_warps = work.events.engine_clocks == 0;
    let own = |part, clocks| Need {
        part,
        clocks,
        reached: 1.0,
        owner: Owner::Multiprocessor,
        is_of_warps,
    };
    let beside = |need| Need { is_of_warps: false, ..need };

    let issue = work.counts.total * LANES / throughput.issue.value;
    let mut needs = vec![Need { reached: throughput.issue_filled.value, ..own("issue", issue) }];
    for pipe in Pipe::ALL {
        let lanes = on_pipe(pipe, work.counts) * LANES;
        let clocks = lanes / pipe.lanes_per_clock(gpu);
        let of_groups = if pipe == Pipe::Tensor { group_products(gpu, work) } else { 0.0 };
        needs.push(own(pipe.name(), clocks + of_groups));
    }
    let reads = work.counts.register_reads * LANES;
    needs.push(own("registers", reads / throughput.register_reads.value));
    let shared = shared_wavefronts(work, |_| true) * clocks_per_wavefront(gpu);
    needs.push(own(SHARED_MEMORY, shared));
    let away = |count: u64, rate: fn(&Engines) -> f64| {
        gpu.engines.as_ref().map_or(0.0, |engines| of(count) / rate(engines))
    };
    let atomics = away(counts.cluster_atomics, |engines| engines.cluster_atomics.value);
    let passes = away(counts.cluster_passes, |engines| engines.cluster_passes.value);
    needs.push(beside(own("atomics of clusters", atomics)));
    needs.push(beside(own("accesses of clusters", passes)));
    let engines = of(work.events.engine_clocks) / f64::from(work.residency.blocks);
    needs.push(beside(own("engines", engines)));
    let sectors = of(counts.global_sectors + counts.local_sectors);
    let bytes = sectors * SECTOR / throughput.l1_bytes.value;
    needs.push(beside(own("L1", bytes.max(of(counts.l1_tags)))));
    needs.push(own("constants", of(counts.constant_wavefronts)));
    needs.push(own("atomics", of(counts.atomic_lanes) / throughput.atomics.value));
    needs.push(own("match", of(counts.match_turns) * LANES / throughput.matches.value));
    let samples = of(counts.texture_requests) * LANES;
    needs.push(beside(own("texture", samples / throughput.texture.value)));

    // What all multiprocessors share.
    let shared = |part, clocks| beside(own(part, clocks));
    let queue = atomic_queue(work) * throughput.atomic_same_address.value;
    needs.push(Need { owner: Owner::Chip, ..shared("atomics on one address", queue) });
    // The longest chain of blocks is as long on a part of the chip that has its part of the work.
    let messages = of(work.events.message_clocks) * f64::from(work.residency.multiprocessors);
    needs.push(Need { owner: Owner::Share, ..shared(MESSAGES, messages) });
    let spilled = spilled_sectors(&counts, work.counts);
    let l2 = (of(beyond_l1(&counts)) + spilled) * SECTOR / throughput.l2_bytes.value;
    needs.push(Need { owner: Owner::Share, ..own("L2", l2) });
    let stores = stored_bytes(work) / throughput.l2_bytes.value;
    needs.push(Need { owner: Owner::Share, ..shared("stores to L2", stores) });
    let bytes_per_clock = gpu.chip.dram_gb_per_s.value * 1e3 / gpu.chip.clock_mhz.value;
    let dram = (moved_bytes(&counts) + partial_bytes(gpu, work)) / bytes_per_clock;
    let reached = throughput.dram_filled.value;
    needs.push(Need { reached, owner: Owner::Chip, ..shared("DRAM", dram) });
    needs
}

impl Gpu {
    /// The machine instructions that this GPU executes where newer machine code stands for its own: `issued`, but with
    /// approximate divisions and square roots where it has no others.
    pub fn executed(&self, issued: &MachineCounts, events: &Events) -> MachineCounts {
        if self.ieee_division { issued.clone() } else { approximate(issued, events) }
    }
}

/// Bytes from and to memory.
fn moved_bytes(counts: &Counts) -> f64 {
    (counts.dram_sectors + counts.dram_fills) as f64 * SECTOR
}

/// What lines of which stores left parts take of the memory's time in addition to what they move, in bytes.
fn partial_bytes(gpu: &Gpu, work: &Work) -> f64 {
    let more = |counts: &Counts| {
        let lines = gpu.memory.partial_line_bytes.value * counts.partial_lines as f64;
        (lines - moved_bytes(counts)).max(0.0)
    };
    work.stores().map(|counts| more(&work.traffic(gpu, *counts))).sum()
}

/// Sectors that come from or go to L2.
fn beyond_l1(counts: &Counts) -> u64 {
    counts.l2_hits + counts.dram_sectors + counts.local_sectors
}

/// Sectors of local memory that machine code loads and stores for want of registers, of which PTX knows nothing: four for
/// a warp's instruction.
fn spilled_sectors(counts: &Counts, issued: &MachineCounts) -> f64 {
    let spills = issued[MachineKind::Local] - counts.local_requests as f64;
    4.0 * spills.max(0.0)
}

/// What stores take of the way from a multiprocessor to L2, in bytes of what loads bring back on theirs. Measured on an
/// H200: a stored byte takes as long as two loaded ones (16 a clock and multiprocessor), and a line of 128 bytes as long as
/// its 128, however little of it is stored (3.5 clocks).
fn stored_bytes(work: &Work) -> f64 {
    let bytes = |counts: &Counts| {
        let lines = 128.0 * counts.stored_lines as f64;
        lines.max(2.0 * counts.global_bytes as f64)
    };
    work.stores().map(bytes).sum()
}

/// Clocks that the tensor cores multiply for groups of four warps.
fn group_products(gpu: &Gpu, work: &Work) -> f64 {
    let rate = gpu.engines.as_ref().map(|engines| engines.group_products.value);
    rate.map_or(0.0, |rate| work.counts.group_tensor * OF_PRODUCT / rate)
}

/// Clocks that the average warp of a block waits for the accesses of the others to memory and to each other's registers,
/// all blocks together. What engines move, and what copies write that warps only begin (`cp.async`), does not hold them up.
pub fn access_clocks(gpu: &Gpu, work: &Work) -> f64 {
    let lanes = on_pipe(Pipe::LoadStore, work.counts) * LANES;
    let accesses = lanes / Pipe::LoadStore.lanes_per_clock(gpu);
    let is_waited_for = |instruction: &Summary| {
        !instruction.is_of_engine() && !instruction.opcode.starts_with("cp.async.")
    };
    let passes = shared_wavefronts(work, is_waited_for) * clocks_per_wavefront(gpu);
    // Barriers keep the warps of a block in step, so that the last one waits for all others; else they drift apart, and the
    // average one waits for half of them.
    let others = if work.events.total().barriers > 0 { 1.0 } else { 0.5 };
    others * accesses.max(passes)
}

fn clocks_per_wavefront(gpu: &Gpu) -> f64 {
    gpu.memory.shared_banks.value * 4.0 / gpu.throughput.shared_bytes.value
}

/// Passes over the banks of shared memory of some instructions. The assembler merges loads of neighbouring words into one of
/// 64 or 128 bits, which takes as many passes as one of them did: what lanes have in common, or their stride, stays the same.
/// But each half of a warp has a pass of its own for 128 bits, as an H200's profiler counts it too: 1.42e9 passes in
/// gemm/04-column at 4096, whose 16 loads of 128 bits for a tile and warp are one word for all lanes.
fn shared_wavefronts(work: &Work, of: impl Fn(&Summary) -> bool) -> f64 {
    let counted = work.kernel.instructions().zip(&work.events.instructions);
    let counted = counted.filter(|(instruction, _)| of(instruction));
    let (loads, others): (Vec<_>, Vec<_>) =
        counted.partition(|(instruction, _)| instruction.class == Class::LoadShared);
    let passes = |of: &[(&Summary, &Counts)]| -> f64 {
        of.iter().map(|(_, counts)| counts.shared_wavefronts as f64).sum()
    };
    let requests: f64 = loads.iter().map(|(_, counts)| counts.shared_requests as f64).sum();
    let issued = work.counts.shared_loads();
    let merged = if issued > 0.0 && requests > 0.0 { (issued / requests).min(1.0) } else { 1.0 };
    let least = if merged < 1.0 { issued + work.counts[MachineKind::LoadShared128] } else { 0.0 };
    (passes(&loads) * merged).max(least) + passes(&others)
}

/// Sectors in one place of the L2 cache: what atomic operations change there comes one after the other. Measured on an
/// H200: words 128 bytes apart are changed no faster than one word, 1 KB twice as fast, 4 KB eight times.
const PLACE_SECTORS: f64 = 16.0;

/// Such places that work side by side, measured there as well: more memory is changed no faster.
const PLACES: f64 = 66.0;

/// How long the queue of atomic operations on global memory is, in operations, if they spread evenly over the places
/// that they change. A warp's operation on a sector is one, and one for each lane at the same address of it; one in all
/// where all lanes are always at one address, since the assembler has them added up before.
fn atomic_queue(work: &Work) -> f64 {
    let counted = work.kernel.instructions().zip(&work.events.instructions);
    let global = counted.filter(|(instruction, counts)| {
        instruction.class == Class::Atomic && counts.shared_requests == 0
    });
    let queue = |counts: &Counts| {
        let all_share = counts.atomic_same_address == counts.atomic_lanes;
        let operations = counts.global_sectors.max(counts.atomic_same_address);
        let operations = if all_share { counts.atomics } else { operations };
        // A sector that the launch had not touched before came from memory, as far as blocks ran. Where all had been
        // touched, by it or by a launch before, how many they are is not known: then all places are taken to work.
        let places = match counts.dram_sectors {
            0 => PLACES,
            _ if work.warm_l2 => PLACES,
            sectors => (sectors as f64 * work.ran / PLACE_SECTORS).clamp(1.0, PLACES),
        };
        operations as f64 / places
    };
    global.map(|(_, counts)| queue(counts)).sum()
}
