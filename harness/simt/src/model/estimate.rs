//! How long a GPU takes for what the simulator counted.

use super::demand::{LANES, on_pipe, warp_clocks};
use super::gpu::Gpu;
use super::needs::{Need, Owner, needs};
use super::pipe::Pipe;
use super::residency::Residency;
use crate::machine::MachineCounts;
use crate::{Counts, Events, Kernel};

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
    pub fn traffic(&self, gpu: &Gpu, mut counts: Counts) -> Counts {
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
    let counts = gpu.executed(work.counts, work.events);
    let work = &Work { counts: &counts, ..*work };
    let residency = work.residency;
    // The busiest multiprocessor has its share of the blocks' work.
    let share = residency.busiest_blocks as f64 / residency.grid_blocks as f64;
    let of_launch = |need: &Need| {
        need.clocks / need.reached
            * match need.owner {
                Owner::Multiprocessor => share,
                Owner::Share => 1.0 / f64::from(residency.multiprocessors),
                Owner::Chip => 1.0,
            }
    };
    let mut clocks: Vec<(&str, f64)> =
        needs(gpu, work).iter().map(|need| (need.part, of_launch(need))).collect();

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
