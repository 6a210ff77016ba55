//! NVIDIA's run-time compiler, from whichever library is found: CUDA C++ in, PTX and the exact GPU's cubin out.
//!
//! Bound by hand and not by cudarc: several versions must live side by side, and a missing library must be no panic.

mod find;

pub use find::{candidates, searched};

use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::OnceLock;

use libloading::Library;

use crate::code::search;
use crate::error::Error;

pub use crate::error::INSTALL;

/// Why there is no NVRTC on a Mac, and what works there; none on other systems.
pub const NONE_HERE: Option<&str> = if cfg!(target_os = "macos") {
    Some(
        "NVIDIA makes no NVRTC for macOS, so that no .cu can be compiled here; all committed kernels, \
         .ptx files of your own and the CPU ladder run, on the simulator and the CPU",
    )
} else {
    None
};

/// How to get an NVRTC, or why there is none.
pub fn remedy() -> String {
    match NONE_HERE {
        Some(why) => why.to_string(),
        None => format!("get one with `cargo run -p harness -- setup`, which runs\n  {INSTALL}"),
    }
}

/// The folder in which [`INSTALL`] is typed.
pub fn workspace() -> PathBuf {
    search::in_workspace("")
}

/// `nvrtcProgram`: a handle that only NVRTC looks into.
type Program = *mut std::ffi::c_void;
/// `nvrtcResult`; 0 is success.
type Status = c_int;

/// Declares the functions that are used of the library, and how to find them in it. (nvrtc.h, CUDA 11.2 and later.)
macro_rules! functions {
    ($($field:ident = $symbol:ident($($argument:ty),*) -> $result:ty;)*) => {
        struct Functions {
            $($field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Functions {
            fn find(library: &Library) -> Result<Functions, libloading::Error> {
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

/// A loaded NVRTC.
pub struct Nvrtc {
    path: PathBuf,
    version: Version,
    architectures: Vec<u32>,
    /// The full version, or why nothing can be compiled; found out when first asked for.
    release: OnceLock<Result<String, String>>,
    functions: Functions,
    /// Never unloaded: the compiler leaves handlers behind that run when a thread or the process ends.
    _libraries: ManuallyDrop<Vec<Library>>,
}

/// Major and minor version of an NVRTC, e.g. 11.8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The CUDA release.
    pub major: u32,
    /// Its minor number.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The compiler's full version, from the comment that NVRTC writes into its PTX, e.g. "11.8.89".
fn compiler_version(text: &str) -> Option<&str> {
    let comment =
        text.lines().find(|line| line.starts_with("// Cuda compilation tools, release "))?;
    Some(comment.rsplit_once(", V")?.1.trim())
}

/// What a compiler made of a source.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// PTX, without an end mark.
    pub ptx: String,
    /// The GPU's own code, where the options name a real architecture (`sm_90`).
    pub cubin: Option<Vec<u8>>,
    /// The compiler's full version, e.g. "11.8.89".
    pub version: String,
    /// Warnings, if any.
    pub log: String,
}

/// Every NVRTC that can be opened, in the order in which they are tried.
pub fn find_all() -> Vec<Nvrtc> {
    candidates().iter().filter_map(|path| Nvrtc::open(path).ok()).collect()
}

/// [`find_all`], once for the process.
pub fn installed() -> &'static [Nvrtc] {
    static INSTALLED: OnceLock<Vec<Nvrtc>> = OnceLock::new();
    INSTALLED.get_or_init(find_all)
}

impl Nvrtc {
    /// Opens a library by its path.
    pub fn open(path: &Path) -> Result<Nvrtc, Error> {
        let bad = |message: String| Error::BadNvrtc { path: path.to_path_buf(), message };
        // NVRTC asks the loader for its builtins by name, and not every build can find them beside itself (the wheels
        // of 13.0 cannot). Loaded first by path, they are found.
        let mut libraries: Vec<Library> = find::builtins_beside(path)
            .iter()
            // SAFETY: the builtins are data and functions for NVRTC; loading them runs nothing of their own.
            .filter_map(|builtins| unsafe { Library::new(builtins) }.ok())
            .collect();
        // SAFETY: loading NVRTC runs only its own constructors, which expect nothing of the process.
        let library = unsafe { Library::new(path) }
            .map_err(|error| bad(format!("cannot be loaded: {error}")))?;
        let functions = Functions::find(&library)
            .map_err(|error| bad(format!("is no NVRTC of CUDA 11.2 or later: {error}")))?;
        libraries.push(library);

        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to integers that live through the call.
        let status = unsafe { (functions.version)(&mut major, &mut minor) };
        functions.check(status).map_err(&bad)?;
        let architectures = functions.supported().map_err(&bad)?;
        Ok(Nvrtc {
            path: path.to_path_buf(),
            version: Version { major: major.unsigned_abs(), minor: minor.unsigned_abs() },
            architectures,
            release: OnceLock::new(),
            functions,
            _libraries: ManuallyDrop::new(libraries),
        })
    }

    /// The library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The architectures that it compiles for, ascending, e.g. 50, 52, … 90.
    pub fn architectures(&self) -> &[u32] {
        &self.architectures
    }

    /// Its full version, e.g. "11.8.89", which only its output states: so nothing is compiled, once. An error is that of a
    /// library that opens and yet cannot compile, since its builtins are missing.
    pub fn release(&self) -> Result<&str, Error> {
        let release = self.release.get_or_init(|| {
            let target = self.architectures.last().copied().unwrap_or_default();
            let options = [format!("--gpu-architecture=compute_{target}")];
            match self.compile("/nothing.cu", "", &options) {
                Ok(compiled) => Ok(compiled.version),
                Err(error) => Err(error.to_string()),
            }
        });
        match release {
            Ok(version) => Ok(version),
            Err(message) => {
                Err(Error::BadNvrtc { path: self.path.clone(), message: message.clone() })
            }
        }
    }

    /// Compiles CUDA C++. `name` stands for the source in messages and line information; the options name the target.
    pub fn compile(&self, name: &str, source: &str, options: &[String]) -> Result<Compiled, Error> {
        self.compile_with(name, source, &[], options)
    }

    /// Compiles a text; `headers` are names and texts of what it includes.
    pub(crate) fn compile_with(
        &self,
        name: &str,
        source: &str,
        headers: &[(String, String)],
        options: &[String],
    ) -> Result<Compiled, Error> {
        let rejected = |log: String| Error::Compile {
            name: name.to_string(),
            compiler: format!("NVRTC {}", self.version),
            log,
        };
        let text = |text: &str, what: &str| {
            CString::new(text).map_err(|_| rejected(format!("the {what} contains a zero byte")))
        };
        let (c_name, c_source) = (text(name, "name")?, text(source, "source")?);
        // From 12.9 on NVRTC keeps what it compiled, also on disk, and was seen (13.0.88) to hand out code that it had made
        // of the same source without `--use_fast_math`.
        let no_cache =
            ((self.version.major, self.version.minor) >= (12, 9)).then_some("--no-cache");
        let options = options
            .iter()
            .map(String::as_str)
            .chain(no_cache)
            .map(|option| text(option, "option"))
            .collect::<Result<Vec<CString>, Error>>()?;

        let headers = headers
            .iter()
            .map(|(name, header)| Ok((text(name, "name")?, text(header, "header")?)))
            .collect::<Result<Vec<(CString, CString)>, Error>>()?;

        let program = self.functions.program(&c_name, &c_source, &headers).map_err(rejected)?;
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let count = c_int::try_from(pointers.len())
            .map_err(|_| rejected("too many options".to_string()))?;
        // SAFETY: the program lives, and `pointers` holds `count` texts that `options` keeps alive.
        let status = unsafe { (self.functions.compile)(program.handle, count, pointers.as_ptr()) };
        let log = program.text(self.functions.log_size, self.functions.log);
        if let Err(message) = self.functions.check(status) {
            return Err(rejected(match log {
                Ok(log) if !log.trim().is_empty() => log,
                _ => message,
            }));
        }
        let ptx = program.text(self.functions.ptx_size, self.functions.ptx).map_err(rejected)?;
        let ptx = without_folder(&ptx);
        let cubin =
            program.bytes(self.functions.cubin_size, self.functions.cubin).map_err(rejected)?;
        let version =
            compiler_version(&ptx).map_or_else(|| self.version.to_string(), str::to_string);
        Ok(Compiled {
            ptx,
            cubin: (!cubin.is_empty()).then_some(cubin),
            version,
            log: log.unwrap_or_default(),
        })
    }
}

/// PTX that does not say in which folder the compiler ran: NVRTC puts the header of its own, which kernels with textures
/// use, there.
fn without_folder(ptx: &str) -> String {
    let line = |line: &str| match line.rsplit_once(['/', '\\']) {
        Some((before, BUILTIN)) if before.trim_start().starts_with(".file") => {
            let number = before.split('"').next().unwrap_or_default();
            format!("{number}\"/{BUILTIN}")
        }
        _ => line.to_owned(),
    };
    ptx.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// How such a line ends.
const BUILTIN: &str = "__nv_nvrtc_builtin_header.h\"";

impl fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NVRTC {} ({})", self.version, self.path.display())
    }
}

impl Functions {
    fn check(&self, status: Status) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: NVRTC answers any number with a text of its own that is never freed.
        let text = unsafe { CStr::from_ptr((self.error_text)(status)) };
        Err(text.to_string_lossy().into_owned())
    }

    fn supported(&self) -> Result<Vec<u32>, String> {
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

    fn program(
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
struct Compilation<'a> {
    functions: &'a Functions,
    handle: Program,
}

impl Compilation<'_> {
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

#[cfg(test)]
mod tests {
    #[test]
    fn the_compilers_version_is_read_from_its_ptx() {
        let comment = "//\n// Cuda compilation tools, release 12.4, V12.4.127\n";
        assert_eq!(super::compiler_version(comment), Some("12.4.127"));
        assert_eq!(super::compiler_version(".version 7.8"), None);
    }

    #[test]
    fn ptx_does_not_say_where_it_was_compiled() {
        let lines = |folder: &str| {
            format!(
                "\t.file\t1 \"/kernels/a.cu\"\n\t.file\t2 \"{folder}__nv_nvrtc_builtin_header.h\"\nret;\n"
            )
        };
        assert_eq!(super::without_folder(&lines("/home/me/")), lines("/"));
        assert_eq!(super::without_folder(&lines("C:\\me\\")), lines("/"));
    }
}
