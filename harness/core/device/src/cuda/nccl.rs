//! NCCL, NVIDIA's library for GPUs that exchange data, loaded at run time: the handful of functions that are needed here.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use super::loading::{first, lacking};
use crate::error::Error;
use toolchain::search;

/// The variable that names a library or folders to look into before all others.
const VARIABLE: &str = "LADDER_NCCL";

/// How to get it.
pub const INSTALL: &str = "python3 -m pip install nvidia-nccl-cu12";

/// The variable that keeps NCCL from multicast between GPUs, which not every machine can do that says so; to be set to "0" before a
/// process uses NCCL.
pub const NO_MULTICAST: &str = "NCCL_NVLS_ENABLE";

/// A communicator of the library.
pub(super) type Handle = *mut c_void;

/// A stream of the driver.
type Stream = *mut c_void;

/// `ncclResult_t`: 0 is success.
type Status = c_int;

/// What brings ranks together: made by one, handed to all.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UniqueId([c_char; 128]);

impl UniqueId {
    pub(super) const NONE: UniqueId = UniqueId([0; 128]);

    pub(super) fn bytes(&self) -> [u8; 128] {
        self.0.map(|byte| byte as u8)
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<UniqueId> {
        let bytes: [u8; 128] = bytes.try_into().ok()?;
        Some(UniqueId(bytes.map(|byte| byte as c_char)))
    }
}

/// `ncclFloat32` and `ncclSum` (nccl.h).
pub(super) const FLOAT: c_int = 7;
pub(super) const SUM: c_int = 0;

/// The library and its functions (NCCL's API, "Communicator Creation and Management", "Collective Communication Functions").
pub struct Nccl {
    /// The library, as it was opened.
    pub path: PathBuf,
    version: c_int,
    error: unsafe extern "C" fn(Status) -> *const c_char,
    pub(super) unique_id: unsafe extern "C" fn(*mut UniqueId) -> Status,
    pub(super) init_rank: unsafe extern "C" fn(*mut Handle, c_int, UniqueId, c_int) -> Status,
    pub(super) destroy: unsafe extern "C" fn(Handle) -> Status,
    pub(super) all_gather:
        unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, Handle, Stream) -> Status,
    pub(super) reduce_scatter: unsafe extern "C" fn(
        *const c_void,
        *mut c_void,
        usize,
        c_int,
        c_int,
        Handle,
        Stream,
    ) -> Status,
    /// Keeps the functions where they are.
    _library: Library,
}

impl Nccl {
    /// The library of this machine; the same one at every call.
    ///
    /// # Errors
    /// [`Error::Skipped`]: there is none, or none that can be used.
    pub fn find() -> Result<&'static Nccl, Error> {
        static FOUND: OnceLock<Result<Nccl, String>> = OnceLock::new();
        let found = FOUND.get_or_init(|| first("NCCL", candidates(), Nccl::open));
        found.as_ref().map_err(|reason| lacking(reason, INSTALL, &format!("{VARIABLE}=FILE")))
    }

    /// The version of the library, such as "2.21.5".
    pub fn version(&self) -> String {
        // From 2.9 on 10000, 100 and 1; before, 1000, 100 and 1 (nccl.h, NCCL_VERSION).
        let (major, rest) = match self.version {
            version if version >= 10_000 => (version / 10_000, version % 10_000),
            version => (version / 1000, version % 1000),
        };
        format!("{major}.{}.{}", rest / 100, rest % 100)
    }

    fn open(path: &Path) -> Result<Nccl, String> {
        let words = |error: libloading::Error| error.to_string();
        // SAFETY: loading NCCL runs only its own constructors, which expect nothing of the process.
        let library = unsafe { Library::new(path) }.map_err(words)?;
        // SAFETY: the types of these functions are those of nccl.h, unchanged since NCCL 2.0; they are called only while `library`
        // lives.
        unsafe {
            let version: unsafe extern "C" fn(*mut c_int) -> Status =
                *library.get(b"ncclGetVersion\0").map_err(words)?;
            let mut nccl = Nccl {
                path: path.to_path_buf(),
                version: 0,
                error: *library.get(b"ncclGetErrorString\0").map_err(words)?,
                unique_id: *library.get(b"ncclGetUniqueId\0").map_err(words)?,
                init_rank: *library.get(b"ncclCommInitRank\0").map_err(words)?,
                destroy: *library.get(b"ncclCommDestroy\0").map_err(words)?,
                all_gather: *library.get(b"ncclAllGather\0").map_err(words)?,
                reduce_scatter: *library.get(b"ncclReduceScatter\0").map_err(words)?,
                _library: library,
            };
            match version(&mut nccl.version) {
                0 => Ok(nccl),
                status => Err(nccl.words(status)),
            }
        }
    }

    fn words(&self, status: Status) -> String {
        // SAFETY: the function gives a text that lasts, whatever the number.
        let text = unsafe { (self.error)(status) };
        if text.is_null() {
            return format!("status {status}");
        }
        // SAFETY: it ends in a zero byte.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    /// Makes an [`Error`] of a status that is none of success.
    pub(super) fn check(
        &self,
        doing: impl FnOnce() -> String,
        status: Status,
    ) -> Result<(), Error> {
        match status {
            0 => Ok(()),
            status => Err(Error::Group {
                doing: doing(),
                message: format!(
                    "NCCL {}: {}; NCCL_DEBUG=INFO makes it say more",
                    self.version(),
                    self.words(status)
                ),
            }),
        }
    }
}

/// Every library that may be NCCL, in the order in which they are tried.
fn candidates() -> Vec<PathBuf> {
    search::libraries(VARIABLE, "target/nccl", |name| {
        name == "libnccl.so" || name.starts_with("libnccl.so.2")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_same_after_a_file() {
        let mut id = UniqueId::NONE;
        for (place, byte) in id.0.iter_mut().enumerate() {
            *byte = (place * 2) as u8 as c_char;
        }
        assert_eq!(UniqueId::from_bytes(&id.bytes()), Some(id));
        assert_eq!(UniqueId::from_bytes(&[0; 127]), None);
    }
}
