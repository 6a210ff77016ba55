//! Memory in a file, which several processes can map.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;

use simt::{MemoryError, Simulator};

/// A file's bytes as memory that other processes may map too.
#[derive(Debug)]
pub(crate) struct Mapping {
    first: NonNull<AtomicU32>,
    bytes: usize,
}

// SAFETY: the words are atomics, and whoever has the mapping may end it.
unsafe impl Send for Mapping {}

impl Mapping {
    /// An anonymous file in memory of `bytes` bytes.
    pub(crate) fn file(bytes: u64) -> io::Result<File> {
        // SAFETY: the name is a text of C.
        let number = unsafe { libc::memfd_create(c"memory".as_ptr(), libc::MFD_CLOEXEC) };
        if number < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the file is new, and nobody else's.
        let file = unsafe { File::from_raw_fd(number) };
        file.set_len(bytes.next_multiple_of(4))?;
        Ok(file)
    }

    /// Maps a file.
    pub(crate) fn of(file: &File, bytes: u64) -> io::Result<Mapping> {
        let refused = || io::Error::from(io::ErrorKind::InvalidInput);
        let bytes = bytes.next_multiple_of(4);
        // Access to pages beyond the end of the file would kill the program.
        if file.metadata()?.len() < bytes {
            return Err(refused());
        }
        let bytes = usize::try_from(bytes).map_err(|_| refused())?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (null, number) = (std::ptr::null_mut(), file.as_raw_fd());
        // SAFETY: the system chooses an address that nothing has.
        let first = unsafe { libc::mmap(null, bytes, access, libc::MAP_SHARED, number, 0) };
        if first == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let first = NonNull::new(first.cast()).ok_or_else(refused)?;
        Ok(Mapping { first, bytes })
    }

    /// Moves an allocation here, with its contents.
    pub(crate) fn replace(&self, simulator: &Simulator, address: u64) -> Result<(), MemoryError> {
        // SAFETY: who has the mapping frees the allocation before.
        unsafe { simulator.relocate(address, self.first) }
    }

    /// Allocates this memory.
    pub(crate) fn lend(
        &self,
        simulator: &Simulator,
        name: &str,
        bytes: u64,
    ) -> Result<u64, MemoryError> {
        // SAFETY: who has the mapping frees the allocation before.
        unsafe { simulator.lend(name, self.first, bytes) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this size, and nothing refers to it any more.
        unsafe { libc::munmap(self.first.as_ptr().cast(), self.bytes) };
    }
}
