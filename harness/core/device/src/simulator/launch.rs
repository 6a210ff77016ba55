//! Launches: their checks, what is watched for, and their modelled time.

use std::sync::PoisonError;

use simt::{FaultKind, KernelError, LaunchError};

use super::profile::{Plan, Watching};
use super::state::{Loaded, SimulatorDevice, StreamId};
use crate::api::argument::Argument;
use crate::api::buffer::Place;
use crate::api::module::Module;
use crate::api::shape::Shape;
use crate::api::simulation::Simulation;
use crate::api::stream::Start;
use crate::error::Error;
use simt::model::Engine;

/// What the time model needs to know of how a kernel is launched.
#[derive(Debug, Clone, Copy, Default)]
struct How {
    /// The stream; `None` is the default one.
    stream: Option<u64>,
    /// The fraction of the memory given to the kernel that is the host's.
    mapped: f64,
}

impl SimulatorDevice {
    /// Runs a kernel; as a cooperative launch too if it has barriers of the grid, which trap in any other.
    ///
    /// # Errors
    /// As [`Device::launch`].
    pub fn launch_grid(
        &mut self,
        module: &Module,
        kernel: &str,
        launch: &simt::Launch,
    ) -> Result<(), Error> {
        let found = module.loaded::<Loaded>(self.id)?.code.module().find(kernel);
        let cooperative = launch.cooperative || found.is_ok_and(simt::Kernel::synchronises_grid);
        self.run(module, kernel, launch.clone().cooperative(cooperative), How::default())
    }

    fn run(
        &mut self,
        module: &Module,
        kernel: &str,
        launch: simt::Launch,
        how: How,
    ) -> Result<(), Error> {
        let Loaded { code: loaded, machine, coverage, .. } = module.loaded(self.id)?;
        let found = loaded.module().find(kernel).map_err(|error| kernel_error(module, error))?;
        if self.simulation.blocks.is_some() && found.communicates() {
            return Err(Error::Skipped {
                reason: format!(
                    "blocks of `{kernel}` depend on each other, and none was run alone"
                ),
                remedy: "choose a --size of which the simulator runs all blocks".to_string(),
            });
        }
        let watching = match &self.watching {
            Some((watching, _)) => Some(*watching),
            // What is timed is launched again and again: its data are still in the L2 cache, if all fit.
            None if self.is_modelling() => {
                let warm_l2 = self.simulator.used_bytes() as f64 <= self.gpu.chip.l2_bytes.value;
                Some(Watching { warm_l2, ..Watching::default() })
            }
            None => None,
        };
        let Simulation {
            order,
            staggered,
            blocks,
            hazards,
            multiprocessors,
            limit,
            coverage: notes,
        } = self.simulation.clone();
        let limit = watching.and_then(|watching| watching.limit).or(limit);
        let launch = launch.seed(order).scheduling(self.scheduling).limit(limit);
        let launch = launch.only(blocks.as_deref()).staggered(staggered);
        let plan =
            |watching: Watching| Plan::new(&self.gpu, found, &launch, machine.as_ref(), watching);
        if launch.cooperative {
            let residency = plan(Watching::default())?.residency;
            let most = self.resident_blocks(residency.blocks);
            if residency.grid_blocks > most {
                return Err(Error::NotTogether {
                    kernel: kernel.to_string(),
                    blocks: residency.grid_blocks,
                    threads: launch.block.iter().product(),
                    device: self.gpu.name.clone(),
                });
            }
        }
        let resident = match multiprocessors {
            Some(few) => {
                let mut gpu = self.gpu.clone();
                gpu.chip.multiprocessors.value = few.into();
                let on_few =
                    Plan::new(&gpu, found, &launch, machine.as_ref(), Watching::default())?;
                Some(u64::from(on_few.residency.blocks) * u64::from(few))
            }
            None => None,
        };
        let mut plan = watching.map(plan).transpose()?;
        if let Some(plan) = &mut plan {
            // Some blocks cannot stand for all where they wait for the others, or take what these leave.
            if launch.cooperative || found.communicates() {
                plan.watch_all();
            }
        }
        let mut watch = plan.as_ref().map(Plan::watch).unwrap_or_default();
        watch.hazards |= hazards;
        watch.coverage = notes;
        let events = self
            .simulator
            .launch(loaded, kernel, &launch.clone().resident(resident), &watch)
            .map_err(|error| launch_error(module, error))?;
        if let Some(ran) = &events.ran {
            coverage.lock().unwrap_or_else(PoisonError::into_inner).add(kernel, ran);
        }
        if let Some((executed, _)) = &mut self.seen {
            for instruction in found.instructions() {
                let executions = events.blocks[instruction.block].executions;
                *executed.entry(instruction.line).or_default() += executions;
            }
        }
        if hazards && let Some(fault) = worst(&events.hazards) {
            let others = events.hazards.len() - 1;
            return Err(Error::Kernel { fault: Box::new(fault.clone()), others });
        }
        let Some(plan) = plan else { return Ok(()) };
        let mut profile = plan.profile(loaded.module().clone(), events);
        profile.printed = self.simulator.take_printed();
        profile.unfreed = unfreed(&self.simulator.heap_blocks());
        if self.is_modelling() {
            // Of the memory that kernels touch the host has its part.
            let [loaded, stored] = profile.moved_bytes().map(|bytes| bytes * how.mapped);
            let seconds = profile.estimate.seconds.max(self.gpu.mapped_seconds(loaded, stored));
            let most = self.resident_blocks(profile.residency.blocks);
            let share = (profile.residency.grid_blocks as f64 / most as f64).min(1.0);
            let share = if self.is_second { 1.0 } else { share };
            self.clock().timeline.add(how.stream, Engine::Multiprocessors, seconds, share);
        }
        if let Some((_, seen)) = &mut self.watching {
            seen.push(profile);
        }
        Ok(())
    }

    /// Checks a launch and runs it.
    pub(super) fn launch_checked(
        &mut self,
        how: Start,
        module: &Module,
        (kernel, shape): (&str, Shape),
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let stream = match how {
            Start::On(stream) => Some(stream.get::<StreamId>(self.id)?.0),
            Start::Default | Start::Together => None,
        };
        let loaded = self.code(module)?;
        let found = loaded.module().find(kernel).map_err(|error| kernel_error(module, error))?;
        let declared = found.parameters().iter().map(|parameter| parameter.bytes as usize);
        module.check_launch((kernel, shape), declared, arguments)?;
        self.gpu.check_shared(found.shared_bytes().saturating_add(shape.shared_bytes))?;
        let bytes = |is_counted: fn(Place) -> bool| -> usize {
            let buffers = arguments.iter().filter_map(|argument| match argument {
                Argument::Buffer(buffer) if is_counted(buffer.place()) => Some(buffer.bytes()),
                _ => None,
            });
            buffers.sum()
        };
        let mapped = bytes(|place| place == Place::Host) as f64 / bytes(|_| true).max(1) as f64;
        for argument in arguments {
            if let Argument::Buffer(buffer) = argument
                && buffer.place() == Place::Managed
            {
                self.touch(buffer, Place::Device, stream);
            }
        }
        let mut launch = simt::Launch::new(shape.blocks, shape.threads)
            .shared_bytes(shape.shared_bytes)
            .cluster((shape.cluster > 1).then_some([shape.cluster, 1, 1]))
            .cooperative(matches!(how, Start::Together));
        for argument in arguments {
            let (bits, bytes) = argument.bits();
            launch = launch.argument(&bytemuck::bytes_of(&bits)[..bytes]);
        }
        self.run(module, kernel, launch, How { stream, mapped })
    }

    /// Blocks that run at once, of which a multiprocessor holds so many.
    fn resident_blocks(&self, each: u32) -> u64 {
        u64::from(each) * self.gpu.chip.multiprocessors.value as u64
    }
}

/// What is said of blocks of the heap that nobody has freed.
fn unfreed(blocks: &[simt::HeapBlock]) -> Option<String> {
    let first = blocks.first()?;
    let bytes: u64 = blocks.iter().map(|block| block.bytes).sum();
    let (count, verb) = match blocks.len() {
        1 => ("1 block".to_owned(), "is"),
        many => (format!("{many} blocks"), "are"),
    };
    Some(format!(
        "{count} of {bytes} bytes {verb} not freed; the first was allocated {}",
        first.allocated
    ))
}

/// The hazard to begin with: what a barrier would order races if some threads do not come to it.
fn worst(hazards: &[simt::Fault]) -> Option<&simt::Fault> {
    let is_barriers = |fault: &&simt::Fault| {
        matches!(fault.kind, FaultKind::DivergentBarrier(_) | FaultKind::MixedBarrier(_))
    };
    hazards.iter().find(is_barriers).or(hazards.first())
}

fn kernel_error(module: &Module, error: KernelError) -> Error {
    match error {
        KernelError::NoSuchKernel { name, available } => {
            module.no_kernel(&name, available.iter().map(String::as_str))
        }
        KernelError::Unsupported { .. } => toolchain::Error::BadPtx(error.to_string()).into(),
    }
}

fn launch_error(module: &Module, error: LaunchError) -> Error {
    match error {
        LaunchError::Kernel(error) => kernel_error(module, error),
        LaunchError::Arguments { kernel, message } => {
            Error::Arguments { module: module.name.clone(), kernel, message }
        }
        LaunchError::Shape { kernel, message } => Error::BadShape { kernel, message },
        LaunchError::Fault(fault) => Error::Kernel { fault, others: 0 },
    }
}
