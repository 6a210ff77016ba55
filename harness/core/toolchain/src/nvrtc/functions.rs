//! The functions of the library, and programs that they make.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use crate::library::{self, Library};

/// `nvrtcProgram`: a handle that only NVRTC looks into.
type Program = *mut c_void;
/// `nvrtcResult`; 0 is success.
type Status = c_int;

/// Declares the functions that are used of the library, and how to find them in it. (nvrtc.h, CUDA 11.2 and later.)
macro_rules! functions {
    ($($field:ident = $symbol:ident($($argument:ty),*) -> $result:ty;)*) => {
        /// The functions, as long as the library is loaded.
        pub struct Functions {
            $($field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Functions {
            /// Finds all of them.
            ///
            /// # Errors
            /// One is missing.
            pub fn find(library: &Library) -> Result<Functions, library::Error> {
                $(
                    // SAFETY: the type is that of nvrtc.h, which has not changed since CUDA 11.2.
                    let $field = *unsafe {
                        library.get::<unsafe extern "C" fn($($argument),*) -> $result>(
                            concat!(stringify!($symbol), "\0").as_bytes(),
                        )
                    }?;
                )*
                Ok(Functions { $($field),* })
            }
        }
    };
}

functions! {
    version = nvrtcVersion(*mut c_int, *mut c_int) -> Status;
    architecture_count = nvrtcGetNumSupportedArchs(*mut c_int) -> Status;
    architectures = nvrtcGetSupportedArchs(*mut c_int) -> Status;
    error_text = nvrtcGetErrorString(Status) -> *const c_char;
    create = nvrtcCreateProgram(*mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char) -> Status;
    compile = nvrtcCompileProgram(Program, c_int, *const *const c_char) -> Status;
    destroy = nvrtcDestroyProgram(*mut Program) -> Status;
    log_size = nvrtcGetProgramLogSize(Program, *mut usize) -> Status;
    log = nvrtcGetProgramLog(Program, *mut c_char) -> Status;
    ptx_size = nvrtcGetPTXSize(Program, *mut usize) -> Status;
    ptx = nvrtcGetPTX(Program, *mut c_char) -> Status;
    cubin_size = nvrtcGetCUBINSize(Program, *mut usize) -> Status;
    cubin = nvrtcGetCUBIN(Program, *mut c_char) -> Status;
}

impl Functions {
    /// Major and minor version.
    pub fn release(&self) -> Result<(u32, u32), String> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to integers that live through the call.
        self.check(unsafe { (self.version)(&mut major, &mut minor) })?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }

    fn check(&self, status: Status) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: NVRTC answers any number with a text of its own that is never freed.
        let text = unsafe { CStr::from_ptr((self.error_text)(status)) };
        Err(text.to_string_lossy().into_owned())
    }

    /// The architectures that it compiles for, ascending.
    pub fn supported(&self) -> Result<Vec<u32>, String> {
        let mut count = 0;
        // SAFETY: the pointer is to an integer that lives through the call.
        self.check(unsafe { (self.architecture_count)(&mut count) })?;
        let mut numbers = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: NVRTC writes as many numbers as it has just counted.
        self.check(unsafe { (self.architectures)(numbers.as_mut_ptr()) })?;
        let mut numbers: Vec<u32> = numbers.into_iter().map(c_int::unsigned_abs).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// A program of a source; `headers` are names and texts of what it includes.
    pub fn program(
        &self,
        name: &CStr,
        source: &CStr,
        headers: &[(CString, CString)],
    ) -> Result<Compilation<'_>, String> {
        let mut handle = ptr::null_mut();
        let (names, texts): (Vec<*const c_char>, Vec<*const c_char>) =
            headers.iter().map(|(name, text)| (name.as_ptr(), text.as_ptr())).unzip();
        let count = c_int::try_from(headers.len()).map_err(|_| "too many headers".to_string())?;
        let (source, name) = (source.as_ptr(), name.as_ptr());
        // SAFETY: all texts end in a zero byte and are copied, and the two lists have `count` of them each.
        let status = unsafe {
            (self.create)(&mut handle, source, name, count, texts.as_ptr(), names.as_ptr())
        };
        self.check(status)?;
        Ok(Compilation { functions: self, handle })
    }
}

/// A program that is destroyed when dropped.
pub struct Compilation<'a> {
    functions: &'a Functions,
    handle: Program,
}

impl Compilation<'_> {
    /// Compiles the program.
    pub fn compile(&self, options: &[CString]) -> Result<(), String> {
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).map_err(|_| "too many options".to_string())?;
        // SAFETY: the program lives, and `pointers` holds `count` texts that `options` keeps alive.
        let status = unsafe { (self.functions.compile)(self.handle, count, pointers.as_ptr()) };
        self.functions.check(status)
    }

    /// What the compiler said.
    pub fn log(&self) -> Result<String, String> {
        self.text(self.functions.log_size, self.functions.log)
    }

    /// The PTX, once it is compiled.
    pub fn ptx(&self) -> Result<String, String> {
        self.text(self.functions.ptx_size, self.functions.ptx)
    }

    /// The code for one architecture, once it is compiled; empty where the options name a virtual one.
    pub fn cubin(&self) -> Result<Vec<u8>, String> {
        self.bytes(self.functions.cubin_size, self.functions.cubin)
    }

    /// A result, by the pair of functions that give its size and its bytes.
    fn bytes(
        &self,
        size: unsafe extern "C" fn(Program, *mut usize) -> Status,
        get: unsafe extern "C" fn(Program, *mut c_char) -> Status,
    ) -> Result<Vec<u8>, String> {
        let mut count = 0;
        // SAFETY: the program lives, and the pointer is to an integer that lives through the call.
        self.functions.check(unsafe { size(self.handle, &mut count) })?;
        let mut bytes = vec![0u8; count];
        if count > 0 {
            // SAFETY: NVRTC writes as many bytes as it has just counted.
            let status = unsafe { get(self.handle, bytes.as_mut_ptr().cast()) };
            self.functions.check(status)?;
        }
        Ok(bytes)
    }

    /// A result that is a text, without its end mark.
    fn text(
        &self,
        size: unsafe extern "C" fn(Program, *mut usize) -> Status,
        get: unsafe extern "C" fn(Program, *mut c_char) -> Status,
    ) -> Result<String, String> {
        let mut bytes = self.bytes(size, get)?;
        if bytes.last() == Some(&0) {
            bytes.pop();
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Compilation<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` and is destroyed only here.
        unsafe { (self.functions.destroy)(&mut self.handle) };
    }
}
