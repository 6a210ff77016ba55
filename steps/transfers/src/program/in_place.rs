//! Page-locked memory that kernels use in place, and results that the host reads while they come.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

use device::{Argument, Buffer, Device, Error, Module};
use ladder::round_trip::{BLOCK, BYTES, Ends, Locked, Program, shape};

use super::{KERNEL, count, halves};

/// How long the host waits for one more block.
const PATIENCE: Duration = Duration::from_secs(2);

/// The host's memory, used by the kernel.
pub struct InPlace<'m> {
    module: &'m Module,
    host: Locked,
    /// Whether as halves that mirror each other.
    halves: bool,
}

impl<'m> InPlace<'m> {
    /// Memory for `n` elements.
    pub fn new(
        device: &mut dyn Device,
        module: &'m Module,
        n: usize,
        halves: bool,
    ) -> Result<InPlace<'m>, Error> {
        Ok(InPlace { module, host: Locked::new(device, n)?, halves })
    }
}

impl Program for InPlace<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let InPlace { module, host: Locked { elements, results }, .. } = self;
        if self.halves {
            // ANCHOR: read-once
            let all = elements.bytes();
            let half = (all / BYTES).div_ceil(2);
            let [front, back] = [0..half * BYTES, all - half * BYTES..all];
            let from = [elements.part(front.clone())?, elements.part(back.clone())?];
            let to = [results.part(front)?, results.part(back)?];
            device.launch(module, KERNEL, shape(half), &halves(half, &from, &to))
            // ANCHOR_END: read-once
        } else {
            // ANCHOR: zero-copy
            let n = elements.bytes() / BYTES;
            let arguments = [count(n), elements.into(), results.into()];
            device.launch(module, KERNEL, shape(n), &arguments)
            // ANCHOR_END: zero-copy
        }
    }

    fn ends(&mut self) -> &mut dyn Ends {
        &mut self.host
    }

    fn buffers(&self) -> Vec<&Buffer> {
        Vec::new()
    }
}

/// Results that the host reads as soon as a block has said that its own are there.
pub struct Noticed<'m> {
    module: &'m Module,
    host: Taken,
    /// The kernel's elements and results: the host's memory, front halves and back halves.
    from: [Buffer; 2],
    to: [Buffer; 2],
    /// One for each block: the last pass whose results are there.
    flags: Buffer,
    pass: Cell<u32>,
}

/// Results in ordinary memory, into which the host takes those that it has noticed.
struct Taken {
    locked: Locked,
    results: RefCell<Vec<f32>>,
}

impl Ends for Taken {
    fn begin(&mut self, device: &mut dyn Device, elements: &[f32]) -> Result<(), Error> {
        self.results.get_mut().fill(f32::NAN);
        self.locked.begin(device, elements)
    }

    fn end(&mut self, device: &mut dyn Device) -> Result<[Vec<f32>; 2], Error> {
        let [elements, _] = self.locked.end(device)?;
        Ok([elements, self.results.borrow().clone()])
    }
}

impl<'m> Noticed<'m> {
    /// Memory for `n` elements, and flags.
    pub fn new(
        device: &mut dyn Device,
        module: &'m Module,
        n: usize,
    ) -> Result<Noticed<'m>, Error> {
        let locked = Locked::new(device, n)?;
        let half = n.div_ceil(2);
        let parts = |of: &Buffer| -> Result<[Buffer; 2], Error> {
            Ok([of.part(0..half * BYTES)?, of.part((n - half) * BYTES..n * BYTES)?])
        };
        let (from, to) = (parts(&locked.elements)?, parts(&locked.results)?);
        let blocks = half.div_ceil(BLOCK as usize);
        let flags = device.alloc_host("flags", blocks * size_of::<u32>())?;
        device.fill(&flags, 0)?;
        let host = Taken { locked, results: RefCell::new(vec![0.0; n]) };
        Ok(Noticed { module, host, from, to, flags, pass: Cell::new(0) })
    }

    /// Whether a block's flag says so before the host's patience ends.
    fn noticed(&self, device: &mut dyn Device, block: usize, pass: u32) -> Result<bool, Error> {
        // ANCHOR: wait
        let flag = self.flags.part(block * 4..block * 4 + 4)?;
        let began = Instant::now();
        let mut seen = [0; 4];
        loop {
            device.download(&flag, &mut seen)?; // page-locked: the host reads it and waits for nothing
            if u32::from_le_bytes(seen) == pass {
                fence(Ordering::Acquire); // results are read after the flag
                return Ok(true);
            }
            if began.elapsed() > PATIENCE {
                return Ok(false);
            }
        }
        // ANCHOR_END: wait
    }
}

impl Program for Noticed<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let Noticed { module, from, to, flags, .. } = self;
        let results = &mut *self.host.results.borrow_mut();
        let pass = self.pass.get() + 1;
        self.pass.set(pass);
        // ANCHOR: noticed
        let (n, half) = (results.len(), from[0].bytes() / BYTES);
        let mut arguments = halves(half, from, to).to_vec();
        arguments.extend([flags.into(), Argument::U32(pass)]);
        device.launch(module, KERNEL, shape(half), &arguments)?;
        for (block, begin) in (0..half).step_by(BLOCK as usize).enumerate() {
            if !self.noticed(device, block, pass)? {
                return device.synchronize(); // what went wrong in the kernel, if anything did
            }
            let end = (begin + BLOCK as usize).min(half);
            for range in [begin..end, n - end..n - begin] {
                let bytes = range.start * BYTES..range.end * BYTES;
                let there = self.host.locked.results.part(bytes)?;
                device.download(&there, bytemuck::cast_slice_mut(&mut results[range]))?;
            }
        }
        // ANCHOR_END: noticed
        Ok(())
    }

    fn ends(&mut self) -> &mut dyn Ends {
        &mut self.host
    }

    /// The flags stay: they are the pass's before.
    fn buffers(&self) -> Vec<&Buffer> {
        Vec::new()
    }

    fn check_guards(&self, device: &mut dyn Device) -> Result<(), Error> {
        device.check_guards(&self.flags)
    }
}
