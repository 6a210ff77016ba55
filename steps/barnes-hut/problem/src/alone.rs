//! Some kernels of a step alone, with more bodies than the simulator runs a whole time step of: as many as a large GPU has
//! threads for, so that what only its last blocks do is verified too.

use std::sync::Arc;

use device::{Device, Error, Module};
use ladder::judge::Errors;
use ladder::problem::{Checked, Copied, Failed, Pass};

use crate::array::{Array, Sizes};
use crate::case::Case;
use crate::memory::Memory;
use crate::step::{Alone, Call, Given, Host};

/// Kernels alone, on a device.
pub(crate) struct Part<'m> {
    module: &'m Module,
    alone: Alone,
    calls: Vec<Call>,
    memory: Memory,
    case: Arc<Case>,
}

impl<'m> Part<'m> {
    /// Allocates the arrays that the kernels are given, and no others.
    pub(crate) fn new(
        device: &mut dyn Device,
        module: &'m Module,
        (host, alone): (&Host, Alone),
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Part<'m>, Error> {
        let is_one = |call: &&Call| alone.kernels.contains(&call.kernel);
        let calls: Vec<Call> = host.calls.iter().filter(is_one).copied().collect();
        let is_given = |array: &&Array| {
            let is_it = |given: &Given| matches!(given, Given::Array(name) if *name == array.name);
            calls.iter().any(|call| call.given.iter().any(is_it))
        };
        let arrays: Vec<Array> = host.arrays.iter().filter(is_given).copied().collect();
        let memory = Memory::new(device, &arrays, Sizes::new(alone.n, multiprocessors))?;
        Ok(Part { module, alone, calls, memory, case })
    }
}

impl Pass for Part<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        self.memory.upload(device, &self.case.bodies)?;
        self.alone.before.iter().try_for_each(|(name, word)| {
            let buffer = self.memory.buffer(name);
            let words: Vec<u32> = (0..buffer.bytes() / 4).map(word).collect();
            device.upload(buffer, bytemuck::cast_slice(&words))
        })
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let mut calls = self.calls.iter();
        calls.try_for_each(|call| self.memory.call(device, self.module, call, &self.case.values))
    }

    fn download(&mut self, _: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        Ok(Vec::new())
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        let found = self.memory.download_some(device, |_| true)?;
        (self.alone.check)(&found).map_err(|defect| defect.at(self.alone.n))?;
        Ok(Checked::exact(Errors { rms: 0.0, worst: 0.0, worst_index: 0 }))
    }

    fn bytes(&self) -> (u64, u64) {
        (0, 0)
    }
}
