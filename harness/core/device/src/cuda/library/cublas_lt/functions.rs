//! The functions of cuBLASLt, and the description of a product that they take (cuBLAS's guide, "Using the cuBLASLt API").

use std::ffi::{c_int, c_void};
use std::path::Path;
use std::ptr::{from_ref, null_mut};

use libloading::Library;

use crate::cuda::library::cublas::name_of;
use crate::error::Error;

/// `cublasStatus_t`: 0 is success.
pub(super) type Status = c_int;

/// `cudaDataType_t` (library_types.h), `cublasComputeType_t`, `cublasOperation_t` (cublas_api.h).
pub(super) const FLOAT: c_int = 0;
pub(super) const E4M3: c_int = 28;
const COMPUTE_FLOATS: c_int = 68;
const TRANSPOSED: c_int = 1;

/// Attributes of a product and of a preference (cublasLt.h).
pub(super) const OF_TRANSA: c_int = 3;
const OF_FAST_ACCUM: c_int = 25;
const OF_WORKSPACE: c_int = 1;

/// `cublasLtMatmulAlgo_t`.
pub(super) type Algorithm = [u64; 8];

/// `cublasLtMatmulHeuristicResult_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Proposal {
    pub(super) algorithm: Algorithm,
    pub(super) workspace: usize,
    pub(super) status: Status,
    pub(super) waves: f32,
    pub(super) reserved: [c_int; 4],
}

/// A handle, or what the library made.
type Object = *mut c_void;
type Create = unsafe extern "C" fn(*mut Object) -> Status;
type Destroy = unsafe extern "C" fn(Object) -> Status;
type Set = unsafe extern "C" fn(Object, c_int, *const c_void, usize) -> Status;
type NewProduct = unsafe extern "C" fn(*mut Object, compute: c_int, scale: c_int) -> Status;
type NewMatrix =
    unsafe extern "C" fn(*mut Object, of: c_int, rows: u64, columns: u64, pitch: i64) -> Status;
type Propose = unsafe extern "C" fn(
    handle: Object,
    product: Object,
    a: Object,
    b: Object,
    c: Object,
    d: Object,
    preference: Object,
    wanted: c_int,
    proposals: *mut Proposal,
    found: *mut c_int,
) -> Status;
type Multiply = unsafe extern "C" fn(
    handle: Object,
    product: Object,
    alpha: *const c_void,
    a: *const c_void,
    of_a: Object,
    b: *const c_void,
    of_b: Object,
    beta: *const c_void,
    c: *const c_void,
    of_c: Object,
    d: *mut c_void,
    of_d: Object,
    algorithm: *const Algorithm,
    workspace: *mut c_void,
    bytes: usize,
    stream: *mut c_void,
) -> Status;

/// The library and its functions.
pub(super) struct Functions {
    /// Version, such as "13.1.0".
    pub(super) version: String,
    pub(super) create: Create,
    pub(super) destroy: Destroy,
    pub(super) new_product: NewProduct,
    pub(super) set_product: Set,
    pub(super) end_product: Destroy,
    pub(super) new_matrix: NewMatrix,
    pub(super) end_matrix: Destroy,
    pub(super) new_preference: Create,
    pub(super) set_preference: Set,
    pub(super) end_preference: Destroy,
    pub(super) propose: Propose,
    pub(super) multiply: Multiply,
    /// Keeps the functions where they are.
    pub(super) _library: Option<Library>,
}

impl Functions {
    pub(super) fn load(path: &Path) -> Result<Functions, String> {
        let words = |error: libloading::Error| error.to_string();
        // SAFETY: loading cuBLASLt runs only its own constructors, which expect nothing of the process.
        let library = unsafe { Library::new(path) }.map_err(words)?;
        // SAFETY: the types of these functions are those of cublasLt.h, unchanged since CUDA 11; they are called only while the
        // library lives.
        let functions = unsafe {
            let property: unsafe extern "C" fn(c_int, *mut c_int) -> Status =
                *library.get(b"cublasLtGetProperty\0").map_err(words)?;
            let mut version = [0; 3];
            for (which, number) in (0..).zip(&mut version) {
                property(which, number);
            }
            Functions {
                version: version.map(|number| number.to_string()).join("."),
                create: *library.get(b"cublasLtCreate\0").map_err(words)?,
                destroy: *library.get(b"cublasLtDestroy\0").map_err(words)?,
                new_product: *library.get(b"cublasLtMatmulDescCreate\0").map_err(words)?,
                set_product: *library.get(b"cublasLtMatmulDescSetAttribute\0").map_err(words)?,
                end_product: *library.get(b"cublasLtMatmulDescDestroy\0").map_err(words)?,
                new_matrix: *library.get(b"cublasLtMatrixLayoutCreate\0").map_err(words)?,
                end_matrix: *library.get(b"cublasLtMatrixLayoutDestroy\0").map_err(words)?,
                new_preference: *library.get(b"cublasLtMatmulPreferenceCreate\0").map_err(words)?,
                set_preference: *library
                    .get(b"cublasLtMatmulPreferenceSetAttribute\0")
                    .map_err(words)?,
                end_preference: *library
                    .get(b"cublasLtMatmulPreferenceDestroy\0")
                    .map_err(words)?,
                propose: *library.get(b"cublasLtMatmulAlgoGetHeuristic\0").map_err(words)?,
                multiply: *library.get(b"cublasLtMatmul\0").map_err(words)?,
                _library: None,
            }
        };
        Ok(Functions { _library: Some(library), ..functions })
    }

    /// A handle for the GPU whose context is bound.
    pub(super) fn open(&self) -> Result<Object, Error> {
        // SAFETY: the pointer that is passed is to a handle that lives through the call.
        self.made("opening", |made| unsafe { (self.create)(made) })
    }

    /// Ends it.
    pub(super) fn close(&self, handle: Object) {
        // SAFETY: the caller is the handle's only owner.
        let _ = unsafe { (self.destroy)(handle) };
    }

    fn made(&self, doing: &str, make: impl FnOnce(*mut Object) -> Status) -> Result<Object, Error> {
        let mut made = null_mut();
        self.check(doing, make(&mut made)).map(|()| made)
    }

    /// Makes an [`Error`] of a status that is none of success.
    fn check(&self, doing: &str, status: Status) -> Result<(), Error> {
        match status {
            0 => Ok(()),
            status => {
                let name = name_of(status);
                Err(Error::Fault(format!("{doing} cuBLASLt {}: {name}", self.version)))
            }
        }
    }
}

/// The description of a product with factors of e4m3 and a result of floats.
pub(super) struct Description {
    functions: &'static Functions,
    product: Object,
    /// Its first and second factor, and its result.
    matrices: [Object; 3],
}

impl Description {
    /// Of m, n and k.
    pub(super) fn new(
        functions: &'static Functions,
        [m, n, k]: [u64; 3],
    ) -> Result<Description, Error> {
        let mut own = Description { functions, product: null_mut(), matrices: [null_mut(); 3] };
        // SAFETY: the pointer that is passed is to an object that lives through the call, here and below.
        own.product = functions.made("describing a product to", |made| unsafe {
            (functions.new_product)(made, COMPUTE_FLOATS, FLOAT)
        })?;
        own.set(OF_TRANSA, &TRANSPOSED)?;
        // Sums stay in the tensor cores, as in a kernel that does not take care of them.
        own.set(OF_FAST_ACCUM, &1i8)?;
        let shapes = [(E4M3, k, n, k), (E4M3, k, m, k), (FLOAT, n, m, n)];
        for (matrix, (of, rows, columns, pitch)) in own.matrices.iter_mut().zip(shapes) {
            // SAFETY: as above.
            *matrix = functions.made("describing a matrix to", |made| unsafe {
                (functions.new_matrix)(made, of, rows, columns, pitch as i64)
            })?;
        }
        Ok(own)
    }

    fn set<T>(&self, attribute: c_int, value: &T) -> Result<(), Error> {
        // SAFETY: the value lives through the call, and has the size that is said.
        let status = unsafe {
            (self.functions.set_product)(
                self.product,
                attribute,
                from_ref(value).cast(),
                size_of::<T>(),
            )
        };
        self.functions.check("describing a product to", status)
    }

    /// Algorithms for it, the best ones first by the library's own estimate.
    ///
    /// # Errors
    /// [`Error::Skipped`]: there is none.
    pub(super) fn proposals(
        &self,
        handle: Object,
        wanted: usize,
        workspace: usize,
    ) -> Result<Vec<Algorithm>, Error> {
        let functions = self.functions;
        // SAFETY: as in `new`.
        let preference =
            functions.made("asking", |made| unsafe { (functions.new_preference)(made) })?;
        let none =
            Proposal { algorithm: [0; 8], workspace: 0, status: 0, waves: 0.0, reserved: [0; 4] };
        let (mut all, mut found) = (vec![none; wanted], 0);
        let [a, b, c] = self.matrices;
        // SAFETY: the objects are the library's own and live; the array has as many places as is said, and the number lives
        // through the call.
        let status = unsafe {
            let bytes = from_ref(&workspace).cast();
            (functions.set_preference)(preference, OF_WORKSPACE, bytes, size_of::<usize>());
            let most = wanted as c_int;
            let place = all.as_mut_ptr();
            let status = (functions.propose)(
                handle,
                self.product,
                a,
                b,
                c,
                c,
                preference,
                most,
                place,
                &mut found,
            );
            (functions.end_preference)(preference);
            status
        };
        all.truncate(found.max(0) as usize);
        all.retain(|it| it.status == 0);
        if status != 0 || all.is_empty() {
            return Err(Error::Skipped {
                reason: format!(
                    "cuBLASLt {} has no product of e4m3 here: {}",
                    functions.version,
                    name_of(status)
                ),
                remedy: "use a GPU of compute capability 8.9 or later".to_owned(),
            });
        }
        Ok(all.into_iter().map(|it| it.algorithm).collect())
    }

    /// Starts it on the default stream: C = α A B + β C of matrices at these addresses, with so much memory of the library's own.
    ///
    /// # Safety
    /// The addresses are of such matrices, and of so many bytes.
    pub(super) unsafe fn multiply(
        &self,
        handle: Object,
        [alpha, beta]: [f32; 2],
        [a, b, c]: [u64; 3],
        algorithm: &Algorithm,
        (workspace, bytes): (u64, usize),
    ) -> Result<(), Error> {
        let [first, second, result] = self.matrices;
        // SAFETY: the caller vouches for the addresses; the factors and the algorithm live through the call, which reads them.
        let status = unsafe {
            (self.functions.multiply)(
                handle,
                self.product,
                from_ref(&alpha).cast(),
                b as *const c_void,
                first,
                a as *const c_void,
                second,
                from_ref(&beta).cast(),
                c as *const c_void,
                result,
                c as *mut c_void,
                result,
                algorithm,
                workspace as *mut c_void,
                bytes,
                null_mut(),
            )
        };
        self.functions.check("cublasLtMatmul of", status)
    }
}

impl Drop for Description {
    fn drop(&mut self) {
        let made = |object: &&Object| !object.is_null();
        // SAFETY: these are the library's own objects, and this is their only owner.
        unsafe {
            for matrix in self.matrices.iter().filter(made) {
                (self.functions.end_matrix)(*matrix);
            }
            if !self.product.is_null() {
                (self.functions.end_product)(self.product);
            }
        }
    }
}
