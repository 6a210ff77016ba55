//! How long a GPU takes for what the simulator counted.

use super::demand::{longest_warp, warp_clocks};
use super::gpu::Gpu;
use super::needs::{MESSAGES, Need, Owner, access_clocks, needs};
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
    /// How many times as much the longest warp has to do.
    pub longest_warp: f64,
    /// Clocks that all blocks take for their accesses: [`access_clocks`].
    pub access_clocks: f64,
}

/// How long `gpu` takes for a launch.
pub fn estimate(gpu: &Gpu, work: &Work) -> Estimate {
    let counts = gpu.executed(work.counts, work.events);
    let work = &Work { counts: &counts, ..*work };
    let demand = Demand {
        needs: needs(gpu, work),
        warp_clocks: warp_clocks(gpu, work),
        longest_warp: longest_warp(work),
        access_clocks: access_clocks(gpu, work),
    };
    demand.estimate(gpu, work.residency)
}

impl Gpu {
    /// The time of a pass of so many launches whose modelled times add up to `seconds`: the host takes a while for each.
    pub fn pass_seconds(&self, seconds: f64, launches: usize) -> f64 {
        seconds.max(launches as f64 * self.launch.interval.value * 1e-6)
    }
}

/// How much longer it takes until the next block runs in a block's place than for blocks of eight warps: all its warps
/// must have ended. Measured on an H200: 280 clocks more for blocks of 32 warps, of 500.
fn of_large(residency: &Residency) -> f64 {
    let more = f64::from(residency.block_warps) - 8.0;
    1.0 + more * 280.0 / 500.0 / 24.0
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
        let seconds_per_clock = 1e-6 / gpu.chip.clock_mhz.value;
        // Those of a multiprocessor, whose clock is lower while its tensor cores multiply.
        let multiplies =
            self.needs.iter().any(|need| need.part == Pipe::Tensor.name() && need.clocks > 0.0);
        let kept = if multiplies { gpu.throughput.tensor_clock.value } else { 1.0 };
        let seconds_of_warps = seconds_per_clock / kept;
        let in_seconds = |need: &Need| {
            let per_clock = match need.owner {
                Owner::Multiprocessor => seconds_of_warps,
                Owner::Share | Owner::Chip => seconds_per_clock,
            };
            Bound { name: need.part, seconds: of_launch(need) * per_clock }
        };
        let mut bounds: Vec<Bound> = self.needs.iter().map(in_seconds).collect();

        let queue = self.access_clocks * share / f64::from(residency.blocks);
        // What blocks wait for each other comes on top of what each does.
        let messages = self.needs.iter().find(|need| need.part == MESSAGES);
        let messages = messages.map_or(0.0, of_launch);
        let rounds = residency.rounds() as f64;
        let starts = gpu.launch.block.value * of_large(residency) * (rounds - 1.0).max(0.0);
        // The last round lasts as long as its longest warp.
        let rounds_clocks = self.warp_clocks * (rounds - 1.0 + self.longest_warp);
        let latency = (rounds_clocks + starts + queue + messages) * seconds_of_warps;
        bounds.push(Bound { name: "latency", seconds: latency });
        let starts = gpu.launch.between_blocks.value * residency.busiest_blocks as f64;
        bounds.push(Bound { name: "block starts", seconds: starts * seconds_of_warps });

        let launch_seconds = gpu.launch.microseconds.value * 1e-6;
        let seconds = launch_seconds + self.in_rounds(&bounds, residency);
        Estimate { seconds, launch_seconds, bounds }
    }

    /// The time of all rounds: full ones, then a last one in which a multiprocessor holds fewer blocks and may wait longer
    /// for each warp than for what they share.
    ///
    /// What the warps of a multiprocessor share and what each waits for hide each other in part: they count as the fourth
    /// root of the sum of their fourth powers, which is a fifth more than each of two that are equal. The exponent was fitted on an H200
    /// to the steps of all ladders. The nearer memory is to its bandwidth, the longer warps wait for it, and so for
    /// atomic operations that queue up before their loads: these count like the legs of a right triangle.
    fn in_rounds(&self, bounds: &[Bound], residency: &Residency) -> f64 {
        let of = |name| -> f64 {
            bounds.iter().filter(|bound| bound.name == name).map(|bound| bound.seconds).sum()
        };
        let latency = of("latency").hypot(of("DRAM")).hypot(of("atomics on one address"));
        let of_needs = || self.needs.iter().zip(bounds);
        let of_warps = of_needs().filter(|(need, _)| need.is_of_warps);
        let together: f64 = of_warps.map(|(_, bound)| bound.seconds.powi(4)).sum();
        let others =
            of_needs().filter(|(need, _)| !need.is_of_warps).map(|(_, bound)| bound.seconds);
        let others = others.fold(of("block starts"), f64::max);
        let rounds = residency.rounds() as f64;
        let full = residency.busiest_blocks / u64::from(residency.blocks);
        let blocks_in_full = (full * u64::from(residency.blocks)) as f64;
        let part_in_full = blocks_in_full / residency.busiest_blocks as f64;
        let of = |work: f64, rounds: f64| {
            let of_warps = together * work.powi(4) + (latency * rounds).powi(4);
            of_warps.sqrt().sqrt().max(others * work)
        };
        let full = full as f64 / rounds;
        of(part_in_full, full) + of(1.0 - part_in_full, 1.0 - full)
    }
}
