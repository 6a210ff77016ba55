//! The functions of cuDNN's graph API, and the descriptors that it is made of (cuDNN's guide, "cudnn_graph Library").

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use libloading::Library;

use crate::error::Error;

/// `cudnnStatus_t`: 0 is success, and thousands are kinds of failures.
pub(super) type Status = c_int;

/// The thousand of what the library does not have, `CUDNN_STATUS_NOT_SUPPORTED`.
const NOT_SUPPORTED: Status = 3;

/// What may help then.
const REMEDY: &str = "use a GPU of compute capability 8.0 or later, and put the folder of libnvrtc, by which it compiles kernels, \
                      on LD_LIBRARY_PATH";

/// A handle, or a descriptor.
pub(super) type Object = *mut c_void;

type Create = unsafe extern "C" fn(*mut Object) -> Status;
type Act = unsafe extern "C" fn(Object) -> Status;
type Make = unsafe extern "C" fn(kind: c_int, *mut Object) -> Status;
type Set = unsafe extern "C" fn(Object, c_int, of: c_int, i64, *const c_void) -> Status;
type Get = unsafe extern "C" fn(Object, c_int, of: c_int, i64, *mut i64, *mut c_void) -> Status;
type Execute = unsafe extern "C" fn(handle: Object, plan: Object, pack: Object) -> Status;

/// The library and its functions.
pub(super) struct Functions {
    /// The library, as it was opened.
    pub(super) path: PathBuf,
    /// Version, such as "9.14.0".
    pub(super) version: String,
    pub(super) create: Create,
    pub(super) destroy: Act,
    pub(super) make: Make,
    pub(super) end: Act,
    pub(super) set: Set,
    pub(super) get: Get,
    pub(super) finalize: Act,
    pub(super) execute: Execute,
    pub(super) name: unsafe extern "C" fn(Status) -> *const c_char,
    pub(super) last: unsafe extern "C" fn(*mut c_char, usize),
    /// Keeps the functions where they are.
    pub(super) _library: Option<Library>,
}

impl Functions {
    pub(super) fn load(path: &Path) -> Result<Functions, String> {
        let words = |error: libloading::Error| error.to_string();
        // SAFETY: loading cuDNN runs only its own constructors, which expect nothing of the process.
        let library = unsafe { Library::new(path) }.map_err(words)?;
        // SAFETY: the types of these functions are those of cudnn_graph.h of version 9, which alone has the last one; they are
        // called only while the library lives.
        let functions = unsafe {
            let version: unsafe extern "C" fn() -> usize =
                *library.get(b"cudnnGetVersion\0").map_err(words)?;
            Functions {
                path: path.to_path_buf(),
                version: release(version()),
                create: *library.get(b"cudnnCreate\0").map_err(words)?,
                destroy: *library.get(b"cudnnDestroy\0").map_err(words)?,
                make: *library.get(b"cudnnBackendCreateDescriptor\0").map_err(words)?,
                end: *library.get(b"cudnnBackendDestroyDescriptor\0").map_err(words)?,
                set: *library.get(b"cudnnBackendSetAttribute\0").map_err(words)?,
                get: *library.get(b"cudnnBackendGetAttribute\0").map_err(words)?,
                finalize: *library.get(b"cudnnBackendFinalize\0").map_err(words)?,
                execute: *library.get(b"cudnnBackendExecute\0").map_err(words)?,
                name: *library.get(b"cudnnGetErrorString\0").map_err(words)?,
                last: *library.get(b"cudnnGetLastErrorString\0").map_err(words)?,
                _library: None,
            }
        };
        Ok(Functions { _library: Some(library), ..functions })
    }

    /// A handle for the GPU whose context is bound. It works on the default stream.
    pub(super) fn open(&self) -> Result<Object, Error> {
        let mut handle = null_mut();
        // SAFETY: the pointer is to a handle that lives through the call.
        self.check("opening", unsafe { (self.create)(&mut handle) })?;
        Ok(handle)
    }

    /// Ends it.
    pub(super) fn close(&self, handle: Object) {
        // SAFETY: the caller is the handle's only owner.
        let _ = unsafe { (self.destroy)(handle) };
    }

    /// What is said of something that the library does not have.
    pub(super) fn has_no(&self, what: &str) -> Error {
        Error::Skipped {
            reason: format!("cuDNN {} has no {what} here", self.version),
            remedy: REMEDY.to_owned(),
        }
    }

    /// Makes an [`Error`] of a status that is none of success.
    pub(super) fn check(&self, doing: &str, status: Status) -> Result<(), Error> {
        if status == 0 {
            return Ok(());
        }
        let mut last = [0u8; 1024];
        // SAFETY: the name is a text that lasts and ends in a zero byte, whatever the status; the other text is written here, no
        // longer than is said.
        let name = unsafe {
            (self.last)(last.as_mut_ptr().cast(), last.len());
            CStr::from_ptr((self.name)(status))
        };
        let last = CStr::from_bytes_until_nul(&last).unwrap_or_default();
        let (name, last) = (name.to_string_lossy(), last.to_string_lossy());
        let says = format!("{name} ({})", last.trim());
        Err(match status / 1000 {
            NOT_SUPPORTED => self.has_no(&format!("attention of this size ({says})")),
            _ => Error::Fault(format!("{doing} cuDNN {}: {says}", self.version)),
        })
    }
}

/// "9.14.0" of what `cudnnGetVersion` says, 91400.
fn release(version: usize) -> String {
    format!("{}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}

/// An attribute of a descriptor, whose values have this type: `cudnnBackendAttributeName_t` and `cudnnBackendAttributeType_t`.
#[derive(Clone, Copy)]
pub(super) struct Attribute<T> {
    name: c_int,
    of: c_int,
    values: PhantomData<T>,
}

impl<T> Attribute<T> {
    pub(super) const fn new(name: c_int, of: c_int) -> Attribute<T> {
        Attribute { name, of, values: PhantomData }
    }
}

/// A descriptor; destroyed when dropped.
pub(super) struct Descriptor {
    functions: &'static Functions,
    pub(super) object: Object,
}

impl Descriptor {
    /// Of a kind that is a `cudnnBackendDescriptorType_t`.
    pub(super) fn new(functions: &'static Functions, kind: c_int) -> Result<Descriptor, Error> {
        let mut object = null_mut();
        // SAFETY: the pointer is to a descriptor that lives through the call.
        functions.check("describing to", unsafe { (functions.make)(kind, &mut object) })?;
        Ok(Descriptor { functions, object })
    }

    /// With these values of an attribute.
    pub(super) fn with<T>(self, attribute: Attribute<T>, values: &[T]) -> Result<Self, Error> {
        let Attribute { name, of, .. } = attribute;
        // SAFETY: the attribute's values have this type, their number is given, and the library copies them.
        let status = unsafe {
            let count = values.len() as i64;
            (self.functions.set)(self.object, name, of, count, values.as_ptr().cast())
        };
        self.functions.check(&format!("attribute {name} of"), status)?;
        Ok(self)
    }

    /// All attributes are set.
    pub(super) fn finalized(self, what: &str) -> Result<Descriptor, Error> {
        // SAFETY: the descriptor is the library's own and lives.
        self.functions.check(what, unsafe { (self.functions.finalize)(self.object) })?;
        Ok(self)
    }

    /// Reads values of an attribute; how many there are.
    pub(super) fn read<T>(
        &self,
        attribute: Attribute<T>,
        values: &mut [T],
    ) -> Result<usize, Error> {
        let Attribute { name, of, .. } = attribute;
        let mut found = 0;
        // SAFETY: the attribute's values have this type, and there is room for that number.
        let status = unsafe {
            let room = values.len() as i64;
            (self.functions.get)(
                self.object,
                name,
                of,
                room,
                &mut found,
                values.as_mut_ptr().cast(),
            )
        };
        self.functions.check(&format!("attribute {name} of"), status)?;
        Ok(found.max(0) as usize)
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: this is its only owner.
        let _ = unsafe { (self.functions.end)(self.object) };
    }
}

#[test]
fn a_release_has_three_numbers() {
    assert_eq!(release(91_400), "9.14.0");
}
