//! Functions of CUB, compiled by nvcc where it is found.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::CudaContext;
use libloading::Library;

use crate::cuda::driver::failed;
use crate::cuda::memory::Allocation;
use crate::error::Error;
use toolchain::nvcc::Nvcc;

/// What follows the code of a ladder: what the harness asks of it besides its function.
const REST: &str = r#"
extern "C" const char *words(int status) { return cudaGetErrorString((cudaError_t)status); }
extern "C" int version() { return CUB_VERSION; }
"#;

/// As [`crate::Library::Cub`] describes it.
type Pass = unsafe extern "C" fn(
    memory: *mut c_void,
    bytes: *mut usize,
    arrays: *const u64,
    n: c_int,
    stream: *mut c_void,
) -> c_int;

/// A function of CUB that is loaded, with the memory that it has for itself.
pub(super) struct Cub {
    /// "CUB 3.0.1, nvcc 13.0.88".
    pub(super) says: String,
    context: Arc<CudaContext>,
    pass: Pass,
    words: unsafe extern "C" fn(c_int) -> *const c_char,
    memory: Mutex<Option<Own>>,
    /// Keeps the functions where they are.
    _library: Library,
}

/// Memory of a function's own, for one size.
struct Own {
    n: c_int,
    bytes: usize,
    memory: Allocation,
}

impl Cub {
    /// Compiles a ladder's code for a GPU and loads it.
    ///
    /// # Errors
    /// [`Error::Skipped`]: there is no nvcc, or what it makes cannot be loaded.
    pub(super) fn new(
        context: &Arc<CudaContext>,
        code: &str,
        capability: (u32, u32),
    ) -> Result<Cub, Error> {
        let nvcc = Nvcc::find()?;
        let file = nvcc.library(&format!("{code}{REST}"), capability)?;
        let skipped = |error: libloading::Error| Error::Skipped {
            reason: format!("what nvcc {} made cannot be loaded: {error}", nvcc.release),
            remedy: format!("remove {} and try again", file.display()),
        };
        // SAFETY: nvcc made the library of the ladder's code and of CUDA's runtime, whose constructors expect nothing of the
        // process.
        let library = unsafe { Library::new(&file) }.map_err(skipped)?;
        // SAFETY: the types are those that the ladder's code has by its contract, and `REST` by its text; the functions are
        // called only while the library lives.
        let (pass, words, version) = unsafe {
            let version: unsafe extern "C" fn() -> c_int =
                *library.get(b"version\0").map_err(skipped)?;
            let pass = *library.get(b"pass\0").map_err(skipped)?;
            (pass, *library.get(b"words\0").map_err(skipped)?, version())
        };
        let says = format!("CUB {}, nvcc {}", release(version), nvcc.release);
        let memory = Mutex::default();
        Ok(Cub { says, context: context.clone(), pass, words, memory, _library: library })
    }

    /// Starts a pass over the arrays at these addresses on the default stream. Memory for its own use is allocated where
    /// there is none of this size yet.
    ///
    /// # Errors
    /// [`Error::Skipped`] of more elements than CUB counts; what CUDA says is wrong.
    ///
    /// # Safety
    /// The context is bound, and the addresses are of arrays of which a pass over so many elements uses no more than there is.
    pub(super) unsafe fn pass(&self, n: u64, arrays: &[u64]) -> Result<(), Error> {
        let n = c_int::try_from(n).map_err(|_| Error::Skipped {
            reason: format!("CUB is called with at most {} elements here", c_int::MAX),
            remedy: "choose a smaller --size".to_owned(),
        })?;
        let call = |memory: u64, mut bytes: usize| {
            let stream = std::ptr::null_mut();
            // SAFETY: the caller vouches for the arrays; the memory is as large as is said.
            let status =
                unsafe { (self.pass)(memory as *mut _, &mut bytes, arrays.as_ptr(), n, stream) };
            self.check(status).map(|()| bytes)
        };
        let mut own = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if own.as_ref().is_none_or(|own| own.n != n) {
            let bytes = call(0, 0)?;
            let memory = Allocation::new(&self.context, bytes.max(1));
            let memory = memory.map_err(failed("allocating CUB's own memory"))?;
            *own = Some(Own { n, bytes, memory });
        }
        let (start, bytes) = own.as_ref().map_or((0, 0), |own| (own.memory.start, own.bytes));
        call(start, bytes).map(drop)
    }

    fn check(&self, status: c_int) -> Result<(), Error> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: the function gives a text that lasts and ends in a zero byte, whatever the number.
        let words = unsafe { CStr::from_ptr((self.words)(status)) };
        Err(Error::Fault(format!("{}: {}", self.says, words.to_string_lossy())))
    }
}

/// "3.0.1" of CUB_VERSION, which is 300001.
fn release(version: c_int) -> String {
    format!("{}.{}.{}", version / 100_000, version / 100 % 1000, version % 100)
}

#[cfg(test)]
mod tests {
    use super::release;

    #[test]
    fn a_release_has_three_numbers() {
        assert_eq!(release(300_001), "3.0.1");
        assert_eq!(release(201_302), "2.13.2");
    }
}
