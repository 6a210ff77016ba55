//! What a report's limits say of the roofs of a chip, and of where a step lies under them.

use report::bound::{DRAM, FP32_PEAK, L2, MUFU};
use report::{Limits, Row};

use crate::bounds;
use crate::kit::marks::RADIUS;

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

/// A step whose operations are known.
pub struct Step<'r> {
    pub name: &'r str,
    pub limits: &'r Limits,
    /// FP32 operations of one pass.
    operations: f64,
    /// 10¹² of them per second, and the most that the chip can do.
    pub rate: f64,
    pub peak: f64,
    /// Operations per byte of L2 and of DRAM; `None` where nothing moves.
    pub intensity: [Option<f64>; 2],
}

impl Step<'_> {
    /// Of a row; `None` where its limits do not say enough, or where it executes no such operation.
    pub fn of(row: &Row) -> Option<Step<'_>> {
        let limits = row.limits.as_ref()?;
        let peak = limits.peak_flop_per_second?;
        // The peak's least time is that of the operations.
        let bound = limits.bounds.iter().find(|bound| bound.name == FP32_PEAK)?;
        let operations = bound.seconds * peak;
        let rate = operations / row.at(limits.n)?.seconds / 1e12;
        let intensity = bytes(limits).map(|bytes| Some(operations / bytes));
        let is_usable = rate.is_normal() && rate > 0.0;
        is_usable.then_some(Step {
            name: &row.step,
            limits,
            operations,
            rate,
            peak: peak / 1e12,
            intensity: intensity.map(|at| at.filter(|at| at.is_finite())),
        })
    }

    /// What its own instructions allow below the chip's peak: every bound that is not a memory's,
    /// as 10¹² operations per second, the highest first; and the special functions' near the peak.
    pub fn roofs(&self) -> Vec<(String, f64)> {
        let is_shown = |name: &str, rate: f64| {
            let most = if name == MUFU { NEAR_PEAK } else { AT_PEAK };
            rate > 0.0 && rate < most * self.peak
        };
        let bounds = self.limits.bounds.iter();
        let mut roofs: Vec<(String, f64)> = bounds
            .filter(|bound| bound.name != FP32_PEAK)
            .filter(|bound| MEMORIES.iter().all(|(name, _)| *name != bound.name))
            .map(|bound| (bound.name.as_str(), self.operations / bound.seconds / 1e12))
            .filter(|(name, rate)| is_shown(name, *rate))
            .map(|(name, rate)| (format!("{} bound", bounds::title(name)), rate))
            .collect();
        roofs.sort_by(|a, b| b.1.total_cmp(&a.1));
        roofs
    }
}

/// The memories' names and bandwidths, in 10¹² bytes per second.
pub fn slopes(limits: &Limits) -> Vec<(&'static str, f64)> {
    let memories = MEMORIES.iter().zip(bytes(limits));
    let slopes = memories.filter_map(|((name, _), bytes)| {
        let bound = limits.bounds.iter().find(|bound| bound.name == *name)?;
        let bandwidth = bytes / bound.seconds / 1e12;
        (bandwidth.is_normal() && bandwidth > 0.0).then_some((*name, bandwidth))
    });
    slopes.collect()
}
