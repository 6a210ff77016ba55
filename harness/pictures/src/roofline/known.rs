//! What a report's limits tell of the roofs of a chip, and of where a step lies under them.

use ladder::limits::{DRAM, FP32_PEAK, L2, MUFU, peak_flop_per_second};
use report::{Limits, Row};
use simt::model::Gpu;

use crate::plot::bounds;
use crate::plot::marks::RADIUS;

/// Roofs of a step above the peak say nothing, but how near the special functions are to it does:
/// they are shown up to this many times the peak.
const NEAR_PEAK: f64 = 1.5;
/// Roofs as near to the peak as this are the peak.
const AT_PEAK: f64 = 0.99;

/// The two memories, the nearer first, and how large their marks are.
pub const MEMORIES: [(&str, i32); 2] = [(L2, RADIUS), (DRAM, RADIUS - 3)];

/// Bytes that a step moves from and to L2 and DRAM.
fn bytes(limits: &Limits) -> [f64; 2] {
    [limits.l2_bytes, limits.dram_bytes]
}

/// FP32 operations per second at most. A report that does not tell it may be of a chip that is
/// described.
pub fn peak(limits: &Limits) -> Option<f64> {
    let described = || {
        let gpu = Gpu::named(&limits.gpu).ok()?;
        Some(peak_flop_per_second(&gpu, limits.clock_mhz))
    };
    limits.peak_flop_per_second.or_else(described)
}

/// FP32 operations of a force evaluation: what the peak needs that bound's time for.
fn operations(limits: &Limits) -> Option<f64> {
    let bound = limits.bounds.iter().find(|bound| bound.name == FP32_PEAK)?;
    Some(bound.seconds * peak(limits)?)
}

/// A step whose operations are known.
pub struct Known<'r> {
    /// Its name.
    pub name: &'r str,
    /// Its limits.
    pub limits: &'r Limits,
    /// FP32 operations of a force evaluation.
    operations: f64,
    /// 10¹² of them per second.
    pub rate: f64,
}

impl Known<'_> {
    /// Of a row; none where its limits do not tell them.
    pub fn of(row: &Row) -> Option<Known<'_>> {
        let limits = row.limits.as_ref()?;
        let operations = operations(limits)?;
        let rate = operations / row.at(limits.n)?.seconds / 1e12;
        let is_usable = rate.is_normal() && rate > 0.0;
        is_usable.then_some(Known { name: &row.step, limits, operations, rate })
    }

    /// Where it lies.
    pub fn step(&self) -> Step {
        let intensity = bytes(self.limits).map(|bytes| self.operations / bytes);
        Step {
            name: self.name.to_owned(),
            rate: self.rate,
            intensity: intensity.map(|at| Some(at).filter(|at| at.is_finite())),
        }
    }
}

/// Where a step lies.
pub struct Step {
    /// Its name.
    pub name: String,
    /// 10¹² operations per second.
    pub rate: f64,
    /// Operations per byte of L2 and of DRAM; none where nothing moves.
    pub intensity: [Option<f64>; 2],
}

/// What a step's own instructions allow below the chip's peak: every bound that is not a memory's,
/// as 10¹² operations per second, the highest first; and the special functions' near the peak.
pub fn roofs(step: &Known, peak: f64) -> Vec<(String, f64)> {
    let is_shown = |name: &str, rate: f64| {
        let most = if name == MUFU { NEAR_PEAK } else { AT_PEAK };
        rate > 0.0 && rate < most * peak
    };
    let bounds = step.limits.bounds.iter();
    let mut roofs: Vec<(String, f64)> = bounds
        .filter(|bound| bound.name != FP32_PEAK)
        .filter(|bound| MEMORIES.iter().all(|(name, _)| *name != bound.name))
        .map(|bound| (bound.name.as_str(), step.operations / bound.seconds / 1e12))
        .filter(|(name, rate)| is_shown(name, *rate))
        .map(|(name, rate)| (format!("{} bound", bounds::title(name)), rate))
        .collect();
    roofs.sort_by(|a, b| b.1.total_cmp(&a.1));
    roofs
}

/// Bandwidths of the memories.
pub fn slopes(limits: &Limits) -> Vec<(String, f64)> {
    let memories = MEMORIES.iter().zip(bytes(limits));
    let slopes = memories.filter_map(|((name, _), bytes)| {
        let bound = limits.bounds.iter().find(|bound| bound.name == *name)?;
        let bandwidth = bytes / bound.seconds / 1e12;
        (bandwidth.is_normal() && bandwidth > 0.0).then(|| ((*name).to_owned(), bandwidth))
    });
    slopes.collect()
}
