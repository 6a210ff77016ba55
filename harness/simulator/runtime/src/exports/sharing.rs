//! Memory and events shared between processes. Each process has its own simulator. Shared memory lies in an anonymous
//! file that both map, and a handle names the process and the file. 64-bit atomics are atomic within a process only.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::process;

use super::entry::calls;
use crate::error::{self, CudaResult};
use crate::host::{Mapping, Out};
use crate::state::{Runtime, SharedMemory};

/// `cudaIpcMemHandle_t`, `cudaIpcEventHandle_t`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Handle {
    kind: u64,
    process: u32,
    /// The file descriptor in that process.
    file: i32,
    bytes: u64,
    /// Offset of the pointer in the allocation.
    offset: u64,
    /// The file's inode. The descriptor may have been reused since.
    identity: u64,
    rest: [u64; 3],
}

/// Kinds of handles.
const MEMORY: u64 = u64::from_le_bytes(*b"ladderM1");
const EVENT: u64 = u64::from_le_bytes(*b"ladderE1");

impl Handle {
    pub(super) fn new(kind: u64) -> Handle {
        let process = process::id();
        Handle { kind, process, file: 0, bytes: 0, offset: 0, identity: 0, rest: [0; 3] }
    }
}

/// Moves an allocation to a file, unless it lies in one. Returns the file's descriptor and inode.
fn share(cuda: &mut Runtime, Range { start, end }: Range<u64>) -> CudaResult<(i32, u64)> {
    if !cuda.memory.shared.contains_key(&start) {
        let bytes = end - start;
        let made = Mapping::file(bytes).and_then(|file| Ok((Mapping::of(&file, bytes)?, file)));
        let (mapping, file) = made.map_err(|error| refused(cuda, &error))?;
        let moved = mapping.replace(&cuda.simulator, start);
        moved.map_err(|error| cuda.memory_error(error))?;
        cuda.memory.shared.insert(start, SharedMemory { file, _mapping: mapping });
    }
    let file = &cuda.memory.shared[&start].file;
    let identity = file.metadata().map_or(0, |it| it.ino());
    Ok((file.as_raw_fd(), identity))
}

/// Maps memory of another process. Returns the address of its allocation.
fn open(cuda: &mut Runtime, handle: Handle) -> CudaResult<u64> {
    if handle.kind != MEMORY || handle.offset >= handle.bytes {
        return Err(error::INVALID_HANDLE);
    }
    let mapped = map(&handle);
    let (mapping, file) = mapped.map_err(|error| refused(cuda, &error))?;
    let name = cuda.allocation_name();
    let done = mapping.lend(&cuda.simulator, &name, handle.bytes);
    let address = done.map_err(|error| cuda.memory_error(error))?;
    cuda.memory.shared.insert(address, SharedMemory { file, _mapping: mapping });
    Ok(address)
}

/// Maps the file of a handle, which its process must still have open.
fn map(handle: &Handle) -> io::Result<(Mapping, File)> {
    let path = format!("/proc/{}/fd/{}", handle.process, handle.file);
    let file = File::options().read(true).write(true).open(path)?;
    if file.metadata()?.ino() != handle.identity {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok((Mapping::of(&file, handle.bytes)?, file))
}

fn refused(cuda: &mut Runtime, error: &io::Error) -> error::CudaError {
    cuda.refuse(error::NOT_SUPPORTED, format!("memory cannot be shared: {error}"))
}

calls! {
    cudaIpcGetMemHandle(handle: Out<Handle>, address: u64) => |cuda| {
        let found = cuda.simulator.allocation(address).filter(|(_, is_hosts)| !is_hosts);
        let (range, _) = found.ok_or(error::INVALID_VALUE)?;
        let (bytes, offset) = (range.end - range.start, address - range.start);
        let (file, identity) = share(cuda, range)?;
        handle.put(Handle { file, bytes, offset, identity, ..Handle::new(MEMORY) })
    };
    cudaIpcOpenMemHandle(address: Out<u64>, handle: Handle, _flags: u32) => |cuda| {
        address.put(open(cuda, handle)? + handle.offset)
    };
    cudaIpcCloseMemHandle(address: u64) => |cuda| {
        let (range, _) = cuda.simulator.allocation(address).ok_or(error::INVALID_VALUE)?;
        cuda.free(range.start)
    };
    // Work is done when its call returns, so an event of another process is always complete.
    cudaIpcGetEventHandle(handle: Out<Handle>, event: u64) => |cuda| {
        cuda.streams.event(event)?;
        handle.put(Handle::new(EVENT))
    };
    cudaIpcOpenEventHandle(event: Out<u64>, handle: Handle) => |cuda| match handle.kind {
        EVENT => event.put(cuda.streams.create_event()),
        _ => Err(error::INVALID_HANDLE),
    };
}
