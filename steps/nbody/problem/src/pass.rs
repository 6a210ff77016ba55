//! A step's bodies on a device, as the core runs and judges them.

use std::sync::Arc;

use device::{Device, Error, Group};
use ladder::judge::{Errors, Tolerance};
use ladder::problem::{Checked, Copied, Failed, Pass, SharedPass, Work};
use report::Extra;

use crate::divided::Divided;
use crate::simulation::{Simulation, State};
use crate::tolerance::Precision;
use crate::verify::{
    Case, Drift, LATER, Ran, judge_accelerations, judge_advance, judge_force, judge_sums,
    judge_time_steps, judge_wholes,
};

/// On one device.
pub(crate) struct Alone<'m> {
    pub(crate) simulation: Simulation<'m>,
    pub(crate) case: Arc<Case>,
    /// Bodies of one block; none where blocks share them.
    pub(crate) of_block: Option<u32>,
}

/// On one GPU of a group.
pub(crate) struct Shared<'m> {
    pub(crate) divided: Divided<'m>,
    pub(crate) case: Arc<Case>,
}

impl Pass for Alone<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        let (bodies, acceleration) = self.case.start();
        self.simulation.upload(device, bodies, acceleration)
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        match *self.case {
            Case::Unjudged(_, number) => self.simulation.force(device, number),
            Case::First(_) | Case::Sampled(_) | Case::Sums(_, None) => {
                self.simulation.force(device, 0)
            }
            Case::Later(..) | Case::Sums(_, Some(_)) => self.simulation.force(device, LATER),
            Case::Advance(_) => self.simulation.advance(device),
            Case::TimeSteps(ref trajectory) => {
                self.simulation.run(device, trajectory.steps)?;
                // The last evaluation corrects the velocities.
                self.simulation.force(device, trajectory.steps)
            }
        }
    }

    fn wholes<'p>(
        &'p self,
        device: &mut dyn Device,
        count: u32,
    ) -> Result<Option<Work<'p>>, Error> {
        let ready = self.simulation.prepare(device, count)?;
        Ok(Some(Box::new(move |device| ready.start(device))))
    }

    fn rest(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.simulation.advance(device)
    }

    fn check_wholes(&mut self, device: &mut dyn Device, count: u32) -> Result<(), Failed> {
        let state = self.simulation.download(device)?;
        judge_time_steps_of(&self.case, count, &state, self.simulation.precision())
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        self.simulation.copy_back(device)
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        let state = self.simulation.download(device)?;
        judge(&self.case, &state, self.simulation.precision())
    }

    fn check_blocks(&mut self, device: &mut dyn Device, blocks: &[u64]) -> Result<(), Failed> {
        let state = self.simulation.download(device)?;
        match (&*self.case, self.of_block) {
            (Case::Sampled(sampled), Some(each)) => {
                let ran = Ran { blocks, each: each.into() };
                Ok(sampled.judge(ran, &state, self.simulation.precision())?)
            }
            _ => Ok(()),
        }
    }

    fn bytes(&self) -> (u64, u64) {
        (self.simulation.bytes(), self.simulation.bytes())
    }
}

impl SharedPass for Shared<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        let (bodies, acceleration) = self.case.start();
        self.divided.upload(device, bodies, acceleration)
    }

    fn run(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        match *self.case {
            Case::Unjudged(_, number) => self.divided.force(device, group, number),
            Case::First(_) | Case::Sampled(_) | Case::Sums(_, None) => {
                self.divided.force(device, group, 0)
            }
            Case::Later(..) | Case::Sums(_, Some(_)) => self.divided.force(device, group, LATER),
            Case::Advance(_) => self.divided.advance(device, group),
            Case::TimeSteps(ref trajectory) => {
                self.divided.run(device, group, 0, trajectory.steps)?;
                self.divided.force(device, group, trajectory.steps)
            }
        }
    }

    fn wholes(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        first: u32,
        count: u32,
    ) -> Result<(), Error> {
        self.divided.run(device, group, first, count)
    }

    fn check_wholes(
        &mut self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        count: u32,
    ) -> Result<(), Failed> {
        let state = self.divided.download(device, group)?;
        judge_time_steps_of(&self.case, count, &state, self.divided.precision())
    }

    fn wholes_apart(&self, device: &mut dyn Device, first: u32, count: u32) -> Result<(), Error> {
        self.divided.run_apart(device, first, count)
    }

    fn warm_up(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        self.divided.warm_up(device, group)
    }

    fn check(&mut self, device: &mut dyn Device, group: &mut dyn Group) -> Result<Checked, Failed> {
        let state = self.divided.download(device, group)?;
        judge(&self.case, &state, self.divided.precision())
    }
}

/// Judges what whole time steps left of a case that is timed.
fn judge_time_steps_of(
    case: &Case,
    count: u32,
    state: &State,
    precision: &Precision,
) -> Result<(), Failed> {
    match case {
        Case::First(forces) => Ok(judge_wholes(forces, count, state, precision)?),
        _ => Ok(()),
    }
}

/// Judges what a case left.
fn judge(case: &Case, state: &State, precision: &Precision) -> Result<Checked, Failed> {
    let mut right = Checked {
        errors: Errors::NONE,
        tolerance: Tolerance::EXACT,
        extras: Vec::new(),
        bits: (Vec::new(), 3),
    };
    match case {
        // Of sampled blocks one must know which they were.
        Case::Unjudged(..) | Case::Sampled(_) => {}
        Case::First(forces) => {
            right.errors = judge_accelerations(forces, state, precision)?;
            right.tolerance = precision.accelerations(&forces.expected, &forces.pulls).tolerance;
            let [x, y, z] = &state.acceleration;
            let numbers = x.iter().zip(y).zip(z).flat_map(|((x, y), z)| [x, y, z]);
            right.bits.0 = numbers.map(|number| number.to_bits().into()).collect();
        }
        Case::Sums(forces, _) => judge_sums(forces, state)?,
        Case::Later(forces, start) => judge_force(forces, start, state, precision)?,
        Case::Advance(start) => judge_advance(start, state)?,
        Case::TimeSteps(trajectory) => {
            let Drift { energy, momentum } = judge_time_steps(trajectory, state, precision)?;
            let extra = |name: &str, value| Extra { name: name.to_owned(), value };
            right.extras = vec![extra("energy drift", energy), extra("momentum drift", momentum)];
        }
    }
    Ok(right)
}
