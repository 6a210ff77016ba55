//! The host's programs: with data in ordinary memory, in page-locked memory, and in two contexts.

mod contexts;

use std::ops::Range;

use device::{Argument, Buffer, Device, Error, Module, Stream};
use ladder::round_trip::{BYTES, Ends, Locked, Ordinary, Program, shape};

pub use contexts::Contexts;

/// The kernel.
pub const KERNEL: &str = "evaluate";

/// Ordinary memory, and one thing after the other.
pub struct Pageable<'m> {
    module: &'m Module,
    host: Ordinary,
    from: Buffer,
    to: Buffer,
}

impl<'m> Pageable<'m> {
    /// Memory for `n` elements.
    pub fn new(
        device: &mut dyn Device,
        module: &'m Module,
        n: usize,
    ) -> Result<Pageable<'m>, Error> {
        let (from, to) = (device.alloc("in", n * BYTES)?, device.alloc("out", n * BYTES)?);
        Ok(Pageable { module, host: Ordinary::new(n), from, to })
    }
}

impl Program for Pageable<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let Pageable { module, host: Ordinary { elements, results }, from, to } = self;
        let results = &mut *results.borrow_mut();
        // ANCHOR: pageable
        let n = elements.len();
        device.upload(from, bytemuck::cast_slice(elements))?;
        device.launch(module, KERNEL, shape(n), &arguments(n, from, to))?;
        device.download(to, bytemuck::cast_slice_mut(results))
        // ANCHOR_END: pageable
    }

    fn ends(&mut self) -> &mut dyn Ends {
        &mut self.host
    }

    fn buffers(&self) -> Vec<&Buffer> {
        vec![&self.from, &self.to]
    }
}

/// Page-locked memory, of which each stream has a part.
pub struct Pinned<'m> {
    module: &'m Module,
    host: Locked,
    from: Buffer,
    to: Buffer,
    parts: Vec<Part>,
}

/// What one stream does.
struct Part {
    stream: Stream,
    elements: usize,
    data: Buffer,
    from: Buffer,
    to: Buffer,
    results: Buffer,
}

impl<'m> Pinned<'m> {
    /// Memory for `n` elements, and a stream for each part.
    pub fn new(
        device: &mut dyn Device,
        module: &'m Module,
        n: usize,
        parts: Vec<Range<usize>>,
    ) -> Result<Pinned<'m>, Error> {
        let host = Locked::new(device, n)?;
        let (from, to) = (device.alloc("in", n * BYTES)?, device.alloc("out", n * BYTES)?);
        let part = |elements: Range<usize>| {
            let range = elements.start * BYTES..elements.end * BYTES;
            Ok(Part {
                stream: device.stream()?,
                elements: elements.len(),
                data: host.elements.part(range.clone())?,
                from: from.part(range.clone())?,
                to: to.part(range.clone())?,
                results: host.results.part(range)?,
            })
        };
        let parts = parts.into_iter().map(part).collect::<Result<_, Error>>()?;
        Ok(Pinned { module, host, from, to, parts })
    }
}

impl Program for Pinned<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let Pinned { module, parts, .. } = self;
        // ANCHOR: pinned
        for Part { stream, elements, data, from, to, results } in parts {
            let arguments = arguments(*elements, from, to);
            device.copy_on(stream, data, from)?;
            device.launch_on(stream, module, KERNEL, shape(*elements), &arguments)?;
            device.copy_on(stream, to, results)?;
        }
        // ANCHOR_END: pinned
        Ok(())
    }

    fn ends(&mut self) -> &mut dyn Ends {
        &mut self.host
    }

    fn buffers(&self) -> Vec<&Buffer> {
        vec![&self.from, &self.to]
    }
}

fn arguments<'b>(elements: usize, from: &'b Buffer, to: &'b Buffer) -> [Argument<'b>; 3] {
    [Argument::I32(i32::try_from(elements).unwrap_or(i32::MAX)), from.into(), to.into()]
}
