//! A rough estimate of a launch whose traffic was not watched and whose machine code is not known.
//!
//! Loads from global memory are taken as L1 hits, registers limit nothing, and each PTX instruction costs what it
//! expands to on its own.

use std::collections::HashMap;

use super::cost::{Cost, cost};
use super::estimate::{Bound, Estimate};
use super::gpu::Gpu;
use super::pipe::Pipe;
use crate::{Block, Class, Events, Kernel, Launch, Summary};

/// How long `gpu` would take for a launch of `kernel` that the simulator counted as `events`.
pub fn estimate_unwatched(
    gpu: &Gpu,
    kernel: &Kernel,
    launch: &Launch,
    events: &Events,
) -> Estimate {
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
    Estimate { seconds, launch_seconds, bounds }
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
