//! What C hands over: pointers that only a C caller can make, so that using them is safe in Rust.
//!
//! The program promises of each, as to the CUDA runtime, that it is null or points to what its type says for as long as the call
//! lasts.

use std::ffi::{CStr, c_char};
use std::io::Write;
use std::ptr::NonNull;

use simt::{MemoryError, Simulator};

use crate::code::{self, Done};

/// Where a result belongs.
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
    /// Puts a result there.
    pub(crate) fn put(self, value: T) -> Done {
        if self.0.is_null() {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: the program promises that it points to a `T`.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// The same where the program may not want it.
    pub(crate) fn put_if_wanted(self, value: T) -> Done {
        if self.0.is_null() { Ok(()) } else { self.put(value) }
    }

    /// What is there.
    pub(crate) fn get(self) -> Done<T> {
        In(self.0.cast_const()).get()
    }

    /// The place of the result of an index.
    pub(crate) fn at(self, index: usize) -> Out<T> {
        Out(self.0.wrapping_add(index))
    }

    /// The address, as a key.
    pub(crate) fn address(self) -> u64 {
        self.0 as u64
    }

    /// No place: the result is not wanted.
    pub(crate) fn null() -> Out<T> {
        Out(std::ptr::null_mut())
    }
}

impl Out<u8> {
    /// Puts bytes there.
    pub(crate) fn put_all(self, bytes: &[u8]) -> Done {
        Pointer(self.0).filled()?.with_mut(bytes.len(), |into| into.copy_from_slice(bytes));
        Ok(())
    }
}

/// What a call is given: one value, or several.
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
    pub(crate) fn get(self) -> Done<T> {
        self.at(0)
    }

    /// The value of an index.
    pub(crate) fn at(self, index: usize) -> Done<T> {
        if self.0.is_null() {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: the program promises that it points to so many values.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }
}

/// A text that ends with a zero.
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

/// An address: of the host, of the device, of both or of nothing.
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

    /// The value of a structure of the host.
    pub(crate) fn value<T: Copy>(self) -> Done<T> {
        In(self.0.cast_const().cast::<T>()).get()
    }

    /// The text that begins here, with a zero at its end.
    pub(crate) fn text(self) -> String {
        Text(self.0.cast_const().cast()).get()
    }

    /// So many bytes on.
    pub(crate) fn plus(self, bytes: usize) -> Pointer {
        Pointer(self.0.wrapping_add(bytes))
    }

    /// The same unless it is null.
    pub(crate) fn filled(self) -> Done<Pointer> {
        if self.0.is_null() { Err(code::INVALID_VALUE) } else { Ok(self) }
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
    ) -> Done<Result<u64, MemoryError>> {
        let first = NonNull::new(self.0.cast()).ok_or(code::INVALID_VALUE)?;
        if !self.address().is_multiple_of(4) {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: the program promises the bytes until it unregisters them; a word at their end lies in the same page.
        Ok(unsafe { simulator.lend(name, first, bytes as u64) })
    }
}

/// Prints among what the program prints, whose own text may still be in C's buffer.
pub(crate) fn print_as_program(text: &str) {
    // SAFETY: a null stream stands for all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let mut out = std::io::stdout().lock();
    // A reader that has gone is the program's matter.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// What a C program would hand over.
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
