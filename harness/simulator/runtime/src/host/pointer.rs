//! Pointers from the program. Only a C caller can make them, so their methods are safe in Rust.
//!
//! As with the CUDA runtime itself, the program guarantees that each is null, or points to what its type says during the
//! call.

use std::ffi::{CStr, c_char};
use std::ptr::NonNull;

use simt::{MemoryError, Simulator};

use crate::error::{self, CudaResult};

/// A pointer to the place of a result.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Out<T> {
        *self
    }
}

impl<T> Copy for Out<T> {}

// SAFETY: as below, or it is a variable of the program, which lives as long as the program.
unsafe impl<T> Send for Out<T> {}

impl<T: Copy> Out<T> {
    /// Writes a result.
    pub(crate) fn put(self, value: T) -> CudaResult {
        if self.0.is_null() {
            return Err(error::INVALID_VALUE);
        }
        // SAFETY: the program promises that it points to a `T`.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// Writes a result that the program may not want, unless the pointer is null.
    pub(crate) fn put_if_wanted(self, value: T) -> CudaResult {
        if self.0.is_null() { Ok(()) } else { self.put(value) }
    }

    /// Reads the value.
    pub(crate) fn get(self) -> CudaResult<T> {
        In(self.0.cast_const()).get()
    }

    /// The place of the result with an index.
    pub(crate) fn at(self, index: usize) -> Out<T> {
        Out(self.0.wrapping_add(index))
    }

    /// The address.
    pub(crate) fn address(self) -> u64 {
        self.0 as u64
    }

    /// A result that is not wanted.
    pub(crate) fn null() -> Out<T> {
        Out(std::ptr::null_mut())
    }
}

impl Out<u8> {
    /// Writes bytes.
    pub(crate) fn put_all(self, bytes: &[u8]) -> CudaResult {
        Pointer(self.0).filled()?.with_mut(bytes.len(), |into| into.copy_from_slice(bytes));
        Ok(())
    }
}

/// A pointer to one value or several.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> In<T> {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T: Copy> In<T> {
    /// The value.
    pub(crate) fn get(self) -> CudaResult<T> {
        self.at(0)
    }

    /// The value with an index.
    pub(crate) fn at(self, index: usize) -> CudaResult<T> {
        if self.0.is_null() {
            return Err(error::INVALID_VALUE);
        }
        // SAFETY: the program promises that it points to so many values.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }
}

/// A text of C.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

impl Text {
    /// The text; empty for null.
    pub(crate) fn get(self) -> String {
        if self.0.is_null() {
            return String::new();
        }
        // SAFETY: the program promises that it ends with a zero.
        unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned()
    }
}

/// `cudaHostFn_t`
pub(crate) type HostFunction = extern "C" fn(Pointer);

/// An address of the host, of the device, of both, or of nothing.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Pointer(*mut u8);

// SAFETY: it is only used in the calls that it is handed to.
unsafe impl Send for Pointer {}

impl Pointer {
    /// An address of the device, which the host cannot use.
    pub(crate) fn of_device(address: u64) -> Pointer {
        Pointer(std::ptr::without_provenance_mut(address as usize))
    }

    /// The address.
    pub(crate) fn address(self) -> u64 {
        self.0 as u64
    }

    /// Reads a value from the host.
    pub(crate) fn value<T: Copy>(self) -> CudaResult<T> {
        In(self.0.cast_const().cast::<T>()).get()
    }

    /// Reads a text of C.
    pub(crate) fn text(self) -> String {
        Text(self.0.cast_const().cast()).get()
    }

    /// The address that is `bytes` further.
    pub(crate) fn plus(self, bytes: usize) -> Pointer {
        Pointer(self.0.wrapping_add(bytes))
    }

    /// The pointer, if it is not null.
    pub(crate) fn filled(self) -> CudaResult<Pointer> {
        if self.0.is_null() { Err(error::INVALID_VALUE) } else { Ok(self) }
    }

    /// Reads bytes of the host.
    pub(crate) fn with<T>(self, bytes: usize, work: impl FnOnce(&[u8]) -> T) -> T {
        // SAFETY: the program promises so many bytes, and does not change them during the call.
        work(unsafe { std::slice::from_raw_parts(self.0, bytes) })
    }

    /// Changes bytes of the host.
    pub(crate) fn with_mut<T>(self, bytes: usize, work: impl FnOnce(&mut [u8]) -> T) -> T {
        // SAFETY: the program promises so many bytes, and does not use them during the call.
        work(unsafe { std::slice::from_raw_parts_mut(self.0, bytes) })
    }

    /// Copies bytes of the host.
    pub(crate) fn copy_from(self, from: Pointer, bytes: usize) {
        // SAFETY: the program promises so many bytes at both ends; they may overlap.
        unsafe { std::ptr::copy(from.0, self.0, bytes) };
    }

    /// Lets kernels access bytes of the host.
    pub(crate) fn lend(
        self,
        simulator: &Simulator,
        name: &str,
        bytes: usize,
    ) -> CudaResult<Result<u64, MemoryError>> {
        let first = NonNull::new(self.0.cast()).ok_or(error::INVALID_VALUE)?;
        if !self.address().is_multiple_of(4) {
            return Err(error::INVALID_VALUE);
        }
        // SAFETY: the program promises the bytes until it unregisters them; a word at their end lies in the same page.
        Ok(unsafe { simulator.lend(name, first, bytes as u64) })
    }
}

/// Pointers as a C program would pass them.
#[cfg(test)]
mod made {
    use super::{In, Out, Pointer, Text};

    impl<T> Out<T> {
        pub(crate) fn to(value: &mut T) -> Out<T> {
            Out(value)
        }

        pub(crate) fn cast<U>(self) -> Out<U> {
            Out(self.0.cast())
        }
    }

    impl<T> In<T> {
        pub(crate) fn of(value: &T) -> In<T> {
            In(value)
        }
    }

    impl Text {
        pub(crate) fn of(text: &'static std::ffi::CStr) -> Text {
            Text(text.as_ptr())
        }
    }

    impl Pointer {
        pub(crate) fn to<T>(value: &mut T) -> Pointer {
            Pointer(std::ptr::from_mut(value).cast())
        }
    }
}
