//! A case on one GPU of several: each makes the whole tree and walks for bodies of its own; then all get all accelerations.
//!
//! ```text
//! launches   box … divide │ force │           collect │ advance │ box …
//! exchanges                       │ gathered │
//! ```

use std::cell::RefCell;

use device::{Buffer, Device, Error, Group};
use ladder::judge::{Errors, Mismatch};
use ladder::problem::{Checked, Failed, SharedPass};

use crate::judge;
use crate::kept::Kept;
use crate::pass::Placed;
use crate::step::Exchange;
use crate::values::Values;

/// A case on one GPU of a group.
pub(crate) struct Shared<'m> {
    placed: Placed<'m>,
    /// A copy of what was exchanged where the bodies lie at first.
    exchanged: RefCell<Option<Buffer>>,
    /// Copies of what this GPU begins with.
    kept: Kept,
}

impl<'m> Shared<'m> {
    pub(crate) fn new(placed: Placed<'m>) -> Shared<'m> {
        Shared { placed, exchanged: RefCell::default(), kept: Kept::default() }
    }

    fn time_step(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        let Placed { host, memory, .. } = &self.placed;
        for call in host.calls {
            if let (Some(Exchange::Array { before }), Some(buffer)) =
                (host.exchange, memory.exchanged())
                && before == call.kernel
            {
                group.all_gather(device, buffer)?;
                group.wait(device, buffer)?;
            }
            self.placed.call(device, call)?;
        }
        Ok(())
    }
}

impl SharedPass for Shared<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        if !self.placed.restore_from(device, &self.kept)? {
            self.placed.memory.upload(device, &self.placed.case.bodies)?;
            self.placed.keep_in(device, &self.kept)?;
        }
        match (self.placed.memory.exchanged(), self.exchanged.get_mut()) {
            (Some(buffer), Some(known)) => copied(device, known, buffer),
            _ => Ok(()),
        }
    }

    /// A step that uses the last time step's accelerations begins with those of a first one.
    fn run(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        let Placed { memory, case, host, .. } = &self.placed;
        memory.poison_exchanged(device)?;
        if self.placed.is_later() {
            self.time_step(device, group)?;
            match case.is_timed {
                true => memory.begin_again(device, host.began_with)?,
                false => self.placed.again(device)?,
            }
            memory.poison_exchanged(device)?;
        }
        (0..self.placed.time_steps()).try_for_each(|_| self.time_step(device, group))?;
        if let Some(buffer) = memory.exchanged().filter(|_| case.is_timed) {
            let mut known = self.exchanged.borrow_mut();
            if known.is_none() {
                *known = Some(device.alloc("known", buffer.bytes())?);
            }
            if let Some(known) = known.as_ref() {
                copied(device, buffer, known)?;
            }
        }
        Ok(())
    }

    fn wholes(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        _: u32,
        count: u32,
    ) -> Result<(), Error> {
        (0..count).try_for_each(|_| self.time_step(device, group))
    }

    /// Bodies stay where they are, so that the accelerations that the other GPUs gave for these places stay right: how
    /// long the walk is depends on them.
    fn wholes_apart(&self, device: &mut dyn Device, _: u32, count: u32) -> Result<(), Error> {
        let at_rest = Values { dtime: 0.0, ..self.placed.case.values };
        let calls = || self.placed.host.calls.iter();
        let mut all = (0..count).flat_map(|_| calls());
        all.try_for_each(|call| self.placed.memory.call(device, self.placed.module, call, &at_rest))
    }

    fn warm_up(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        let memory = &self.placed.memory;
        if let Some(buffer) = memory.exchanged() {
            device.fill(buffer, 0)?;
        }
        self.placed.time_step(device)?;
        device.synchronize()?;
        if let Some(buffer) = memory.exchanged() {
            group.all_gather(device, buffer)?;
            group.wait(device, buffer)?;
            device.synchronize()?;
        }
        Ok(())
    }

    /// Every GPU has all results: they are judged on the first, and the others' are the same.
    fn check(&mut self, device: &mut dyn Device, group: &mut dyn Group) -> Result<Checked, Failed> {
        let Placed { memory, case, host, .. } = &self.placed;
        let bodies = memory.download_bodies(device)?;
        let digests = of_all(device, group, bodies.digest())?;
        if let Some(other) = digests.iter().position(|it| *it != digests[0]) {
            let what = format!("bodies of GPU {other} differ from those of GPU 0");
            return Err(Mismatch::Other { n: case.bodies.len() as u64, what }.into());
        }
        if group.rank() > 0 {
            return Ok(Checked::exact(Errors { rms: 0.0, worst: 0.0, worst_index: 0 }));
        }
        let found = memory.download(device)?;
        Ok(judge::check(case, host, &found)?)
    }
}

/// Copies a buffer, and waits for that.
pub(crate) fn copied(device: &mut dyn Device, from: &Buffer, to: &Buffer) -> Result<(), Error> {
    let stream = device.stream()?;
    device.copy_on(&stream, from, to)?;
    device.synchronize()
}

/// The number that each GPU has.
pub(crate) fn of_all(
    device: &mut dyn Device,
    group: &mut dyn Group,
    own: u64,
) -> Result<Vec<u64>, Error> {
    let numbers = device.alloc("numbers", group.size() * size_of::<u64>())?;
    device.upload(&numbers, &own.to_le_bytes().repeat(group.size()))?;
    group.all_gather(device, &numbers)?;
    group.wait(device, &numbers)?;
    device.synchronize()?;
    device.read(&numbers)
}
