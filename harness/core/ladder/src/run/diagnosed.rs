//! A step that was wrong on a GPU is diagnosed with the simulator next to it.

use device::{Choice, Device, Error, Module};
use report::Variant;

use super::{LadderRun, Stop};
use crate::diagnose::{Diagnosis, EXPECTED_SECONDS, diagnose};
use crate::measure::is_modelled;
use crate::verify::Failure;
use crate::{Progress, Step};

impl LadderRun<'_> {
    /// Why the case that was placed last is wrong; `None` of other failures, and where no GPU ran it.
    pub(super) fn diagnose(
        &mut self,
        step: &Step,
        variant: &Variant,
        stop: &Stop,
        device: &mut dyn Device,
        progress: &mut dyn FnMut(Progress),
    ) -> Option<Diagnosis> {
        let Stop::Failure(Failure::Wrong(_)) = stop else { return None };
        if is_modelled(device.info()) || step.is_for_cpu() || step.is_library() {
            return None;
        }
        let input = self.open.placed()?;
        progress(Progress::Diagnose { n: input.n, expected_seconds: EXPECTED_SECONDS });
        // What cannot be loaded again says nothing of why results were wrong.
        let mut on_gpu = self.load(device, step, variant).ok()?;
        let mut simulated = self.on_simulator(step, variant);
        let simulator = match &mut simulated {
            Ok((device, module)) => Ok((&mut **device as &mut dyn Device, module)),
            Err(error) => Err(error.to_string()),
        };
        Some(diagnose((device, &mut on_gpu), simulator, &mut *self.open, step, input))
    }

    fn on_simulator(
        &self,
        step: &Step,
        variant: &Variant,
    ) -> Result<(Box<dyn Device>, Module), Error> {
        let route = self.request.code.parse().unwrap_or_default();
        let model = if self.request.model.is_empty() { "h200" } else { &self.request.model };
        let mut device = device::open(Choice::Simt, route, model)?;
        let module = device.load(&self.source(step, variant)?)?;
        Ok((device, module))
    }
}
