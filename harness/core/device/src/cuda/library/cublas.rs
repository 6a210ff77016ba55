//! cuBLAS, loaded at run time: the handful of functions that a product of matrices needs.
//!
//! cuBLAS has matrices by columns. A row-major matrix, read by columns, is its transpose, and Cᵀ = α Bᵀ Aᵀ + β Cᵀ. So A and B
//! change places, and so do m and n.

use std::ffi::{c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use super::super::loading::{first, is_named, lacking};
use crate::api::library::{Precision, Product};
use crate::error::Error;
use toolchain::search;

/// The variable that names a library or folders to look into before all others.
pub(super) const VARIABLE: &str = "LADDER_CUBLAS";

/// Where a wheel of it may be, in the workspace.
pub(super) const PLACE: &str = "target/cublas";

/// How to get it.
pub const INSTALL: &str =
    "python3 -m pip install --target target/cublas/12.8.4.1 nvidia-cublas-cu12==12.8.4.1";

/// A context of the library.
pub(super) type Handle = *mut c_void;

/// `cublasStatus_t`: 0 is success.
type Status = c_int;

/// `CUBLAS_OP_N`, `CUBLAS_GEMM_DEFAULT` (cublas_api.h) and `CUDA_R_32F` (library_types.h).
const AS_IT_IS: c_int = 0;
const ANY_ALGORITHM: c_int = -1;
const FLOAT: c_int = 0;

/// `cublasGemmEx`.
type GemmEx = unsafe extern "C" fn(
    handle: Handle,
    transpose_a: c_int,
    transpose_b: c_int,
    m: c_int,
    n: c_int,
    k: c_int,
    alpha: *const c_void,
    a: *const c_void,
    type_a: c_int,
    pitch_a: c_int,
    b: *const c_void,
    type_b: c_int,
    pitch_b: c_int,
    beta: *const c_void,
    c: *mut c_void,
    type_c: c_int,
    pitch_c: c_int,
    compute: c_int,
    algorithm: c_int,
) -> Status;

/// The library and its functions (cuBLAS's guide, "cuBLAS Helper Function Reference" and "cublasGemmEx()").
pub struct Cublas {
    /// The library, as it was opened.
    pub path: PathBuf,
    /// Version, such as "13.1.0".
    pub version: String,
    create: unsafe extern "C" fn(*mut Handle) -> Status,
    destroy: unsafe extern "C" fn(Handle) -> Status,
    gemm: GemmEx,
    /// Keep the functions where they are: the library, and the one that it is built on.
    _libraries: Vec<Library>,
}

impl Cublas {
    /// The library of this machine; the same one at every call.
    ///
    /// # Errors
    /// [`Error::Skipped`]: there is none, or none that can be used.
    pub fn find() -> Result<&'static Cublas, Error> {
        static FOUND: OnceLock<Result<Cublas, String>> = OnceLock::new();
        let found = FOUND.get_or_init(|| {
            let candidates = search::libraries(VARIABLE, PLACE, |name| is_named(name, "cublas"));
            first("cuBLAS", candidates, Cublas::open)
        });
        found.as_ref().map_err(|reason| lacking(reason, INSTALL, &format!("{VARIABLE}=FILE")))
    }

    fn open(path: &Path) -> Result<Cublas, String> {
        let words = |error: libloading::Error| error.to_string();
        let folder = path.parent().unwrap_or(Path::new("/"));
        // The loader alone would look for it in its own places, and may find one of another version.
        let beside = search::files(folder, |name| is_named(name, "cublasLt"));
        // SAFETY: loading cuBLAS runs only its own constructors, which expect nothing of the process.
        let mut libraries: Vec<Library> =
            beside.iter().filter_map(|path| unsafe { Library::new(path) }.ok()).collect();
        // SAFETY: as above.
        let library = unsafe { Library::new(path) }.map_err(words)?;
        // SAFETY: the types of these functions are those of cublas_api.h, unchanged since CUDA 11; they are called only while
        // the libraries live.
        let mut cublas = unsafe {
            let property: unsafe extern "C" fn(c_int, *mut c_int) -> Status =
                *library.get(b"cublasGetProperty\0").map_err(words)?;
            let mut version = [0; 3];
            for (which, number) in (0..).zip(&mut version) {
                property(which, number);
            }
            Cublas {
                path: path.to_path_buf(),
                version: version.map(|number| number.to_string()).join("."),
                create: *library.get(b"cublasCreate_v2\0").map_err(words)?,
                destroy: *library.get(b"cublasDestroy_v2\0").map_err(words)?,
                gemm: *library.get(b"cublasGemmEx\0").map_err(words)?,
                _libraries: Vec::new(),
            }
        };
        libraries.push(library);
        cublas._libraries = libraries;
        Ok(cublas)
    }

    /// Makes a context of the library on the GPU whose context is bound. It works on the default stream.
    pub(super) fn context(&'static self) -> Result<Context, Error> {
        let mut handle: Handle = std::ptr::null_mut();
        // SAFETY: the pointer is to a handle that lives through the call.
        let status = unsafe { (self.create)(&mut handle) };
        self.check("opening cuBLAS", status)?;
        Ok(Context { cublas: self, handle })
    }

    /// Makes an [`Error`] of a status that is none of success.
    fn check(&self, doing: &str, status: Status) -> Result<(), Error> {
        match status {
            0 => Ok(()),
            status => {
                let name = name_of(status);
                Err(Error::Fault(format!("{doing} {}: {name}", self.version)))
            }
        }
    }
}

/// The names of statuses (cublas_api.h).
pub(super) fn name_of(status: Status) -> String {
    let name = match status {
        1 => "CUBLAS_STATUS_NOT_INITIALIZED",
        3 => "CUBLAS_STATUS_ALLOC_FAILED",
        7 => "CUBLAS_STATUS_INVALID_VALUE",
        8 => "CUBLAS_STATUS_ARCH_MISMATCH",
        11 => "CUBLAS_STATUS_MAPPING_ERROR",
        13 => "CUBLAS_STATUS_EXECUTION_FAILED",
        14 => "CUBLAS_STATUS_INTERNAL_ERROR",
        15 => "CUBLAS_STATUS_NOT_SUPPORTED",
        16 => "CUBLAS_STATUS_LICENSE_ERROR",
        other => return format!("status {other}"),
    };
    name.to_owned()
}

/// Where it is looked for, in words.
pub fn searched() -> String {
    search::searched(VARIABLE, PLACE)
}

/// A context of the library; destroyed when dropped.
pub(super) struct Context {
    pub(super) cublas: &'static Cublas,
    handle: Handle,
}

// SAFETY: a handle may be used from any thread, by one at a time (cuBLAS's guide, "Thread Safety"); it belongs to one device.
unsafe impl Send for Context {}
// SAFETY: as above; a device makes its calls one after the other.
unsafe impl Sync for Context {}

impl Context {
    /// Starts C = α A B + β C of row-major matrices at these addresses on the default stream.
    ///
    /// # Errors
    /// [`Error::Skipped`] of sizes beyond those that the library counts; what it says is wrong.
    ///
    /// # Safety
    /// The addresses are of matrices of this size and type.
    pub(super) unsafe fn product(&self, of: &Product, [a, b, c]: [u64; 3]) -> Result<(), Error> {
        let sizes = of.sizes.map(|size| c_int::try_from(size).ok().filter(|size| *size > 0));
        let [Some(m), Some(n), Some(k)] = sizes else {
            let [m, n, k] = of.sizes;
            return Err(Error::Skipped {
                reason: format!("cuBLAS has no product of {m} × {n} × {k}"),
                remedy: "choose sizes from 1 to 2147483647".to_owned(),
            });
        };
        let Some((numbers, compute)) = types(of.precision) else {
            return Err(Error::Skipped {
                reason: format!("cuBLAS has no product of {:?}", of.precision),
                remedy: "call cuBLASLt".to_owned(),
            });
        };
        // SAFETY: the caller vouches for the matrices; the factors live through the call, which reads them.
        let status = unsafe {
            (self.cublas.gemm)(
                self.handle,
                AS_IT_IS,
                AS_IT_IS,
                n,
                m,
                k,
                (&raw const of.alpha).cast(),
                b as *const c_void,
                numbers,
                n,
                a as *const c_void,
                numbers,
                k,
                (&raw const of.beta).cast(),
                c as *mut c_void,
                FLOAT,
                n,
                compute,
                ANY_ALGORITHM,
            )
        };
        self.cublas.check("cublasGemmEx of cuBLAS", status)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: this is the handle's only owner.
        let _ = unsafe { (self.cublas.destroy)(self.handle) };
    }
}

/// The `cudaDataType_t` of A and B, and the `cublasComputeType_t`: `CUBLAS_COMPUTE_32F` or its variants `_PEDANTIC`, which
/// keeps to `f32`, and `_FAST_TF32`. None of bytes.
fn types(precision: Precision) -> Option<(c_int, c_int)> {
    match precision {
        Precision::Fp32 => Some((FLOAT, 69)),
        Precision::Tf32 => Some((FLOAT, 77)),
        Precision::Bf16 => Some((14, 68)),
        Precision::Fp16 => Some((2, 68)),
        Precision::Fp8 => None,
    }
}

#[cfg(test)]
mod tests;
