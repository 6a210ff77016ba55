//! The host programs: copies of pageable and of page-locked memory, managed memory, memory used in place, and pieces.

mod in_place;
mod pieces;

use device::{Argument, Buffer, Device, Error, Module, Place, Stream};
use ladder::round_trip::{BYTES, Ends, Locked, Ordinary, Program, shape};

pub use in_place::{InPlace, Noticed};
pub use pieces::{Pieces, ranges};

/// The kernel.
pub const KERNEL: &str = "mirror";

/// Copies of ordinary memory, or managed memory in the place of the GPU's own.
pub struct Copies<'m> {
    module: &'m Module,
    host: Ordinary,
    from: Buffer,
    to: Buffer,
    /// Whether managed memory moves before it is touched.
    prefetched: bool,
}

impl<'m> Copies<'m> {
    /// Memory of the GPU for `n` elements.
    pub fn new(device: &mut dyn Device, module: &'m Module, n: usize) -> Result<Copies<'m>, Error> {
        let (from, to) = (device.alloc("in", n * BYTES)?, device.alloc("out", n * BYTES)?);
        Ok(Copies { module, host: Ordinary::new(n), from, to, prefetched: false })
    }

    /// Managed memory for `n` elements.
    pub fn managed(
        device: &mut dyn Device,
        module: &'m Module,
        n: usize,
        prefetched: bool,
    ) -> Result<Copies<'m>, Error> {
        // ANCHOR: managed
        let from = device.alloc_managed("in", n * BYTES)?;
        let to = device.alloc_managed("out", n * BYTES)?;
        // ANCHOR_END: managed
        Ok(Copies { module, host: Ordinary::new(n), from, to, prefetched })
    }
}

impl Program for Copies<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let Copies { module, host: Ordinary { elements, results }, from, to, .. } = self;
        let results = &mut *results.borrow_mut();
        if self.prefetched {
            // ANCHOR: prefetched
            let n = elements.len();
            device.upload(from, bytemuck::cast_slice(elements))?;
            device.prefetch(from, Place::Device)?;
            device.prefetch(to, Place::Device)?;
            device.launch(module, KERNEL, shape(n), &[count(n), from.into(), to.into()])?;
            device.prefetch(to, Place::Host)?;
            device.prefetch(from, Place::Host)?;
            device.download(to, bytemuck::cast_slice_mut(results))
            // ANCHOR_END: prefetched
        } else {
            // ANCHOR: pageable
            let n = elements.len();
            device.upload(from, bytemuck::cast_slice(elements))?;
            device.launch(module, KERNEL, shape(n), &[count(n), from.into(), to.into()])?;
            device.download(to, bytemuck::cast_slice_mut(results))
            // ANCHOR_END: pageable
        }
    }

    fn ends(&mut self) -> &mut dyn Ends {
        &mut self.host
    }

    fn buffers(&self) -> Vec<&Buffer> {
        vec![&self.from, &self.to]
    }
}

/// Copies of page-locked memory, in a stream.
pub struct Pinned<'m> {
    module: &'m Module,
    host: Locked,
    from: Buffer,
    to: Buffer,
    stream: Stream,
}

impl<'m> Pinned<'m> {
    /// Memory for `n` elements, and a stream.
    pub fn new(device: &mut dyn Device, module: &'m Module, n: usize) -> Result<Pinned<'m>, Error> {
        let host = Locked::new(device, n)?;
        let (from, to) = (device.alloc("in", n * BYTES)?, device.alloc("out", n * BYTES)?);
        Ok(Pinned { module, host, from, to, stream: device.stream()? })
    }
}

impl Program for Pinned<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let Pinned { module, host: Locked { elements, results }, from, to, stream } = self;
        // ANCHOR: pinned
        let n = elements.bytes() / BYTES;
        let arguments = [count(n), from.into(), to.into()];
        device.copy_on(stream, elements, from)?;
        device.launch_on(stream, module, KERNEL, shape(n), &arguments)?;
        device.copy_on(stream, to, results)
        // ANCHOR_END: pinned
    }

    fn ends(&mut self) -> &mut dyn Ends {
        &mut self.host
    }

    fn buffers(&self) -> Vec<&Buffer> {
        vec![&self.from, &self.to]
    }
}

fn count(n: usize) -> Argument<'static> {
    Argument::I32(i32::try_from(n).unwrap_or(i32::MAX))
}

/// The arguments of the kernels that work on halves.
fn halves<'b>(n: usize, from: &'b [Buffer; 2], to: &'b [Buffer; 2]) -> [Argument<'b>; 5] {
    [count(n), (&from[0]).into(), (&from[1]).into(), (&to[0]).into(), (&to[1]).into()]
}
