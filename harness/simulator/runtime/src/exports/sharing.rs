//! Memory and events that processes share. Each process has a simulator of its own, and what they share lies in a file
//! without a name that both map: handles say whose it is. An atomic of 64 bits is one in its own process only.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::process;

use super::calls;
use super::mapping::Mapping;
use super::pointer::Out;
use crate::code::{self, Done};
use crate::runtime::Runtime;

/// `cudaIpcMemHandle_t`, `cudaIpcEventHandle_t`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Handle {
    kind: u64,
    process: u32,
    /// The file's number in that process.
    file: i32,
    bytes: u64,
    /// Where in the allocation the pointer leads.
    offset: u64,
    /// Which file it is: its number may be another's by now.
    identity: u64,
    rest: [u64; 3],
}

/// What a handle is of.
const MEMORY: u64 = u64::from_le_bytes(*b"ladderM1");
const EVENT: u64 = u64::from_le_bytes(*b"ladderE1");

/// An allocation that other processes may map, or one of another process.
#[derive(Debug)]
pub(crate) struct Shared {
    file: File,
    /// Kept until the allocation is freed.
    _mapping: Mapping,
}

impl Handle {
    pub(super) fn new(kind: u64) -> Handle {
        let process = process::id();
        Handle { kind, process, file: 0, bytes: 0, offset: 0, identity: 0, rest: [0; 3] }
    }
}

/// Moves an allocation to a file, if it does not lie in one; gives the file's number and identity.
fn share(cuda: &mut Runtime, Range { start, end }: Range<u64>) -> Done<(i32, u64)> {
    if !cuda.shared.contains_key(&start) {
        let bytes = end - start;
        let made = Mapping::file(bytes).and_then(|file| Ok((Mapping::of(&file, bytes)?, file)));
        let (mapping, file) = made.map_err(|error| refused(cuda, &error))?;
        let moved = mapping.replace(&cuda.simulator, start);
        moved.map_err(|error| cuda.memory_error(error))?;
        cuda.shared.insert(start, Shared { file, _mapping: mapping });
    }
    let file = &cuda.shared[&start].file;
    let identity = file.metadata().map_or(0, |it| it.ino());
    Ok((file.as_raw_fd(), identity))
}

/// Maps memory of another process; gives where its allocation begins.
fn open(cuda: &mut Runtime, handle: Handle) -> Done<u64> {
    if handle.kind != MEMORY || handle.offset >= handle.bytes {
        return Err(code::INVALID_HANDLE);
    }
    let mapped = map(&handle);
    let (mapping, file) = mapped.map_err(|error| refused(cuda, &error))?;
    let name = cuda.allocation_name();
    let done = mapping.lend(&cuda.simulator, &name, handle.bytes);
    let address = done.map_err(|error| cuda.memory_error(error))?;
    cuda.shared.insert(address, Shared { file, _mapping: mapping });
    Ok(address)
}

/// Maps the file of a handle, as long as its process has it.
fn map(handle: &Handle) -> io::Result<(Mapping, File)> {
    let path = format!("/proc/{}/fd/{}", handle.process, handle.file);
    let file = File::options().read(true).write(true).open(path)?;
    if file.metadata()?.ino() != handle.identity {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok((Mapping::of(&file, handle.bytes)?, file))
}

fn refused(cuda: &mut Runtime, error: &io::Error) -> code::Code {
    cuda.refuse(code::NOT_SUPPORTED, format!("memory cannot be shared: {error}"))
}

calls! {
    cudaIpcGetMemHandle(handle: Out<Handle>, address: u64) => |cuda| {
        let found = cuda.simulator.allocation(address).filter(|(_, is_hosts)| !is_hosts);
        let (range, _) = found.ok_or(code::INVALID_VALUE)?;
        let (bytes, offset) = (range.end - range.start, address - range.start);
        let (file, identity) = share(cuda, range)?;
        handle.put(Handle { file, bytes, offset, identity, ..Handle::new(MEMORY) })
    };
    cudaIpcOpenMemHandle(address: Out<u64>, handle: Handle, _flags: u32) => |cuda| {
        address.put(open(cuda, handle)? + handle.offset)
    };
    cudaIpcCloseMemHandle(address: u64) => |cuda| {
        let (range, _) = cuda.simulator.allocation(address).ok_or(code::INVALID_VALUE)?;
        cuda.free(range.start)
    };
    // Work is done when it is issued: what an event marks is done when another process can know of it.
    cudaIpcGetEventHandle(handle: Out<Handle>, event: u64) => |cuda| {
        cuda.streams.event(event)?;
        handle.put(Handle::new(EVENT))
    };
    cudaIpcOpenEventHandle(event: Out<u64>, handle: Handle) => |cuda| match handle.kind {
        EVENT => event.put(cuda.streams.create_event()),
        _ => Err(code::INVALID_HANDLE),
    };
}
