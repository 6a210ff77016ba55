//! Memory: allocations, where an address lies, copies and fills of rows, and their modelled times.

use simt::MemoryError;
use simt::model::End;

use crate::error::{self, CudaError, CudaResult};
use crate::host::Pointer;
use crate::state::{CopyKind, Rows, Runtime};

/// Rows of pitched memory begin at multiples of this many bytes.
const PITCH: usize = 512;

impl Runtime {
    /// Allocates memory of the device.
    pub(crate) fn allocate(&mut self, bytes: usize) -> CudaResult<u64> {
        let name = self.allocation_name();
        let done = self.simulator.alloc(&name, bytes as u64);
        done.map_err(|error| self.memory_error(error))
    }

    /// Allocates memory that host and device access.
    pub(crate) fn allocate_for_host(&mut self, bytes: usize) -> CudaResult<u64> {
        let name = self.allocation_name();
        let done = self.simulator.alloc_for_host(&name, bytes as u64);
        done.map_err(|error| self.memory_error(error))
    }

    /// Allocates rows of `width` bytes. Returns the address of the first, and the bytes from one to the next.
    pub(crate) fn allocate_rows(&mut self, width: usize, rows: usize) -> CudaResult<(u64, usize)> {
        let pitch = width.checked_next_multiple_of(PITCH).ok_or(error::INVALID_VALUE)?;
        let bytes = pitch.checked_mul(rows).ok_or(error::INVALID_VALUE)?;
        Ok((self.allocate(bytes)?, pitch))
    }

    /// Allocates memory of a graph.
    pub(crate) fn allocate_for_graph(&mut self, bytes: usize) -> CudaResult<u64> {
        let address = self.allocate(bytes)?;
        self.memory.of_graphs.insert(address, bytes as u64);
        Ok(address)
    }

    /// Frees an allocation.
    pub(crate) fn free(&mut self, address: u64) -> CudaResult {
        // The next launch of a graph needs its memory again.
        if address == 0 || self.memory.of_graphs.contains_key(&address) {
            return Ok(());
        }
        match self.simulator.allocation(address) {
            Some((range, _)) if range.start == address => {
                self.simulator.free(address);
                #[cfg(target_os = "linux")]
                self.memory.shared.remove(&address);
                Ok(())
            }
            _ => {
                let message = format!("{address:#x} is not the address of an allocation");
                Err(self.refuse(error::INVALID_VALUE, message))
            }
        }
    }

    /// Where an address lies.
    pub(crate) fn end(&self, pointer: Pointer) -> End {
        match self.simulator.allocation(pointer.address()) {
            None => End::Pageable,
            Some((_, true)) => End::Pinned,
            Some((_, false)) => End::Device,
        }
    }

    /// Copies rows of `width` bytes, `height` in each of `depth` layers.
    pub(crate) fn copy_rows(
        &mut self,
        to: Rows,
        from: Rows,
        [width, height, depth]: [usize; 3],
        kind: CopyKind,
        stream: Option<u64>,
    ) -> CudaResult {
        if width == 0 || height == 0 || depth == 0 {
            return Ok(());
        }
        let ends = (self.end(to.first), self.end(from.first));
        if let CopyKind::Between { to_device, from_device } = kind {
            self.check_end("destination", to.first, ends.0, to_device)?;
            self.check_end("source", from.first, ends.1, from_device)?;
        }
        for z in 0..depth {
            for y in 0..height {
                self.copy_row(to.row(y, z), from.row(y, z), width, ends)?;
            }
        }
        self.add_copy_time(ends, width * height * depth, stream);
        Ok(())
    }

    /// Refuses a copy whose direction contradicts where one of its ends lies.
    fn check_end(&mut self, what: &str, first: Pointer, end: End, is_device: bool) -> CudaResult {
        let (said, is) = match (is_device, end) {
            (true, End::Pageable) => ("the device's", "no allocation of the device"),
            (false, End::Device) => ("the host's", "memory of the device"),
            _ => return Ok(()),
        };
        let message =
            format!("the {what} is said to be {said}, and {:#x} is {is}", first.address());
        Err(self.refuse(error::INVALID_VALUE, message))
    }

    /// Copies one row.
    fn copy_row(
        &mut self,
        to: Pointer,
        from: Pointer,
        bytes: usize,
        ends: (End, End),
    ) -> CudaResult {
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

    /// Reads rows into one piece.
    pub(crate) fn gather(
        &mut self,
        from: Rows,
        [width, height, depth]: [usize; 3],
        into: &mut [u8],
    ) -> CudaResult {
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

    /// Writes rows from one piece.
    pub(crate) fn scatter(
        &mut self,
        to: Rows,
        [width, height, depth]: [usize; 3],
        data: &[u8],
    ) -> CudaResult {
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
    pub(crate) fn add_copy_time(
        &mut self,
        (to, from): (End, End),
        bytes: usize,
        stream: Option<u64>,
    ) {
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
    pub(crate) fn fill(
        &mut self,
        to: Rows,
        byte: u8,
        [width, height, depth]: [usize; 3],
        stream: Option<u64>,
    ) -> CudaResult {
        for z in 0..depth {
            for y in 0..height {
                let done = self.simulator.fill(to.row(y, z).address(), width as u64, byte);
                done.map_err(|error| self.memory_error(error))?;
            }
        }
        self.add_fill_time([width, height, depth], stream);
        Ok(())
    }

    /// Models the time of a fill, which writes as much as a copy of half the size within the device reads and writes.
    pub(crate) fn add_fill_time(
        &mut self,
        [width, height, depth]: [usize; 3],
        stream: Option<u64>,
    ) {
        let bytes = (width * height * depth) as u64;
        let (engine, seconds) = self.gpu.copy(End::Device, End::Device, bytes / 2);
        self.streams.add(stream, engine, seconds, 1.0);
    }

    /// Logs why memory refuses an access, and returns the error.
    pub(crate) fn memory_error(&mut self, error: MemoryError) -> CudaError {
        let code = match error {
            MemoryError::OutOfMemory { .. } => error::OUT_OF_MEMORY,
            MemoryError::Overlap { .. } => error::REGISTERED,
            MemoryError::OutOfBounds { .. } => error::INVALID_VALUE,
        };
        self.refuse(code, error.to_string())
    }
}
