//! How long a GPU takes for what the simulator counted.

use super::demand::warp_clocks;
use super::gpu::Gpu;
use super::needs::{Need, Owner, needs};
use super::pipe::Pipe;
use super::residency::Residency;
use super::work::Work;
use serde::Serialize;

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
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

/// What a launch asks of a GPU, however its blocks spread over the multiprocessors.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// What it needs of each part.
    pub needs: Vec<Need>,
    /// Clocks that its average warp takes if nothing keeps it but its own dependences.
    pub warp_clocks: f64,
}

/// How long `gpu` takes for a launch.
pub fn estimate(gpu: &Gpu, work: &Work) -> Estimate {
    let counts = gpu.executed(work.counts, work.events);
    let work = &Work { counts: &counts, ..*work };
    let demand = Demand { needs: needs(gpu, work), warp_clocks: warp_clocks(gpu, work) };
    demand.estimate(gpu, work.residency)
}

impl Demand {
    /// How long `gpu` takes for it when its blocks spread like this.
    pub fn estimate(&self, gpu: &Gpu, residency: &Residency) -> Estimate {
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
            self.needs.iter().map(|need| (need.part, of_launch(need))).collect();

        // The warps of a block run in step, so a warp's load waits behind those of the others.
        let is_queue = |need: &&Need| need.part == Pipe::LoadStore.name();
        let queue = self.needs.iter().find(is_queue).map_or(0.0, |need| need.clocks);
        let queue = queue * share / f64::from(residency.blocks);
        let rounds = residency.rounds() as f64;
        let starts = gpu.launch.block.value * (rounds - 1.0).max(0.0);
        clocks.push(("latency", self.warp_clocks * rounds + starts + queue));
        let starts = gpu.launch.between_blocks.value * residency.busiest_blocks as f64;
        clocks.push(("block starts", starts));

        let seconds_per_clock = 1e-6 / gpu.chip.clock_mhz.value;
        let bounds: Vec<_> = clocks
            .into_iter()
            .map(|(name, clocks)| Bound { name, seconds: clocks * seconds_per_clock })
            .collect();
        let launch_seconds = gpu.launch.microseconds.value * 1e-6;
        Estimate { seconds: launch_seconds + in_rounds(&bounds, residency), launch_seconds, bounds }
    }
}

/// The time of all rounds: full ones, then a last one in which a multiprocessor holds fewer blocks and may wait longer
/// for each warp than for what they share. The nearer memory comes to its bandwidth, the longer warps wait for it: what
/// they wait and what memory needs hide each other in part, like the legs of a right triangle.
fn in_rounds(bounds: &[Bound], residency: &Residency) -> f64 {
    let of = |name| -> f64 {
        bounds.iter().filter(|bound| bound.name == name).map(|bound| bound.seconds).sum()
    };
    let latency = of("latency").hypot(of("DRAM"));
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
