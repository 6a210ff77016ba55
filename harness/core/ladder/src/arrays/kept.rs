//! Copies of inputs that a GPU keeps, so that a sample need not wait for the host.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use device::{Buffer, Device, Error, Stream};

use super::memory::Memory;

/// An input is kept if it needs no more than this share of the GPU's memory.
const SHARE: u64 = 16;

/// Copies of a case's inputs by their names, made when they are first asked for. The host copies half a gigabyte to a GPU
/// in 70 ms, a GPU copies it in a fraction of one; and every step has its inputs placed 24 times to be timed.
#[derive(Default)]
pub(super) struct Kept(Mutex<HashMap<&'static str, Buffer>>);

impl Kept {
    /// Places an input, from its copy where there is one. The GPU may not have ended when this returns.
    ///
    /// # Errors
    /// The device's.
    pub(super) fn restore(
        &self,
        device: &mut dyn Device,
        stream: &Stream,
        (name, memory): (&'static str, &Memory),
        bytes: &[u8],
    ) -> Result<(), Error> {
        let Some(buffer) = memory.buffer() else { return memory.upload(device, bytes) };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(copy) = kept.get(name) {
            return device.copy_on(stream, copy, buffer);
        }
        memory.upload(device, bytes)?;
        if bytes.len() as u64 <= device.info().memory_bytes / SHARE {
            let copy = device.alloc(name, bytes.len())?;
            device.copy_on(stream, buffer, &copy)?;
            kept.insert(name, copy);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use device::{CodeRoute, SimulatorDevice};

    use super::super::data::{Array, Role};
    use super::*;

    #[test]
    fn an_input_comes_from_its_copy() {
        let gpu = simt::model::Gpu::named("h200").expect("a known GPU");
        let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
        let stream = device.stream().expect("a stream");
        let array = Array::new("a", Role::Scratch(5));
        let memory = Memory::new(&mut device, &array).expect("memory");
        let kept = Kept::default();
        for bytes in [b"first", b"other"] {
            memory.poison(&mut device, 0xa5).expect("poisoned");
            kept.restore(&mut device, &stream, ("a", &memory), bytes).expect("restored");
            assert!(memory.holds(&mut device, b"first").expect("compared"));
        }
    }
}
