//! The host's program: copies of pageable and of page-locked memory, memory used in place, and pieces.

use std::cell::RefCell;
use std::ops::Range;

use device::{Argument, Buffer, Device, Error, Module, Shape, Stream};

use crate::problem::{BLOCK, POISON};

/// What the host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Copies elements in from ordinary memory, launches the kernel, copies results out.
    Pageable,
    /// The same with page-locked memory.
    Pinned,
    /// Gives the kernel page-locked memory.
    ZeroCopy {
        /// Whether as halves that mirror each other.
        halves: bool,
    },
    /// Copies pieces of both halves in turn, through a few slots of the GPU's memory.
    Pieces {
        /// How many pieces a half has.
        pieces: usize,
        /// Slots, each with a stream of its own.
        slots: usize,
    },
}

/// The kernel.
pub const KERNEL: &str = "mirror";

/// Bytes of an element.
const BYTES: usize = size_of::<f32>();

impl Host {
    /// What each launch works on: all elements, or pieces of the first half.
    pub fn launches(self, n: usize) -> Vec<Range<usize>> {
        let half = n.div_ceil(2);
        let whole = |n| std::iter::once(0..n).collect();
        match self {
            Host::Pageable | Host::Pinned | Host::ZeroCopy { halves: false } => whole(n),
            Host::ZeroCopy { halves: true } => whole(half),
            Host::Pieces { pieces, .. } => {
                let each = half.div_ceil(pieces.max(1)).max(1);
                (0..half).step_by(each).map(|begin| begin..(begin + each).min(half)).collect()
            }
        }
    }

    /// Elements that the GPU's memory holds of each of elements and results.
    pub fn on_the_gpu(self, n: usize) -> usize {
        match self {
            Host::Pageable | Host::Pinned => n,
            Host::ZeroCopy { .. } => 0,
            Host::Pieces { slots, .. } => {
                let piece = self.launches(n).first().map_or(0, Range::len);
                2 * piece * slots
            }
        }
    }
}

/// The launch for so many threads.
pub fn shape(threads: usize) -> Shape {
    Shape::row(u32::try_from(threads).unwrap_or(u32::MAX).div_ceil(BLOCK), BLOCK)
}

/// The elements on the host and on the GPU, and what brings them there and back.
pub struct Program<'m> {
    module: &'m Module,
    memory: Memory,
}

/// Where elements and results are.
enum Memory {
    Pageable { elements: Vec<f32>, results: RefCell<Vec<f32>>, from: Buffer, to: Buffer },
    Pinned { elements: Buffer, results: Buffer, from: Buffer, to: Buffer, stream: Stream },
    InPlace { elements: Buffer, results: Buffer, halves: bool },
    Pieces { elements: Buffer, results: Buffer, slots: Vec<Slot>, pieces: Vec<Piece> },
}

/// Where pieces pass through the GPU, one after the other.
struct Slot {
    stream: Stream,
    buffers: [Buffer; 4],
}

/// A piece of the first half, and its mirror image.
struct Piece {
    slot: usize,
    count: usize,
    elements: [Buffer; 2],
    /// Of a slot: where they are copied to, and where the kernel leaves the results.
    from: [Buffer; 2],
    to: [Buffer; 2],
    results: [Buffer; 2],
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
        let memory = match host {
            Host::Pageable => Memory::Pageable {
                elements: vec![0.0; n],
                results: RefCell::new(vec![0.0; n]),
                from: device.alloc("in", bytes)?,
                to: device.alloc("out", bytes)?,
            },
            Host::Pinned => Memory::Pinned {
                elements: device.alloc_host("elements", bytes)?,
                results: device.alloc_host("results", bytes)?,
                from: device.alloc("in", bytes)?,
                to: device.alloc("out", bytes)?,
                stream: device.stream()?,
            },
            Host::ZeroCopy { halves } => Memory::InPlace {
                elements: device.alloc_host("elements", bytes)?,
                results: device.alloc_host("results", bytes)?,
                halves,
            },
            Host::Pieces { slots, .. } => in_pieces(device, &host.launches(n), slots, n)?,
        };
        Ok(Program { module, memory })
    }

    /// Gives the host its elements; results are poisoned wherever they come by.
    pub fn begin(&mut self, device: &mut dyn Device, from: &[f32]) -> Result<(), Error> {
        for buffer in self.on_the_gpu() {
            device.fill(buffer, POISON)?;
            device.forget(buffer, 0, buffer.bytes())?;
        }
        match &mut self.memory {
            Memory::Pageable { elements, results, .. } => {
                elements.copy_from_slice(from);
                results.get_mut().fill(f32::from_le_bytes([POISON; BYTES]));
                Ok(())
            }
            Memory::Pinned { elements, results, .. }
            | Memory::InPlace { elements, results, .. }
            | Memory::Pieces { elements, results, .. } => {
                device.upload(elements, bytemuck::cast_slice(from))?;
                device.fill(results, POISON)
            }
        }
    }

    /// Elements in, kernel, results out: the program that the ladder is about.
    pub fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let module = self.module;
        match &self.memory {
            Memory::Pageable { elements, results, from, to } => {
                // ANCHOR: pageable
                let n = elements.len();
                device.upload(from, bytemuck::cast_slice(elements))?;
                device.launch(module, KERNEL, shape(n), &[count(n), from.into(), to.into()])?;
                device.download(to, bytemuck::cast_slice_mut(&mut results.borrow_mut()))
                // ANCHOR_END: pageable
            }
            Memory::Pinned { elements, results, from, to, stream } => {
                // ANCHOR: pinned
                let n = elements.bytes() / BYTES;
                let arguments = [count(n), from.into(), to.into()];
                device.copy_on(stream, elements, from)?;
                device.launch_on(stream, module, KERNEL, shape(n), &arguments)?;
                device.copy_on(stream, to, results)
                // ANCHOR_END: pinned
            }
            Memory::InPlace { elements, results, halves: false } => {
                // ANCHOR: zero-copy
                let n = elements.bytes() / BYTES;
                let arguments = [count(n), elements.into(), results.into()];
                device.launch(module, KERNEL, shape(n), &arguments)
                // ANCHOR_END: zero-copy
            }
            Memory::InPlace { elements, results, halves: true } => {
                // ANCHOR: read-once
                let all = elements.bytes();
                let half = (all / BYTES).div_ceil(2);
                let [front, back] = [0..half * BYTES, all - half * BYTES..all];
                let from = [elements.part(front.clone())?, elements.part(back.clone())?];
                let to = [results.part(front)?, results.part(back)?];
                device.launch(module, KERNEL, shape(half), &halves(half, &from, &to))
                // ANCHOR_END: read-once
            }
            Memory::Pieces { slots, pieces, .. } => {
                // ANCHOR: pieces
                for Piece { slot, count, elements, from, to, results } in pieces {
                    let stream = &slots[*slot].stream;
                    device.copy_on(stream, &elements[0], &from[0])?;
                    device.copy_on(stream, &elements[1], &from[1])?;
                    let arguments = halves(*count, from, to);
                    device.launch_on(stream, module, KERNEL, shape(*count), &arguments)?;
                    device.copy_on(stream, &to[0], &results[0])?;
                    device.copy_on(stream, &to[1], &results[1])?;
                }
                // ANCHOR_END: pieces
                Ok(())
            }
        }
    }

    /// Waits, looks for stray writes, and returns what the host has now: elements and results.
    pub fn end(&self, device: &mut dyn Device) -> Result<[Vec<f32>; 2], Error> {
        device.synchronize()?;
        for buffer in self.on_the_gpu() {
            device.check_guards(buffer)?;
        }
        match &self.memory {
            Memory::Pageable { elements, results, .. } => {
                Ok([elements.clone(), results.borrow().clone()])
            }
            Memory::Pinned { elements, results, .. }
            | Memory::InPlace { elements, results, .. }
            | Memory::Pieces { elements, results, .. } => {
                for buffer in [elements, results] {
                    device.check_guards(buffer)?;
                }
                Ok([device.read(elements)?, device.read(results)?])
            }
        }
    }

    /// The buffers in the GPU's memory.
    fn on_the_gpu(&self) -> Vec<&Buffer> {
        match &self.memory {
            Memory::Pageable { from, to, .. } | Memory::Pinned { from, to, .. } => vec![from, to],
            Memory::InPlace { .. } => Vec::new(),
            Memory::Pieces { slots, .. } => slots.iter().flat_map(|slot| &slot.buffers).collect(),
        }
    }
}

/// Page-locked memory and slots, and the pieces that pass through each of them in turn.
fn in_pieces(
    device: &mut dyn Device,
    ranges: &[Range<usize>],
    slots: usize,
    n: usize,
) -> Result<Memory, Error> {
    let elements = device.alloc_host("elements", n * BYTES)?;
    let results = device.alloc_host("results", n * BYTES)?;
    let most = ranges.first().map_or(0, Range::len) * BYTES;
    let names = ["front", "back", "front results", "back results"];
    let mut own = Vec::new();
    for _ in 0..slots.min(ranges.len()) {
        let mut buffer = |name| device.alloc(name, most);
        let [front, back, sums, mirrored] = names;
        let buffers = [buffer(front)?, buffer(back)?, buffer(sums)?, buffer(mirrored)?];
        own.push(Slot { stream: device.stream()?, buffers });
    }
    let piece = |(number, range): (usize, &Range<usize>)| {
        let [front, back] = [range.clone(), n - range.end..n - range.start]
            .map(|range| range.start * BYTES..range.end * BYTES);
        let slot = number % own.len();
        let buffers = &own[slot].buffers;
        let part = |buffer: &Buffer| buffer.part(0..range.len() * BYTES);
        Ok(Piece {
            slot,
            count: range.len(),
            elements: [elements.part(front.clone())?, elements.part(back.clone())?],
            from: [part(&buffers[0])?, part(&buffers[1])?],
            to: [part(&buffers[2])?, part(&buffers[3])?],
            results: [results.part(front)?, results.part(back)?],
        })
    };
    let pieces = ranges.iter().enumerate().map(piece).collect::<Result<_, Error>>()?;
    Ok(Memory::Pieces { elements, results, slots: own, pieces })
}

fn count(n: usize) -> Argument<'static> {
    Argument::I32(i32::try_from(n).unwrap_or(i32::MAX))
}

/// The arguments of the kernel that works on halves.
fn halves<'b>(n: usize, from: &'b [Buffer; 2], to: &'b [Buffer; 2]) -> [Argument<'b>; 5] {
    [count(n), (&from[0]).into(), (&from[1]).into(), (&to[0]).into(), (&to[1]).into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_every_element_of_the_first_half_once() {
        let host = Host::Pieces { pieces: 16, slots: 2 };
        for n in [1, 2, 31, 32, 33, 100, 1000, 4099] {
            let pieces = host.launches(n);
            assert!(pieces.iter().all(|piece| !piece.is_empty()));
            assert!(pieces.into_iter().flatten().eq(0..n.div_ceil(2)), "{n}");
        }
        assert_eq!(host.launches(1 << 20).len(), 16);
        assert_eq!(host.on_the_gpu(1 << 20), (1 << 20) / 8);
    }
}
