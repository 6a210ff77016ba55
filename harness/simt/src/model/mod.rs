//! A first, simple time model: how long would a GPU take for what the simulator counted?
//!
//! The largest of a few bounds, as in Zhang & Owens, *A quantitative performance analysis model for GPU
//! architectures* (HPCA 2011): issue slots, each pipe, and the latency of one warp's dependent
//! instructions (Little's law; Volkov, *Understanding latency hiding on GPUs*, 2016):
//!
//! `T = launch + max(issue, pipes, latency)`, for the multiprocessor with the most blocks.
//!
//! It has no caches (loads from global memory are taken as L1 hits), no registers that limit residency
//! (PTX does not know them), and takes instructions one by one where the assembler would fold some of
//! them. So its times are a rough guide; they are always labelled as modelled.

mod attributes;
mod catalogue;
mod cost;
mod error;
mod figure;
mod gpu;
mod hardware;
mod names;
mod pipe;
mod residency;

use crate::{Block, Class, Events, Kernel, Launch, Summary};
use cost::{Cost, cost};
use std::collections::HashMap;

pub use attributes::Attributes;
pub use error::GpuError;
pub use figure::{Chip, Figure, Latency, Limits, Memory, Start, Throughput};
pub use gpu::Gpu;
pub use pipe::Pipe;
pub use residency::{Limit, Residency, ResidencyError};

/// What the model says of one launch.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Time of the launch, s.
    pub seconds: f64,
    /// Every bound that was considered, s; the largest binds.
    pub bounds: Vec<Bound>,
}

/// A limit on a launch's time.
#[derive(Clone, Copy, Debug)]
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

/// How long `gpu` would take for a launch of `kernel` that the simulator counted as `events`.
pub fn estimate(gpu: &Gpu, kernel: &Kernel, launch: &Launch, events: &Events) -> Estimate {
    let residency = Spread::of(gpu, kernel, launch);
    let costs = kernel.blocks().iter().map(|block| BlockCost::of(block, gpu)).collect::<Vec<_>>();
    let executed =
        || costs.iter().zip(&events.blocks).map(|(cost, count)| (cost, count.executions as f64));

    // Throughput: the busiest multiprocessor has its share of the blocks' work to issue.
    let share = residency.busiest / residency.blocks;
    let per_clock = |lanes_per_clock: f64| lanes_per_clock / 32.0;
    let issues: f64 = executed().map(|(cost, n)| cost.issues * n).sum();
    let mut clocks = vec![("issue", issues * share / per_clock(gpu.throughput.issue.value))];
    for (index, pipe) in Pipe::ALL.into_iter().enumerate() {
        let work: f64 = executed().map(|(cost, n)| cost.pipes[index] * n).sum();
        clocks.push((pipe.name(), work * share / per_clock(pipe.lanes_per_clock(gpu))));
    }

    // Latency: a warp's own chain, one after another for each round of resident blocks.
    let chain: f64 = executed().map(|(cost, n)| cost.latency * n).sum();
    clocks.push(("latency", chain / residency.warps * residency.rounds));

    let seconds_per_clock = 1e-6 / gpu.chip.clock_mhz.value;
    let bounds = clocks
        .into_iter()
        .map(|(name, clocks)| Bound { name, seconds: clocks * seconds_per_clock })
        .collect::<Vec<_>>();
    let launch_seconds = gpu.launch.microseconds.value * 1e-6;
    let seconds = launch_seconds + bounds.iter().map(|bound| bound.seconds).fold(0.0, f64::max);
    Estimate { seconds, bounds }
}

/// How a launch's blocks spread over the multiprocessors.
struct Spread {
    /// Blocks of the launch.
    blocks: f64,
    /// Warps of the launch.
    warps: f64,
    /// Blocks of the multiprocessor that gets the most.
    busiest: f64,
    /// How many times that one is filled.
    rounds: f64,
}

impl Spread {
    fn of(gpu: &Gpu, kernel: &Kernel, launch: &Launch) -> Spread {
        let count = |shape: [u32; 3]| shape.iter().map(|&n| f64::from(n)).product::<f64>().max(1.0);
        let blocks = count(launch.grid);
        let warps_per_block = (count(launch.block) / 32.0).ceil();
        let shared = f64::from(kernel.shared_bytes() + launch.shared_bytes);
        let by_shared =
            if shared > 0.0 { gpu.limits.shared_bytes.value / shared } else { f64::INFINITY };
        let resident = (gpu.limits.warps.value / warps_per_block)
            .min(gpu.limits.blocks.value)
            .min(by_shared)
            .floor()
            .max(1.0);
        let busiest = (blocks / gpu.chip.multiprocessors.value).ceil();
        Spread {
            blocks,
            warps: blocks * warps_per_block,
            busiest,
            rounds: (busiest / resident).ceil(),
        }
    }
}

/// What one execution of a basic block by a warp costs.
struct BlockCost {
    /// Machine instructions issued.
    issues: f64,
    /// Machine instructions on each of [`Pipe::ALL`].
    pipes: [f64; Pipe::COUNT],
    /// Clocks for one warp alone.
    latency: f64,
}

impl BlockCost {
    /// Issues the block's instructions in order, each once its operands are there; loads go first, since
    /// the assembler moves them up. Four neighbouring words of shared memory are one load.
    fn of(block: &Block, gpu: &Gpu) -> BlockCost {
        let mut total = BlockCost { issues: 0.0, pipes: [0.0; Pipe::COUNT], latency: 0.0 };
        let mut ready = HashMap::new(); // register → the clock at which its value is there
        let mut words = HashMap::new(); // address register → words loaded from there
        let is_load = |i: &&Summary| matches!(i.class, Class::LoadShared | Class::LoadGlobal);
        let (loads, others): (Vec<_>, Vec<_>) = block.instructions.iter().partition(is_load);
        for instruction in loads.into_iter().chain(others) {
            let Cost { issues, pipe, on_pipe, latency } = cost(instruction.class, gpu);
            let start = instruction
                .sources
                .iter()
                .filter_map(|register| ready.get(register).copied())
                .fold(total.latency, f64::max);
            ready.extend(instruction.destinations.iter().map(|&r| (r, start + latency)));
            if instruction.class == Class::LoadShared {
                let loaded = words.entry(&instruction.sources).or_insert(0_u32);
                *loaded += 1;
                if *loaded % WORDS_PER_LOAD != 1 {
                    continue;
                }
            }
            total.latency = start + issues;
            total.issues += issues;
            if let Some(pipe) = pipe {
                total.pipes[pipe as usize] += on_pipe;
            }
        }
        total.latency += gpu.latency.branch.value;
        total
    }
}

/// 32-bit words that one load instruction of hardware brings to a lane at most.
const WORDS_PER_LOAD: u32 = 4;

#[cfg(test)]
mod tests;
