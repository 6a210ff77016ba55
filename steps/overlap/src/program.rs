//! The host's program, with data in ordinary memory and in page-locked memory.

use std::cell::RefCell;
use std::ops::Range;

use device::{Argument, Buffer, Device, Error, Module, Shape, Stream};

use crate::problem::{BLOCK, POISON};

/// What the host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Copies all data in from ordinary memory, launches the kernel, copies all results out.
    Pageable,
    /// The same from page-locked memory, of a part of the data in each of so many streams.
    Pinned {
        /// How many.
        streams: usize,
    },
}

/// Bytes of an element.
const BYTES: usize = size_of::<f32>();

/// Parts begin at a multiple of so many elements, for all loads of a warp to be aligned.
const ALIGNED: usize = 32;

impl Host {
    /// The elements of each part of `n`; none is empty.
    pub fn parts(self, n: usize) -> Vec<Range<usize>> {
        let parts = match self {
            Host::Pageable => 1,
            Host::Pinned { streams } => streams.max(1),
        };
        let each = n.div_ceil(parts).next_multiple_of(ALIGNED);
        (0..n).step_by(each).map(|begin| begin..(begin + each).min(n)).collect()
    }
}

/// The launch for a part of so many elements.
pub fn shape(elements: usize) -> Shape {
    Shape::row(u32::try_from(elements).unwrap_or(u32::MAX).div_ceil(BLOCK), BLOCK)
}

/// The data on the host and on the device, and what brings it there and back.
pub struct Program<'m> {
    module: &'m Module,
    from: Buffer,
    to: Buffer,
    memory: Memory,
}

/// Where the host has data and results.
enum Memory {
    Pageable { data: Vec<f32>, results: RefCell<Vec<f32>> },
    Pinned { data: Buffer, results: Buffer, parts: Vec<Part> },
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

impl<'m> Program<'m> {
    /// Allocates what it needs for `n` elements.
    pub fn new(
        device: &mut dyn Device,
        host: Host,
        module: &'m Module,
        n: usize,
    ) -> Result<Program<'m>, Error> {
        let bytes = n * BYTES;
        let (from, to) = (device.alloc("in", bytes)?, device.alloc("out", bytes)?);
        let memory = match host {
            Host::Pageable => {
                Memory::Pageable { data: vec![0.0; n], results: RefCell::new(vec![0.0; n]) }
            }
            Host::Pinned { .. } => {
                let data = device.alloc_host("data", bytes)?;
                let results = device.alloc_host("results", bytes)?;
                let part = |elements: Range<usize>| {
                    let range = elements.start * BYTES..elements.end * BYTES;
                    Ok(Part {
                        stream: device.stream()?,
                        elements: elements.len(),
                        data: data.part(range.clone())?,
                        from: from.part(range.clone())?,
                        to: to.part(range.clone())?,
                        results: results.part(range)?,
                    })
                };
                let parts = host.parts(n).into_iter().map(part).collect::<Result<_, Error>>()?;
                Memory::Pinned { data, results, parts }
            }
        };
        Ok(Program { module, from, to, memory })
    }

    /// Gives the host its data; results are poisoned wherever they come by.
    pub fn begin(&mut self, device: &mut dyn Device, from: &[f32]) -> Result<(), Error> {
        for buffer in [&self.from, &self.to] {
            device.fill(buffer, POISON)?;
            device.forget(buffer, 0, buffer.bytes())?;
        }
        match &mut self.memory {
            Memory::Pageable { data, results } => {
                data.copy_from_slice(from);
                results.get_mut().fill(f32::from_le_bytes([POISON; BYTES]));
                Ok(())
            }
            Memory::Pinned { data, results, .. } => {
                device.upload(data, bytemuck::cast_slice(from))?;
                device.fill(results, POISON)
            }
        }
    }

    /// Data in, kernel, results out: the program that the ladder is about.
    pub fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        match &self.memory {
            Memory::Pageable { data, results } => {
                // ANCHOR: pageable
                let arguments = arguments(data.len(), &self.from, &self.to);
                device.upload(&self.from, bytemuck::cast_slice(data))?;
                device.launch(self.module, KERNEL, shape(data.len()), &arguments)?;
                device.download(&self.to, bytemuck::cast_slice_mut(&mut results.borrow_mut()))
                // ANCHOR_END: pageable
            }
            Memory::Pinned { parts, .. } => {
                // ANCHOR: pinned
                for Part { stream, elements, data, from, to, results } in parts {
                    let arguments = arguments(*elements, from, to);
                    device.copy_on(stream, data, from)?;
                    device.launch_on(stream, self.module, KERNEL, shape(*elements), &arguments)?;
                    device.copy_on(stream, to, results)?;
                }
                // ANCHOR_END: pinned
                Ok(())
            }
        }
    }

    /// Waits, looks for stray writes, and returns what the host has now: data and results.
    pub fn end(&self, device: &mut dyn Device) -> Result<[Vec<f32>; 2], Error> {
        device.synchronize()?;
        for buffer in [&self.from, &self.to] {
            device.check_guards(buffer)?;
        }
        match &self.memory {
            Memory::Pageable { data, results } => Ok([data.clone(), results.borrow().clone()]),
            Memory::Pinned { data, results, .. } => Ok([device.read(data)?, device.read(results)?]),
        }
    }
}

/// The kernel.
pub const KERNEL: &str = "evaluate";

fn arguments<'b>(elements: usize, from: &'b Buffer, to: &'b Buffer) -> [Argument<'b>; 3] {
    [Argument::I32(i32::try_from(elements).unwrap_or(i32::MAX)), from.into(), to.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_every_element_once() {
        for n in [1, 31, 32, 33, 100, 127, 128, 129, 1000] {
            for host in [Host::Pageable, Host::Pinned { streams: 2 }, Host::Pinned { streams: 4 }] {
                let parts = host.parts(n);
                assert!(parts.iter().all(|part| !part.is_empty() && part.start % ALIGNED == 0));
                assert!(parts.into_iter().flatten().eq(0..n), "{n} {host:?}");
            }
        }
        assert_eq!(Host::Pinned { streams: 4 }.parts(1 << 20).len(), 4);
    }
}
