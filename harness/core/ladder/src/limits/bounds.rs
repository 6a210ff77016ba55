//! The least time that each part of a chip needs, and what is resident.

use report::bound::{BUSIEST, DRAM, FP32_PEAK, LATENCY, MUFU};
use report::{Bound, Limits, Occupancy};
use simt::model::{Gpu, Owner, Pipe, Residency};

use super::count::{Counted, Part};
use crate::problem::Growth;

/// How much longer than the other bounds the busiest multiprocessor's must be to be listed.
const UNEVEN: f64 = 1.1;

/// How near a pass of so much `work` that took `seconds` comes to what its GPU could do, at the size
/// that was counted for and the clock (MHz) that was seen, else at the one that its description
/// states.
pub fn limits(counted: &Counted, work: f64, seconds: f64, clock_mhz: Option<f64>) -> Limits {
    let gpu = &counted.gpu;
    let seen = clock_mhz.filter(|clock| *clock > 0.0);
    let clock_mhz = seen.unwrap_or(gpu.chip.clock_mhz.value);
    let fp32_flop = counted.at(|launch| launch.fp32_flop);
    let special = counted.at(|launch| launch.special);
    let mut bounds = bounds(counted, clock_mhz);
    bounds.retain(|(_, least)| *least > 0.0);
    bounds.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let bound = |(name, least): (&str, f64)| Bound {
        name: name.to_owned(),
        seconds: least,
        fraction: least / seconds,
    };
    Limits {
        gpu: gpu.name.clone(),
        clock_mhz,
        clock_was_seen: seen.is_some(),
        peak_flop_per_second: Some(peak_flop_per_second(gpu, clock_mhz)),
        counted_n: counted.counted_n(),
        n: counted.asked(),
        flop_executed: (fp32_flop + special) / work,
        instructions: counted.at(|launch| launch.instructions) / work,
        global_bytes: counted.at(|launch| launch.global_bytes),
        l2_bytes: counted.at(|launch| launch.l2_bytes),
        dram_bytes: dram_bytes(counted),
        shared_bytes: counted.at(|launch| launch.shared_bytes),
        bounds: bounds.into_iter().map(bound).collect(),
    }
}

/// FP32 operations per second at most, at a clock in MHz: a multiply-add, which is two, of every lane
/// in every clock.
pub fn peak_flop_per_second(gpu: &Gpu, clock_mhz: f64) -> f64 {
    2.0 * gpu.throughput.fp32.value * gpu.chip.multiprocessors.value * clock_mhz * 1e6
}

/// How the blocks of the kernel that takes the most time are resident; none where no block fits the
/// GPU.
pub fn occupancy(counted: &Counted) -> Option<Occupancy> {
    let part = counted.longest()?;
    let residency = counted.residencies(part).into_iter().next()?;
    Some(Occupancy {
        block: counted.launches(part).next()?.threads(),
        registers: part.registers,
        blocks: residency.blocks,
        warps: residency.warps,
        most_warps: counted.gpu.limits.warps.value as u32,
        limit: residency.limit.name().to_owned(),
    })
}

/// Every bound and its least time in seconds, at a clock in MHz. The kernels of a pass run one after
/// another: their times add up.
fn bounds(counted: &Counted, clock_mhz: f64) -> Vec<(&'static str, f64)> {
    let gpu = &counted.gpu;
    let multiprocessors = gpu.chip.multiprocessors.value;
    let seconds = |clocks: f64| clocks / (clock_mhz * 1e6);
    let flop = counted.at(|launches| launches.fp32_flop);
    let mut all = vec![
        (FP32_PEAK, flop / peak_flop_per_second(gpu, clock_mhz)),
        (DRAM, dram_bytes(counted) / (gpu.chip.dram_gb_per_s.value * 1e9)),
    ];
    // Of kernels of which the busiest multiprocessor is known.
    let mut busiest = 0.0;
    for part in &counted.parts {
        let flop = counted.of(part, |launches| launches.fp32_flop);
        let mut longest = flop / peak_flop_per_second(gpu, clock_mhz);
        for need in counted.needs(part) {
            // What is reached at most is a matter of the code too; only a second instruction in one
            // clock makes it more than the peak.
            let least = seconds(need.clocks / need.reached.max(1.0) / multiprocessors);
            match need.owner {
                Owner::Multiprocessor => longest = longest.max(least),
                Owner::Share => {}
                // DRAM, above.
                Owner::Chip => continue,
            }
            add(&mut all, name(need.part), least);
        }
        let residencies = counted.residencies(part);
        if residencies.is_empty() {
            continue;
        }
        let of_warp = counted.warp_clocks(part, &residencies);
        add(&mut all, LATENCY, seconds(of_warp * sum(&residencies, Residency::rounds)));
        let even = sum(&residencies, |of| of.grid_blocks) / multiprocessors;
        busiest += longest * sum(&residencies, |of| of.busiest_blocks) / even;
    }
    if busiest > UNEVEN * all.iter().map(|(_, least)| *least).fold(0.0, f64::max) {
        all.push((BUSIEST, busiest));
    }
    all
}

/// Adds to a bound, which may be a new one.
fn add(bounds: &mut Vec<(&'static str, f64)>, name: &'static str, seconds: f64) {
    match bounds.iter_mut().find(|(known, _)| *known == name) {
        Some((_, all)) => *all += seconds,
        None => bounds.push((name, seconds)),
    }
}

fn sum(residencies: &[Residency], of: impl Fn(&Residency) -> u64) -> f64 {
    residencies.iter().map(of).sum::<u64>() as f64
}

/// A part's name in reports.
fn name(part: &'static str) -> &'static str {
    if part == Pipe::Mufu.name() { MUFU } else { part }
}

/// Bytes that come from or go to memory, one pass after the other.
///
/// What fits the L2 cache stays there from one pass to the next. Where each element meets all others
/// and they do not fit, multiprocessors read the same ones at about the same time: they come from
/// memory once for each round of resident blocks. Else it is what the simulator's L2 cache had not: it
/// serves what several blocks load, and stores to one sector leave it as one. Without an L2 cache,
/// memory serves all that misses L1.
fn dram_bytes(counted: &Counted) -> f64 {
    let l2_bytes = counted.gpu.chip.l2_bytes.value;
    if l2_bytes > 0.0 && counted.bytes <= l2_bytes {
        return 0.0;
    }
    let of_part = |part: &Part| {
        if counted.growth != Growth::Square {
            return counted.of(part, |launches| launches.dram_bytes);
        }
        let beyond_l1 = counted.of(part, |launches| launches.l2_bytes);
        let residencies = counted.residencies(part);
        let Some(first) = residencies.first().filter(|_| l2_bytes > 0.0) else {
            return beyond_l1;
        };
        let blocks = sum(&residencies, |of| of.grid_blocks);
        let read_together = blocks / sum(&residencies, Residency::rounds);
        beyond_l1 * (f64::from(first.blocks) / read_together).min(1.0)
    };
    counted.parts.iter().map(of_part).sum()
}
