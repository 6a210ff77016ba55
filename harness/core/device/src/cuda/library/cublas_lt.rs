//! cuBLASLt, loaded at run time: products of numbers of 8 bits, which cuBLAS does not have.
//!
//! It has matrices by columns, and multiplies bytes only where both factors lie along k. What is C by rows is Cᵀ by columns,
//! and Cᵀ = α Bᵀ Aᵀ + β Cᵀ. By columns, the rows of A are Aᵀ, and those of [`Precision::Fp8`]'s B, which are B's columns, are
//! B, which the library transposes.

mod functions;

use std::ffi::c_void;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::result::DriverError;
use cudarc::driver::{CudaContext, sys};

use super::super::loading::{first, is_named, lacking};
use super::cublas::{INSTALL, PLACE, VARIABLE};
use super::timing::timed;
use crate::api::library::{PADDED_TO, Precision, Product};
use crate::cuda::driver::failed;
use crate::cuda::memory::Allocation;
use crate::error::Error;
use functions::{Algorithm, Description, Functions};
use toolchain::search;

/// The library's own memory: what its guide recommends for a Hopper GPU.
const WORKSPACE: usize = 32 << 20;

/// Algorithms that are timed, and how often each.
const CANDIDATES: usize = 8;
const TIMED: usize = 4;

/// The library of this machine; the same one at every call.
///
/// # Errors
/// [`Error::Skipped`]: there is none, or none that can be used.
fn find() -> Result<&'static Functions, Error> {
    static FOUND: OnceLock<Result<Functions, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let candidates = search::libraries(VARIABLE, PLACE, |name| is_named(name, "cublasLt"));
        first("cuBLASLt", candidates, Functions::load)
    });
    found.as_ref().map_err(|reason| lacking(reason, INSTALL, &format!("{VARIABLE}=FOLDER")))
}

/// The library on a GPU.
pub(super) struct Context {
    context: Arc<CudaContext>,
    functions: &'static Functions,
    handle: *mut c_void,
    chosen: Mutex<Option<Chosen>>,
}

/// What was chosen for products of some size.
struct Chosen {
    sizes: [u64; 3],
    description: Description,
    algorithm: Algorithm,
    workspace: Allocation,
    /// The result with whole rows, where C has others.
    padded: Option<Allocation>,
}

// SAFETY: a handle may be used from any thread (cuBLAS's guide, "Thread Safety"); it belongs to one device.
unsafe impl Send for Context {}
// SAFETY: as above; calls hold the lock of what was chosen.
unsafe impl Sync for Context {}

impl Context {
    /// The library on the GPU whose context is bound. It works on the default stream.
    pub(super) fn new(context: &Arc<CudaContext>) -> Result<Context, Error> {
        let functions = find()?;
        let handle = functions.open()?;
        Ok(Context { context: context.clone(), functions, handle, chosen: Mutex::default() })
    }

    /// Its version: "13.1.0".
    pub(super) fn version(&self) -> String {
        self.functions.version.clone()
    }

    /// Starts C = α A B + β C of matrices at these addresses on the default stream. The first product of a size takes longer:
    /// it times the algorithms that the library proposes.
    ///
    /// # Errors
    /// [`Error::Skipped`]: the library has no such product; what it says is wrong.
    ///
    /// # Safety
    /// The context is bound, and the addresses are of matrices of this size, as [`Precision::Fp8`] says.
    pub(super) unsafe fn product(&self, of: &Product, [a, b, c]: [u64; 3]) -> Result<(), Error> {
        if of.precision != Precision::Fp8 {
            return Err(Error::Skipped {
                reason: format!(
                    "cuBLASLt is asked for products of bytes only, not of {:?}",
                    of.precision
                ),
                remedy: "call cuBLAS".to_owned(),
            });
        }
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if chosen.as_ref().is_none_or(|it| it.sizes != of.sizes) {
            *chosen = None; // its memory first
            // SAFETY: as the caller says.
            *chosen = Some(unsafe { self.choose(of, [a, b]) }?);
        }
        let Some(chosen) = chosen.as_ref() else { return Ok(()) };
        let [m, n, _] = of.sizes;
        let Some(padded) = &chosen.padded else {
            // SAFETY: as the caller says.
            return unsafe { self.multiply(of, chosen, [a, b, c]) };
        };
        let row = |n: u64| 4 * n as usize;
        let (own, whole) = ((c, row(n)), (padded.start, row(n.next_multiple_of(PADDED_TO))));
        if of.beta != 0.0 {
            // SAFETY: both have m rows of n numbers.
            unsafe { copy_rows(own, whole, (row(n), m as usize)) }.map_err(failed("copying C"))?;
        }
        // SAFETY: as the caller says, and the padded matrix is as large as the library takes it to be.
        unsafe { self.multiply(of, chosen, [a, b, padded.start]) }?;
        // SAFETY: as above.
        unsafe { copy_rows(whole, own, (row(n), m as usize)) }.map_err(failed("copying C"))
    }

    /// # Safety
    /// As of [`Context::product`], with a C of whole rows.
    unsafe fn multiply(
        &self,
        of: &Product,
        chosen: &Chosen,
        matrices: [u64; 3],
    ) -> Result<(), Error> {
        let memory = (chosen.workspace.start, WORKSPACE);
        let factors = [of.alpha, of.beta];
        // SAFETY: as the caller says; the workspace is as large as is said.
        unsafe {
            chosen.description.multiply(self.handle, factors, matrices, &chosen.algorithm, memory)
        }
    }

    /// The fastest of the algorithms that the library proposes.
    ///
    /// # Safety
    /// As of [`Context::product`].
    unsafe fn choose(&self, of: &Product, [a, b]: [u64; 2]) -> Result<Chosen, Error> {
        let [m, n, k] = of.sizes.map(|size| size.next_multiple_of(PADDED_TO));
        let description = Description::new(self.functions, [m, n, k])?;
        let proposals = description.proposals(self.handle, CANDIDATES, WORKSPACE)?;
        let memory = |bytes| {
            Allocation::new(&self.context, bytes).map_err(failed("allocating for cuBLASLt"))
        };
        // They write here, since C may be added to.
        let result = memory(4 * (m * n) as usize)?;
        let mut chosen = Chosen {
            sizes: of.sizes,
            description,
            algorithm: proposals[0],
            workspace: memory(WORKSPACE)?,
            padded: None,
        };
        let mut best = (f32::INFINITY, proposals[0]);
        for algorithm in proposals {
            chosen.algorithm = algorithm;
            for _ in 0..TIMED {
                // SAFETY: as the caller says; the result is as large as the library takes it to be.
                let run = || unsafe { self.multiply(of, &chosen, [a, b, result.start]) };
                let milliseconds = timed(&self.context, run)?;
                if milliseconds < best.0 {
                    best = (milliseconds, algorithm);
                }
            }
        }
        chosen.algorithm = best.1;
        chosen.padded = ([m, n] != of.sizes[..2]).then_some(result);
        Ok(chosen)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.functions.close(self.handle);
    }
}

/// Starts to copy rows of a matrix on the default stream: where it begins and the bytes from row to row, there and here.
///
/// # Safety
/// Both have so many rows of so many bytes.
unsafe fn copy_rows(
    (from, from_pitch): (u64, usize),
    (to, to_pitch): (u64, usize),
    (bytes, rows): (usize, usize),
) -> Result<(), DriverError> {
    // No field may be left to zeros: the types of memory have none.
    let copy = sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
        srcHost: std::ptr::null(),
        srcDevice: from,
        srcArray: std::ptr::null_mut(),
        srcPitch: from_pitch,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstHost: std::ptr::null_mut(),
        dstDevice: to,
        dstArray: std::ptr::null_mut(),
        dstPitch: to_pitch,
        WidthInBytes: bytes,
        Height: rows,
    };
    // SAFETY: as the caller says.
    unsafe { sys::cuMemcpy2DAsync_v2(&copy, std::ptr::null_mut()) }.result()
}

#[cfg(test)]
mod tests;
