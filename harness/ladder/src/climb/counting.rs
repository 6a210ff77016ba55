//! What a step executes, counted by the simulator, wherever it was timed.

use report::statistics::median;
use report::{Limits, Occupancy, Row};
use simt::model::Gpu;

use super::Climb;
use crate::limits::{count, limits, occupancy};
use crate::{Progress, variant};

impl Climb<'_> {
    /// How near a timed step comes to what `gpu` could do, and how its blocks are resident.
    ///
    /// # Errors
    /// Why that is not known: its code cannot run on the simulator.
    pub fn count(
        &mut self,
        row: &Row,
        gpu: &Gpu,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Limits, Option<Occupancy>), String> {
        let step = self.ladder.step(&row.step);
        let (Some(step), Some(timed)) = (step, row.main()) else {
            return Err("it was not timed".to_owned());
        };
        let variant = row.variant();
        let step = variant::of(&variant, &*self.open, &step)?;
        progress(Progress::Count { n: timed.n });
        let said = |error: device::Error| error.to_string();
        let source = self.source(&step, &variant).map_err(said)?;
        let counted = count(&mut *self.open, &step, &source, gpu, timed.n).map_err(said)?;
        let clocks: Vec<f64> = timed.samples.clock_mhz.iter().copied().map(f64::from).collect();
        let limits = limits(&counted, timed.work, timed.seconds, median(&clocks));
        Ok((limits, occupancy(&counted)))
    }
}
