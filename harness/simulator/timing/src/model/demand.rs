//! What a launch asks of a multiprocessor: its machine instructions by pipe, and how long one warp alone would take.

use super::gpu::Gpu;
use super::pipe::Pipe;
use super::work::Work;
use crate::machine::{MachineCounts, MachineKind, Wait};
use events::Counts;
use program::Class;

/// Lanes of a warp.
pub(super) const LANES: f64 = 32.0;

/// Bytes of a sector.
pub(super) const SECTOR: f64 = 32.0;

/// Machine instructions issued on each pipe, by all warps of a launch: matrix products by their work, integer products of
/// 64 bits as two.
pub(super) fn on_pipe(pipe: Pipe, counts: &MachineCounts) -> f64 {
    if pipe == Pipe::Tensor {
        return counts.tensor;
    }
    let own = MachineKind::ALL.into_iter().filter(|&kind| Pipe::of(kind) == Some(pipe));
    let twice = if pipe == Pipe::IntegerMul { counts.wide_products } else { 0.0 };
    own.map(|kind| counts[kind]).sum::<f64>() + twice
}

/// Clocks that the average warp of a launch takes if nothing keeps it but its own dependences.
pub fn warp_clocks(gpu: &Gpu, work: &Work) -> f64 {
    let counts = work.counts;
    let latency = &gpu.latency;
    // A scheduler needs more than a clock for an instruction where it has less than 32 lanes.
    let clocks_per_issue = gpu.limits.partitions.value * LANES / gpu.throughput.issue.value;
    let waits = counts.chain.clocks(|wait| match wait {
        Wait::Alu => latency.arithmetic.value,
        Wait::Fp64 => latency.fp64.value,
        Wait::Mufu => latency.mufu.value,
        Wait::Shared => latency.shared.value,
        Wait::Global => latency.l1.value,
        Wait::Constant => latency.constant.value,
        Wait::Uniform => latency.uniform.value,
        Wait::Tensor => latency.tensor.value,
        Wait::Branch => latency.branch.value,
        Wait::Barrier => latency.barrier.value * of_warps(work.residency.block_warps),
        // That is more than a hit takes, and depends on where the data are: `miss_clocks`.
        Wait::Miss => 0.0,
    });
    let issues = counts.chain.issues * (clocks_per_issue - 1.0);
    let control = counts[MachineKind::Branch] / counts.warps * latency.control.value;
    waits + issues + control + miss_clocks(gpu, work)
}

/// How long a barrier takes in parts of what it takes for eight warps. Measured on an H100: 11 clocks, and two for each warp.
fn of_warps(warps: u32) -> f64 {
    (11.0 + 2.0 * f64::from(warps)) / 27.0
}

/// Clocks that the average warp waits in addition because its loads miss L1.
///
/// Loads of one basic block that do not depend on each other wait together. How many waits a block has is only known
/// of the whole kernel (`Wait::Miss`), so each block is taken to have the average: it waits that often for its load
/// with most misses, and never longer than for all its misses one after another.
fn miss_clocks(gpu: &Gpu, work: &Work) -> f64 {
    let counts = work.counts;
    let mut blocks: Vec<(f64, f64, f64)> = Vec::new(); // executions by a warp; longest miss; all misses
    let mut last = None;
    // Warps that have little to do have left by the time that the long ones load.
    let alongside = f64::from(work.residency.warps) / longest_warp(work);
    for (instruction, count) in work.kernel.instructions().zip(&work.events.instructions) {
        // What the copy engine brings, no register waits for.
        let is_load = instruction.class == Class::LoadGlobal && !instruction.is_of_engine();
        if !is_load || count.warps == 0 {
            continue;
        }
        // The wait for what other blocks tell is part of those clocks.
        let is_message = work.events.message_clocks > 0 && is_message(&instruction.opcode);
        let miss = || expected_miss(gpu, &work.traffic(gpu, *count), alongside);
        let clocks = if is_message { 0.0 } else { miss() };
        match blocks.last_mut() {
            Some((_, longest, all)) if last == Some(instruction.block) => {
                *longest = longest.max(clocks);
                *all += clocks;
            }
            _ => blocks.push((count.warps as f64 / counts.warps, clocks, clocks)),
        }
        last = Some(instruction.block);
    }
    let executions: f64 = blocks.iter().map(|(times, ..)| times).sum();
    if executions == 0.0 {
        return 0.0;
    }
    let waits = counts.chain.wait(Wait::Miss) / executions;
    blocks.iter().map(|(times, longest, all)| times * (waits * longest).min(*all)).sum()
}

/// How many times as many instructions as the average warp the longest one issues.
pub fn longest_warp(work: &Work) -> f64 {
    let events = work.events;
    let warps = work.residency.grid_blocks as f64 * f64::from(work.residency.block_warps);
    let average = events.warp_instructions as f64 / warps;
    if average > 0.0 { (events.longest_warp as f64 / average).max(1.0) } else { 1.0 }
}

/// Whether a load sees what other threads store.
fn is_message(opcode: &str) -> bool {
    opcode.split('.').any(|word| matches!(word, "volatile" | "relaxed" | "acquire"))
}

/// Clocks beyond an L1 hit that a request of a load instruction takes on the average.
///
/// Where a warp's lanes load the same words, so do the other warps of a block, and they come while the sector is
/// still on its way: a miss that is counted once keeps all of the `warps` waiting that go along.
fn expected_miss(gpu: &Gpu, load: &Counts, warps: f64) -> f64 {
    let requests = (load.global_requests + load.texture_requests) as f64;
    if requests == 0.0 {
        return 0.0;
    }
    let shares = load.global_bytes as f64 > SECTOR * load.global_sectors as f64;
    let together = if shares { warps.max(1.0) } else { 1.0 };
    // Of a request's sectors the last to arrive counts: at most one miss each.
    let part = |sectors: u64| (sectors as f64 * together / requests).min(1.0);
    // What another has brought just before is awaited as long.
    let dram = part(load.dram_sectors + load.l2_awaited);
    let l2 = part(load.l2_hits - load.l2_awaited).min(1.0 - dram);
    let latency = &gpu.latency;
    let beyond = |clocks: f64| (clocks - latency.l1.value).max(0.0);
    dram * beyond(latency.dram.value) + l2 * beyond(latency.l2.value)
}
