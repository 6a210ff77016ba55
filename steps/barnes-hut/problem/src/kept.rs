//! What a GPU keeps of a case, so that a sample need not wait for the host.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use device::{Buffer, Device, Error};

use crate::array::{Array, Role};

/// A step's arrays are kept if they need no more than this share of the GPU's memory: there are copies for every step.
pub(crate) const OF_MANY: u64 = 64;

/// The same where there are no others.
pub(crate) const OF_ONE: u64 = 8;

/// Copies of arrays as they are before a time step, by step and array: every step has its bodies placed 24 times to be
/// timed, and one that uses the accelerations of a time step before needs that each time.
#[derive(Default)]
pub(crate) struct Kept(Mutex<HashMap<(&'static str, &'static str), Buffer>>);

impl Kept {
    /// Places a step's arrays from their copies; whether there are any.
    ///
    /// # Errors
    /// The device's.
    pub(crate) fn restore(
        &self,
        device: &mut dyn Device,
        step: &'static str,
        arrays: &[(Array, Buffer)],
    ) -> Result<bool, Error> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let copies = arrays.iter().filter(|(array, _)| is_kept(array.role));
        let copies: Vec<_> =
            copies.map(|(array, buffer)| (kept.get(&(step, array.name)), buffer)).collect();
        if copies.iter().any(|(copy, _)| copy.is_none()) {
            return Ok(false);
        }
        let stream = device.stream()?;
        for (copy, buffer) in copies {
            copy.map_or(Ok(()), |copy| device.copy_on(&stream, copy, buffer))?;
        }
        device.synchronize()?;
        Ok(true)
    }

    /// Keeps a step's arrays as they are now, if they need no more than one in `share` of the GPU's bytes.
    ///
    /// # Errors
    /// The device's.
    pub(crate) fn keep(
        &self,
        device: &mut dyn Device,
        step: &'static str,
        arrays: &[(Array, Buffer)],
        share: u64,
    ) -> Result<(), Error> {
        let copied = || arrays.iter().filter(|(array, _)| is_kept(array.role));
        let bytes: usize = copied().map(|(_, buffer)| buffer.bytes()).sum();
        if bytes as u64 > device.info().memory_bytes / share {
            return Ok(());
        }
        let stream = device.stream()?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (array, buffer) in copied() {
            let copy = device.alloc(array.name, buffer.bytes())?;
            device.copy_on(&stream, buffer, &copy)?;
            kept.insert((step, array.name), copy);
        }
        device.synchronize()
    }
}

/// Whether an array holds something before a time step.
fn is_kept(role: Role) -> bool {
    match role {
        Role::Mass
        | Role::Position(_)
        | Role::Velocity(_)
        | Role::PositionMass
        | Role::Velocities
        | Role::Accelerations
        | Role::Order
        | Role::Boxes
        | Role::Whole => true,
        Role::Acceleration(_)
        | Role::Sorted
        | Role::Tree
        | Role::Zero
        | Role::Exchanged
        | Role::Scratch => false,
    }
}

#[cfg(test)]
mod tests {
    use device::{Choice, CodeRoute};

    use super::*;

    #[test]
    fn what_a_time_step_begins_with_comes_from_its_copy() {
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").expect("opens");
        let device = &mut *device;
        let array = |name, role| Array { name, role, words: |_| 2 };
        let arrays = [array("mass", Role::Mass), array("cells", Role::Scratch)];
        let arrays = arrays.map(|array| (array, device.alloc(array.name, 8).expect("memory")));
        let fill = |device: &mut dyn Device, byte| {
            arrays.iter().for_each(|(_, buffer)| device.fill(buffer, byte).expect("filled"));
        };
        let kept = Kept::default();
        fill(device, 1);
        assert!(!kept.restore(device, "a step", &arrays).expect("nothing to copy"));
        kept.keep(device, "a step", &arrays, OF_MANY).expect("kept");
        fill(device, 2);
        assert!(!kept.restore(device, "another", &arrays).expect("nothing to copy"));
        assert!(kept.restore(device, "a step", &arrays).expect("restored"));
        let found = arrays.each_ref().map(|(_, buffer)| device.read::<u32>(buffer).expect("read"));
        assert_eq!(found, [vec![0x0101_0101; 2], vec![0x0202_0202; 2]]);
    }
}
