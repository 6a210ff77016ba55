//! The host's side of every step: bodies to the device, launches, results back.
//!
//! Written once over [`device::Device`]; what differs between steps is read from their data.

mod memory;
mod time_steps;

use device::{Argument, Buffer, Device, Error, Module};

use super::bodies::Bodies;
use super::constants::Constants;
use crate::cpu;
use crate::step::{
    Parameters, Run, Share, Step, advance_launch, force_launches, grid, padded, run_launch,
};
use crate::tolerance::Precision;
use ladder::Launch;
use ladder::problem::{Copied, multiprocessors};
use memory::Memory;

pub use memory::{State, bytes};
pub use time_steps::TimeSteps;

/// Bodies on a device, moved by a step's kernels.
///
/// It borrows the module for itself: constants in it hold this simulation's pointers.
pub struct Simulation<'m> {
    module: &'m Module,
    memory: Memory,
    constants: Constants,
    parameters: Parameters,
    precision: Precision,
    /// The launches of a force evaluation.
    force: Vec<Launch>,
    advance: Launch,
    /// The launch of whole time steps, where there is one.
    run: Option<Launch>,
    /// Whether whole time steps are recorded in a graph.
    in_graph: bool,
    n: i32,
    share: Share,
}

impl<'m> Simulation<'m> {
    /// Uploads `bodies` in the layout of `step`. Accelerations are poisoned: until a kernel writes
    /// them they are NaN.
    ///
    /// # Errors
    /// The device's: out of memory, a lost GPU.
    ///
    /// # Panics
    /// If there are more than `i32::MAX` bodies, which are refused before.
    pub fn new(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        bodies: &Bodies,
    ) -> Result<Simulation<'m>, Error> {
        Simulation::resume(device, step, module, bodies, None)
    }

    /// The same with accelerations, as if there had been a force evaluation before.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    ///
    /// # Panics
    /// As [`Simulation::new`], and if there are not as many accelerations as bodies.
    pub fn resume(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        bodies: &Bodies,
        acceleration: Option<&[Vec<f32>; 3]>,
    ) -> Result<Simulation<'m>, Error> {
        let simulation = Simulation::allocate(device, step, module, bodies.len())?;
        simulation.upload(device, bodies, acceleration)?;
        Ok(simulation)
    }

    /// Allocates what `n` bodies need, for the usual constants, and puts nothing there.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    ///
    /// # Panics
    /// As [`Simulation::new`].
    pub fn allocate(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        n: usize,
    ) -> Result<Simulation<'m>, Error> {
        let multiprocessors = multiprocessors(device);
        Simulation::allocate_share(device, step, module, n, (Share::ALL, multiprocessors))
    }

    /// The same on one of several GPUs, between which a step that has a division divides the bodies,
    /// with launches planned for GPUs of so many multiprocessors.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    ///
    /// # Panics
    /// As [`Simulation::new`].
    pub fn allocate_share(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        n: usize,
        (share, multiprocessors): (Share, u32),
    ) -> Result<Simulation<'m>, Error> {
        let padded = padded(step, n as u64, share.count) as usize;
        let memory = Memory::allocate(device, step, n, padded)?;
        let n = i32::try_from(n).expect("fewer bodies than an int can count");
        let bodies = n.cast_unsigned();
        let force = force_launches(step, bodies, share, multiprocessors);
        let planned = match step.is_for_cpu() {
            true => cpu::grid(device, module, bodies),
            false => grid(step, bodies, share, multiprocessors),
        };
        let own = match share {
            Share::ALL => bodies,
            _ => padded as u32 / share.count,
        };
        // A share of the bodies has positions to exchange after each time step.
        let whole = share == Share::ALL;
        let run = run_launch(step, bodies, multiprocessors).filter(|_| whole);
        Ok(Simulation {
            module,
            memory,
            constants: Constants::USUAL,
            parameters: step.host.parameters,
            precision: Precision::new(&step.host.arithmetic, &planned),
            force,
            advance: advance_launch(step, own),
            run,
            in_graph: whole && matches!(step.host.run, Run::Graph),
            n,
            share,
        })
    }

    /// The same with other constants; bodies are to be uploaded after that.
    #[must_use]
    pub fn with(self, constants: Constants) -> Simulation<'m> {
        Simulation { constants, ..self }
    }

    /// Uploads bodies, and constants where the step has some; accelerations that are not given are
    /// poisoned.
    ///
    /// # Errors
    /// The device's.
    ///
    /// # Panics
    /// If there are not as many bodies as were allocated for.
    pub fn upload(
        &self,
        device: &mut dyn Device,
        bodies: &Bodies,
        acceleration: Option<&[Vec<f32>; 3]>,
    ) -> Result<(), Error> {
        self.memory.upload(device, bodies, acceleration)?;
        match self.parameters {
            Parameters::Constant => self.set_constants(device, bodies),
            Parameters::Arguments => Ok(()),
        }
    }

    /// What its accelerations may be off.
    pub fn precision(&self) -> &Precision {
        &self.precision
    }

    /// Bytes of the bodies on the device.
    pub fn bytes(&self) -> u64 {
        self.memory.bytes() as u64
    }

    /// Fills the constants that the module declares; a step leaves out those it does not need.
    fn set_constants(&self, device: &mut dyn Device, bodies: &Bodies) -> Result<(), Error> {
        let mut set = |name: &str, bytes: &[u8]| match self.module.has_symbol(name) {
            true => device.set_constant(self.module, name, bytes),
            false => Ok(()),
        };
        set("n", &self.n.to_le_bytes())?;
        let own = self.memory.padded() as u32 / self.share.count;
        set("begin", &(self.share.index * own).to_le_bytes())?;
        set("end", &((self.share.index + 1) * own).to_le_bytes())?;
        set("dtime", &self.constants.dtime.to_le_bytes())?;
        set("dthf", &self.constants.dthf().to_le_bytes())?;
        set("epssq", &self.constants.epssq.to_le_bytes())?;
        set("mass_unit", &mass_unit(bodies).to_le_bytes())?;
        for buffer in self.memory.all() {
            set(buffer.name(), &buffer.address().to_le_bytes())?;
        }
        Ok(())
    }

    /// One force evaluation, the `step`-th: from positions to accelerations; after the first also
    /// the correction of the velocities.
    ///
    /// # Errors
    /// The device's: a fault of the kernel, a lost GPU.
    pub fn force(&self, device: &mut dyn Device, step: u32) -> Result<(), Error> {
        self.force.iter().try_for_each(|launch| self.launch_force(device, launch, step))
    }

    /// The launches of a force evaluation.
    pub fn force_launches(&self) -> &[Launch] {
        &self.force
    }

    /// One of the launches of a force evaluation.
    ///
    /// # Errors
    /// As [`Simulation::force`].
    pub fn launch_force(
        &self,
        device: &mut dyn Device,
        launch: &Launch,
        step: u32,
    ) -> Result<(), Error> {
        self.launch(device, launch, &self.force_arguments(step))
    }

    /// The buffer of this name, if the step has such a one.
    pub fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.memory.all().find(|buffer| buffer.name() == name)
    }

    /// Advances positions and velocities by one time step.
    ///
    /// # Errors
    /// As [`Simulation::force`].
    pub fn advance(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.launch(device, &self.advance, &self.advance_arguments())
    }

    /// Runs `steps` whole time steps from the uploaded state.
    ///
    /// # Errors
    /// As [`Simulation::force`].
    pub fn run(&self, device: &mut dyn Device, steps: u32) -> Result<(), Error> {
        self.prepare(device, steps)?.start(device)
    }

    /// Waits for the launches, looks whether they wrote beside the bodies, and copies everything
    /// back.
    ///
    /// # Errors
    /// The device's, also of launches that had not ended.
    pub fn download(&self, device: &mut dyn Device) -> Result<State, Error> {
        device.synchronize()?;
        self.memory.check_guards(device)?;
        self.memory.download(device)
    }

    /// The copies of [`Simulation::download`] and nothing else, for whoever times them.
    ///
    /// # Errors
    /// As [`Simulation::download`].
    pub fn copy_back(&self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        self.memory.buffers().iter().map(|buffer| Copied::from(device, buffer)).collect()
    }

    /// Arguments of what computes forces, in the `step`-th time step.
    fn force_arguments(&self, step: u32) -> Vec<Argument<'_>> {
        let step = Argument::I32(step.cast_signed());
        let Constants { epssq, .. } = self.constants;
        let dthf = self.constants.dthf();
        match self.parameters {
            Parameters::Arguments => {
                self.arguments(&[Argument::F32(dthf), Argument::F32(epssq), step])
            }
            Parameters::Constant => vec![step],
        }
    }

    /// Arguments of what advances positions and velocities.
    fn advance_arguments(&self) -> Vec<Argument<'_>> {
        match self.parameters {
            Parameters::Arguments => self.arguments(&[
                Argument::F32(self.constants.dtime),
                Argument::F32(self.constants.dthf()),
            ]),
            Parameters::Constant => Vec::new(),
        }
    }

    /// Number, pointers, then what follows them.
    fn arguments<'a>(&'a self, last: &[Argument<'a>]) -> Vec<Argument<'a>> {
        let pointers = self.memory.buffers().iter().map(Argument::Buffer);
        std::iter::once(Argument::I32(self.n)).chain(pointers).chain(last.iter().copied()).collect()
    }

    fn launch(
        &self,
        device: &mut dyn Device,
        launch: &Launch,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        device.launch(self.module, launch.kernel, launch.shape, arguments)
    }
}

/// The greatest mass; 1 where all are 0. Divided by it, masses fit into numbers of few bits, and
/// equal masses exactly: what they lost would be lost by all to the same side.
fn mass_unit(bodies: &Bodies) -> f32 {
    let heaviest = bodies.mass.iter().copied().fold(0.0, f32::max);
    if heaviest > 0.0 { heaviest } else { 1.0 }
}
