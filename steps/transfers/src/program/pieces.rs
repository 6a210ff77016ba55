//! Pieces of the data, copied through a small part of the GPU's memory.

use std::ops::Range;

use device::{Buffer, Device, Error, Module, Stream};
use ladder::round_trip::{BYTES, Ends, Locked, Program, shape};

use super::{KERNEL, halves};

/// Pieces of both halves, copied in turn through a few slots.
pub struct Pieces<'m> {
    module: &'m Module,
    host: Locked,
    slots: Vec<Slot>,
    pieces: Vec<Piece>,
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

/// The elements of each of so many pieces of the first half; none is empty.
pub fn ranges(pieces: usize, n: usize) -> Vec<Range<usize>> {
    let half = n.div_ceil(2);
    let each = half.div_ceil(pieces.max(1)).max(1);
    (0..half).step_by(each).map(|begin| begin..(begin + each).min(half)).collect()
}

impl<'m> Pieces<'m> {
    /// Page-locked memory and slots, and the pieces that pass through each of them in turn.
    pub fn new(
        device: &mut dyn Device,
        module: &'m Module,
        n: usize,
        (pieces, slots): (usize, usize),
    ) -> Result<Pieces<'m>, Error> {
        let ranges = ranges(pieces, n);
        let host = Locked::new(device, n)?;
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
                elements: [host.elements.part(front.clone())?, host.elements.part(back.clone())?],
                from: [part(&buffers[0])?, part(&buffers[1])?],
                to: [part(&buffers[2])?, part(&buffers[3])?],
                results: [host.results.part(front)?, host.results.part(back)?],
            })
        };
        let pieces = ranges.iter().enumerate().map(piece).collect::<Result<_, Error>>()?;
        Ok(Pieces { module, host, slots: own, pieces })
    }
}

impl Program for Pieces<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let Pieces { module, slots, pieces, .. } = self;
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

    fn ends(&mut self) -> &mut dyn Ends {
        &mut self.host
    }

    fn buffers(&self) -> Vec<&Buffer> {
        self.slots.iter().flat_map(|slot| &slot.buffers).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_every_element_of_the_first_half_once() {
        for n in [1, 2, 31, 32, 33, 100, 1000, 4099] {
            let pieces = ranges(16, n);
            assert!(pieces.iter().all(|piece| !piece.is_empty()));
            assert!(pieces.into_iter().flatten().eq(0..n.div_ceil(2)), "{n}");
        }
        assert_eq!(ranges(16, 1 << 20).len(), 16);
    }
}
