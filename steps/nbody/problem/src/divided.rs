//! A step on several GPUs: bodies of its own on each, and what they exchange.
//!
//! ```text
//! launches   advance │ near │        force │                  correct │ advance │ near │ …
//! exchanges          │ positions are gathered │ sums are scattered │         │ positions …
//! ```
//!
//! Every GPU has its own thread or process, which runs this; the [`Group`] is its way to the others.

use device::{Device, Error, Group, Module};

use super::bodies::Bodies;
use super::constants::Constants;
use super::simulation::{Simulation, State};
use crate::step::{Division, Share, Step};
use crate::tolerance::Precision;

/// A GPU's part of the bodies, moved by a step's kernels.
pub struct Divided<'m> {
    simulation: Simulation<'m>,
    division: Division,
}

impl<'m> Divided<'m> {
    /// Allocates what `n` bodies need on this GPU of the group, with launches planned for GPUs of so
    /// many multiprocessors.
    ///
    /// # Errors
    /// The device's; [`Error::Skipped`] of a step that is for one GPU, on several.
    ///
    /// # Panics
    /// As [`Simulation::allocate`].
    pub fn allocate(
        device: &mut dyn Device,
        group: &dyn Group,
        step: &Step,
        module: &'m mut Module,
        n: usize,
        multiprocessors: u32,
    ) -> Result<Divided<'m>, Error> {
        let share = Share { index: group.rank() as u32, count: group.size() as u32 };
        let division = match step.host.division {
            Some(division) => division,
            None if share == Share::ALL => Division { near: &[], summed: None },
            None => {
                return Err(Error::Skipped {
                    reason: format!("{} is for one GPU", step.name),
                    remedy: "run one that divides its work: `harness list`".to_owned(),
                });
            }
        };
        let plan = (share, multiprocessors);
        let simulation = Simulation::allocate_share(device, step, module, n, plan)?;
        Ok(Divided { simulation, division })
    }

    /// The same with other constants; bodies are to be uploaded after that.
    #[must_use]
    pub fn with(self, constants: Constants) -> Divided<'m> {
        Divided { simulation: self.simulation.with(constants), ..self }
    }

    /// Uploads all bodies; accelerations that are not given are poisoned.
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
        self.simulation.upload(device, bodies, acceleration)
    }

    /// What its accelerations may be off.
    pub fn precision(&self) -> &Precision {
        self.simulation.precision()
    }

    /// One force evaluation, the `step`-th, for own bodies: with what is gathered of the others, and with their sums.
    ///
    /// # Errors
    /// The device's or the group's.
    pub fn force(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        step: u32,
    ) -> Result<(), Error> {
        for launch in self.simulation.force_launches() {
            if !self.division.near.contains(&launch.kernel) {
                self.wait(device, group)?;
            }
            if let Some(summed) = self.division.summed.filter(|it| it.before == launch.kernel)
                && let Some(sums) = self.simulation.buffer(summed.scratch)
            {
                group.reduce_scatter(device, sums)?;
                group.wait(device, sums)?;
            }
            self.simulation.launch_force(device, launch, step)?;
        }
        Ok(())
    }

    /// Advances own bodies by one time step, and begins to gather all positions.
    ///
    /// # Errors
    /// The device's or the group's.
    pub fn advance(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        self.simulation.advance(device)?;
        match self.simulation.buffer(POSITIONS) {
            Some(positions) => group.all_gather(device, positions),
            None => Ok(()),
        }
    }

    /// Runs whole time steps, from the `first`-th on, and waits for the positions of the last.
    ///
    /// # Errors
    /// The device's or the group's.
    pub fn run(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        first: u32,
        steps: u32,
    ) -> Result<(), Error> {
        for step in first..first + steps {
            self.force(device, group, step)?;
            self.advance(device, group)?;
        }
        self.wait(device, group)
    }

    /// The launches of whole time steps alone: nothing is exchanged, so results are worth nothing.
    ///
    /// # Errors
    /// The device's.
    pub fn run_apart(&self, device: &mut dyn Device, first: u32, steps: u32) -> Result<(), Error> {
        for step in first..first + steps {
            self.simulation.force(device, step)?;
            self.simulation.advance(device)?;
        }
        Ok(())
    }

    /// Launches every kernel and makes every exchange once, each alone: the driver loads code when it is
    /// first used, and a GPU that waits for another must not wait for that. Results are worth nothing.
    ///
    /// # Errors
    /// The device's or the group's.
    pub fn warm_up(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        self.run_apart(device, 0, 1)?;
        device.synchronize()?;
        let summed = self.division.summed.and_then(|it| self.simulation.buffer(it.scratch));
        if let Some(sums) = summed {
            group.reduce_scatter(device, sums)?;
            group.wait(device, sums)?;
            device.synchronize()?;
        }
        if let Some(positions) = self.simulation.buffer(POSITIONS) {
            group.all_gather(device, positions)?;
            group.wait(device, positions)?;
            device.synchronize()?;
        }
        Ok(())
    }

    /// Gathers all bodies on every GPU and copies them back. Positions are as they are on this GPU.
    ///
    /// # Errors
    /// The device's, also of launches that had not ended, or the group's.
    pub fn download(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<State, Error> {
        self.wait(device, group)?;
        for name in OWN {
            if let Some(buffer) = self.simulation.buffer(name).filter(|_| group.size() > 1) {
                group.all_gather(device, buffer)?;
                group.wait(device, buffer)?;
            }
        }
        self.simulation.download(device)
    }

    /// Waits for the positions that are on their way.
    fn wait(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        match self.simulation.buffer(POSITIONS) {
            Some(positions) => group.wait(device, positions),
            None => Ok(()),
        }
    }
}

/// What every GPU has of all bodies.
const POSITIONS: &str = "body";

/// What a GPU has of its own bodies alone.
const OWN: [&str; 2] = ["velocity", "acceleration"];
