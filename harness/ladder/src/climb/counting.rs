//! What a step executes, counted by the simulator, wherever it was timed.

use simt::model::Gpu;

use super::Climb;
use crate::Progress;
use crate::limits::{count, limits, occupancy};
use crate::report::{Limits, Occupancy, Row};
use crate::statistics::median;

impl Climb<'_> {
    /// How near a timed step comes to what `gpu` could do, and how its blocks are resident; none of
    /// a step whose code the simulator cannot run.
    pub fn count(
        &self,
        row: &Row,
        gpu: &Gpu,
        progress: &mut dyn FnMut(Progress),
    ) -> Option<(Limits, Option<Occupancy>)> {
        let timed = row.main()?;
        let step = self.ladder.step(&row.step)?;
        let step = row.block.map_or(Some(*step), |block| step.with_block(block))?;
        progress(Progress::Count { n: timed.n });
        let source = self.source(&step, row.block).ok()?;
        let counted = count(&step, &source, gpu, timed.n).ok()?;
        let clocks: Vec<f64> = timed.samples.clock_mhz.iter().copied().map(f64::from).collect();
        let limits = limits(&counted, timed.n, timed.seconds, median(&clocks));
        Some((limits, occupancy(&counted, timed.n)))
    }
}
