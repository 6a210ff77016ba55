//! How long a GPU takes for what the simulator counted.

use super::approximate::approximate;
use super::demand::{LANES, SECTOR, on_pipe, warp_clocks};
use super::gpu::Gpu;
use super::pipe::Pipe;
use super::residency::Residency;
use crate::machine::MachineCounts;
use crate::{Class, Counts, Events, Kernel, Summary};

/// A launch as the model takes it.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// What the simulator counted, traffic included; for a launch of which only some multiprocessors were run,
    /// scaled up to all of them.
    pub events: &'a Events,
    /// The machine instructions of the same events.
    pub counts: &'a MachineCounts,
    /// How the launch spreads over the GPU.
    pub residency: &'a Residency,
    /// Whether the L2 cache already holds what the launch reads: as when a launch is repeated and its data fit.
    pub warm_l2: bool,
}

/// What the model says of one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Time of the launch, s.
    pub seconds: f64,
    /// Of which before its first instruction, s.
    pub launch_seconds: f64,
    /// Every bound that was considered, s; the largest binds.
    pub bounds: Vec<Bound>,
}

/// A limit on a launch's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// What limits: "issue", "FP32", "latency" …
    pub name: &'static str,
    /// The time that this alone would take, s.
    pub seconds: f64,
}

impl Estimate {
    /// The bound that decides, or none for a launch that did nothing.
    pub fn binding(&self) -> Option<Bound> {
        self.bounds.iter().copied().max_by(|a, b| a.seconds.total_cmp(&b.seconds))
    }
}

impl Work<'_> {
    /// What an instruction or all of them asked of memory, as the caches were when the launch began.
    pub(super) fn traffic(&self, gpu: &Gpu, mut counts: Counts) -> Counts {
        if gpu.chip.l2_bytes.value == 0.0 {
            counts.dram_sectors += std::mem::take(&mut counts.l2_hits);
        } else if self.warm_l2 {
            counts.l2_hits += std::mem::take(&mut counts.dram_sectors);
        }
        counts
    }
}

/// How long `gpu` takes for a launch.
pub fn estimate(gpu: &Gpu, work: &Work) -> Estimate {
    if gpu.ieee_division {
        return of_machine_code(gpu, work);
    }
    let counts = approximate(work.counts, work.events);
    of_machine_code(gpu, &Work { counts: &counts, ..*work })
}

/// The estimate for machine instructions as they are.
fn of_machine_code(gpu: &Gpu, work: &Work) -> Estimate {
    let residency = work.residency;
    let throughput = &gpu.throughput;
    let counts = work.traffic(gpu, work.events.total());
    let of = |count: u64| count as f64;
    // A multiprocessor's own resources: the busiest one has its share of the blocks' work.
    let share = residency.busiest_blocks as f64 / residency.grid_blocks as f64;
    let issue = LANES / (throughput.issue.value * throughput.issue_filled.value);
    let mut clocks = vec![("issue", work.counts.total * share * issue)];
    for pipe in Pipe::ALL {
        let lanes = on_pipe(pipe, work.counts) * LANES;
        clocks.push((pipe.name(), lanes * share / pipe.lanes_per_clock(gpu)));
    }
    let wavefront_bytes = gpu.memory.shared_banks.value * 4.0;
    let wavefronts = shared_wavefronts(work) * share;
    clocks.push(("shared memory", wavefronts * wavefront_bytes / throughput.shared_bytes.value));
    let sectors = of(counts.global_sectors + counts.local_sectors) * share;
    clocks.push(("L1", sectors * SECTOR / throughput.l1_bytes.value));
    clocks.push(("constants", of(counts.constant_wavefronts) * share));
    clocks.push((
        "atomics",
        atomics(gpu, of(counts.atomic_lanes), of(counts.atomic_same_address)) * share,
    ));

    // What all multiprocessors share.
    let beyond_l1 = of(counts.l2_hits + counts.dram_sectors + counts.local_sectors);
    let l2 = throughput.l2_bytes.value * f64::from(residency.multiprocessors);
    clocks.push(("L2", beyond_l1 * SECTOR / l2));
    let dram = gpu.chip.dram_gb_per_s.value * throughput.dram_filled.value * 1e3;
    let bytes_per_clock = dram / gpu.chip.clock_mhz.value;
    clocks.push(("DRAM", of(counts.dram_sectors) * SECTOR / bytes_per_clock));

    // The warps of a block run in step, so a warp's load waits behind those of the others.
    let queue =
        on_pipe(Pipe::LoadStore, work.counts) * LANES / Pipe::LoadStore.lanes_per_clock(gpu);
    let queue = queue * share / f64::from(residency.blocks);
    clocks.push(("latency", warp_clocks(gpu, work) * residency.rounds() as f64 + queue));

    let seconds_per_clock = 1e-6 / gpu.chip.clock_mhz.value;
    let bounds: Vec<_> = clocks
        .into_iter()
        .map(|(name, clocks)| Bound { name, seconds: clocks * seconds_per_clock })
        .collect();
    let launch_seconds = gpu.launch.microseconds.value * 1e-6;
    Estimate { seconds: launch_seconds + in_rounds(&bounds, residency), launch_seconds, bounds }
}

/// Passes over the banks of shared memory. The assembler merges loads of neighbouring words into one of 64 or 128 bits,
/// which takes as many passes as one of them did: what lanes have in common, or their stride, stays the same.
fn shared_wavefronts(work: &Work) -> f64 {
    let counted = work.kernel.instructions().zip(&work.events.instructions);
    let (loads, others): (Vec<_>, Vec<_>) =
        counted.partition(|(instruction, _)| instruction.class == Class::LoadShared);
    let passes = |of: &[(&Summary, &Counts)]| -> f64 {
        of.iter().map(|(_, counts)| counts.shared_wavefronts as f64).sum()
    };
    let requests: f64 = loads.iter().map(|(_, counts)| counts.shared_requests as f64).sum();
    let issued = work.counts.shared_loads();
    let merged = if issued > 0.0 && requests > 0.0 { (issued / requests).min(1.0) } else { 1.0 };
    passes(&loads) * merged + passes(&others)
}

/// Clocks for atomic operations: on distinct words side by side, on one address one after another.
fn atomics(gpu: &Gpu, lanes: f64, same_address: f64) -> f64 {
    let throughput = &gpu.throughput;
    (lanes / throughput.atomics.value).max(same_address * throughput.atomic_same_address.value)
}

/// The time of all rounds: full ones, then a last one in which a multiprocessor holds fewer blocks and may wait longer
/// for each warp than for what they share.
fn in_rounds(bounds: &[Bound], residency: &Residency) -> f64 {
    let latency: f64 =
        bounds.iter().filter(|bound| bound.name == "latency").map(|bound| bound.seconds).sum();
    let others = bounds.iter().filter(|bound| bound.name != "latency");
    let throughput = others.map(|bound| bound.seconds).fold(0.0, f64::max);
    let rounds = residency.rounds() as f64;
    let full = residency.busiest_blocks / u64::from(residency.blocks);
    let blocks_in_full = (full * u64::from(residency.blocks)) as f64;
    let part_in_full = blocks_in_full / residency.busiest_blocks as f64;
    let of_full = (throughput * part_in_full).max(latency * full as f64 / rounds);
    let of_last = (throughput * (1.0 - part_in_full)).max(latency * (1.0 - full as f64 / rounds));
    of_full + of_last
}
