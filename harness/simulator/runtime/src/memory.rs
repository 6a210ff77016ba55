//! Memory: what is allocated, where a pointer leads, and copies.

use simt::MemoryError;
use simt::model::End;

use crate::code::{self, Code, Done};
use crate::exports::pointer::Pointer;
use crate::runtime::Runtime;

/// Rows of pitched memory begin at multiples of this.
const PITCH: usize = 512;

/// `cudaMemcpyKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From the second to the first: whether each is the device's.
    Between(bool, bool),
    /// What the addresses say.
    Default,
}

impl Kind {
    pub(crate) fn new(number: i32) -> Done<Kind> {
        Ok(match number {
            0 => Kind::Between(false, false),
            1 => Kind::Between(true, false),
            2 => Kind::Between(false, true),
            3 => Kind::Between(true, true),
            4 => Kind::Default,
            _ => return Err(code::INVALID_DIRECTION),
        })
    }
}

/// One end of a copy: rows of bytes in layers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) first: Pointer,
    /// Bytes from one row to the next.
    pub(crate) pitch: usize,
    /// Rows from one layer to the next.
    pub(crate) height: usize,
}

impl Rows {
    fn row(&self, y: usize, z: usize) -> Pointer {
        self.first.plus((z * self.height + y) * self.pitch)
    }
}

impl Runtime {
    /// Allocates memory of the device; `call` names it in messages.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Done<u64> {
        let name = self.allocation_name();
        let done = self.simulator.alloc(&name, bytes as u64);
        done.map_err(|error| self.memory_error(error))
    }

    /// Allocates memory that the host accesses too.
    pub(crate) fn allocate_for_host(&mut self, bytes: usize) -> Done<u64> {
        let name = self.allocation_name();
        let done = self.simulator.alloc_for_host(&name, bytes as u64);
        done.map_err(|error| self.memory_error(error))
    }

    /// Rows of bytes at addresses that suit the hardware: the first, and the distance between them.
    pub(crate) fn allocate_rows(&mut self, width: usize, rows: usize) -> Done<(u64, usize)> {
        let pitch = width.checked_next_multiple_of(PITCH).ok_or(code::INVALID_VALUE)?;
        let bytes = pitch.checked_mul(rows).ok_or(code::INVALID_VALUE)?;
        Ok((self.allocate(bytes)?, pitch))
    }

    /// A name such as `cudaMalloc 3`: the program's third allocation.
    pub(crate) fn allocation_name(&mut self) -> String {
        self.allocations += 1;
        format!("{} {}", self.call, self.allocations)
    }

    /// Frees an allocation.
    pub(crate) fn free(&mut self, address: u64) -> Done {
        // Memory of a graph stays the graph's: its next launch needs it again.
        if address == 0 || self.graph_memory.contains_key(&address) {
            return Ok(());
        }
        match self.simulator.allocation(address) {
            Some((range, _)) if range.start == address => {
                self.simulator.free(address);
                #[cfg(target_os = "linux")]
                self.shared.remove(&address);
                Ok(())
            }
            _ => {
                let message = format!("{address:#x} is not the address of an allocation");
                Err(self.refuse(code::INVALID_VALUE, message))
            }
        }
    }

    /// Where an address lies, as far as copies differ.
    pub(crate) fn end(&self, pointer: Pointer) -> End {
        match self.simulator.allocation(pointer.address()) {
            None => End::Pageable,
            Some((_, true)) => End::Pinned,
            Some((_, false)) => End::Device,
        }
    }

    /// Copies rows of `width` bytes, `height` in each of `depth` layers.
    pub(crate) fn copy(
        &mut self,
        (to, from): (Rows, Rows),
        [width, height, depth]: [usize; 3],
        kind: Kind,
        stream: Option<u64>,
    ) -> Done {
        if width == 0 || height == 0 || depth == 0 {
            return Ok(());
        }
        let ends = (self.end(to.first), self.end(from.first));
        for (pointer, end, what) in [(to, ends.0, "destination"), (from, ends.1, "source")] {
            let is_devices = match kind {
                Kind::Default => continue,
                Kind::Between(to, from) => {
                    if what == "source" {
                        from
                    } else {
                        to
                    }
                }
            };
            if is_devices && end == End::Pageable || !is_devices && end == End::Device {
                let (said, is) = match is_devices {
                    true => ("the device's", "no allocation of the device"),
                    false => ("the host's", "memory of the device"),
                };
                let message = format!(
                    "the {what} is said to be {said}, and {:#x} is {is}",
                    pointer.first.address()
                );
                return Err(self.refuse(code::INVALID_VALUE, message));
            }
        }
        for z in 0..depth {
            for y in 0..height {
                self.copy_row(to.row(y, z), from.row(y, z), width, ends)?;
            }
        }
        self.add_copy(ends, width * height * depth, stream);
        Ok(())
    }

    fn copy_row(&mut self, to: Pointer, from: Pointer, bytes: usize, ends: (End, End)) -> Done {
        let simulator = &self.simulator;
        let done = match ends {
            (End::Pageable, End::Pageable) => {
                to.copy_from(from, bytes);
                Ok(())
            }
            (End::Pageable, _) => to.with_mut(bytes, |into| simulator.read(from.address(), into)),
            (_, End::Pageable) => from.with(bytes, |data| simulator.write(to.address(), data)),
            (_, _) => {
                let mut data = vec![0; bytes];
                simulator
                    .read(from.address(), &mut data)
                    .and_then(|()| simulator.write(to.address(), &data))
            }
        };
        done.map_err(|error| self.memory_error(error))
    }

    /// Reads rows one after the other.
    pub(crate) fn gather(
        &mut self,
        from: Rows,
        [width, height, depth]: [usize; 3],
        into: &mut [u8],
    ) -> Done {
        let is_pageable = self.end(from.first) == End::Pageable;
        let places = (0..depth).flat_map(|z| (0..height).map(move |y| from.row(y, z)));
        for (row, into) in places.zip(into.chunks_exact_mut(width.max(1))) {
            let done = match is_pageable {
                true => {
                    row.filled()?.with(width, |data| into.copy_from_slice(data));
                    Ok(())
                }
                false => self.simulator.read(row.address(), into),
            };
            done.map_err(|error| self.memory_error(error))?;
        }
        Ok(())
    }

    /// Writes rows that lie one after the other.
    pub(crate) fn scatter(
        &mut self,
        to: Rows,
        [width, height, depth]: [usize; 3],
        data: &[u8],
    ) -> Done {
        let is_pageable = self.end(to.first) == End::Pageable;
        let places = (0..depth).flat_map(|z| (0..height).map(move |y| to.row(y, z)));
        for (row, data) in places.zip(data.chunks_exact(width.max(1))) {
            let done = match is_pageable {
                true => {
                    row.filled()?.with_mut(width, |into| into.copy_from_slice(data));
                    Ok(())
                }
                false => self.simulator.write(row.address(), data),
            };
            done.map_err(|error| self.memory_error(error))?;
        }
        Ok(())
    }

    /// Models the time of a copy; without a stream the host waits for it.
    pub(crate) fn add_copy(&mut self, (to, from): (End, End), bytes: usize, stream: Option<u64>) {
        if (to, from) == (End::Pageable, End::Pageable) {
            return;
        }
        let (engine, seconds) = self.gpu.copy(from, to, bytes as u64);
        self.streams.add(stream, engine, seconds, 1.0);
        if stream.is_none() {
            self.streams.synchronize();
        }
    }

    /// Sets every byte of rows.
    pub(crate) fn set(
        &mut self,
        to: Rows,
        byte: i32,
        [width, height, depth]: [usize; 3],
        stream: Option<u64>,
    ) -> Done {
        for z in 0..depth {
            for y in 0..height {
                let done = self.simulator.fill(to.row(y, z).address(), width as u64, byte as u8);
                done.map_err(|error| self.memory_error(error))?;
            }
        }
        self.add_fill([width, height, depth], stream);
        Ok(())
    }

    /// Models the time of a fill: it writes what a copy inside the device reads and writes.
    pub(crate) fn add_fill(&mut self, [width, height, depth]: [usize; 3], stream: Option<u64>) {
        let bytes = (width * height * depth) as u64;
        let (engine, seconds) = self.gpu.copy(End::Device, End::Device, bytes / 2);
        self.streams.add(stream, engine, seconds, 1.0);
    }

    /// Says what memory refused, and gives its error.
    pub(crate) fn memory_error(&mut self, error: MemoryError) -> Code {
        let code = match error {
            MemoryError::OutOfMemory { .. } => code::OUT_OF_MEMORY,
            MemoryError::Overlap { .. } => code::REGISTERED,
            MemoryError::OutOfBounds { .. } => code::INVALID_VALUE,
        };
        self.refuse(code, error.to_string())
    }
}
