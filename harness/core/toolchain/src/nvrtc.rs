//! NVIDIA's run-time compiler, from whichever library is found: CUDA C++ in, PTX and the exact GPU's cubin out.
//!
//! Bound by hand and not by cudarc: several versions must live side by side, and a missing library must be no panic.

mod find;
mod functions;

pub use find::{candidates, searched};

use std::ffi::CString;
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::error::Error;
use crate::library::Library;
use crate::search;
use functions::Functions;

pub use crate::error::INSTALL;

/// Why there is no NVRTC on a Mac, and what works there; none on other systems.
pub const NONE_HERE: Option<&str> = if cfg!(target_os = "macos") {
    Some(
        "NVIDIA makes no NVRTC for macOS; clang compiles kernels here (`cargo run -p harness -- setup` gets it), and all \
         committed kernels, .ptx files of your own and the CPU ladder run without any, on the simulator and the CPU",
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
    /// Major number: the 11 of 11.8.
    pub major: u32,
    /// Minor number: the 8 of 11.8.
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
        let bad = |message: String| Error::BadCompiler { path: path.to_path_buf(), message };
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

        let (major, minor) = functions.release().map_err(&bad)?;
        let architectures = functions.supported().map_err(&bad)?;
        Ok(Nvrtc {
            path: path.to_path_buf(),
            version: Version { major, minor },
            architectures,
            release: OnceLock::new(),
            functions,
            _libraries: ManuallyDrop::new(libraries),
        })
    }

    /// Path of the library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Version, major and minor.
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
                Err(Error::BadCompiler { path: self.path.clone(), message: message.clone() })
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
        let compiled = program.compile(&options);
        let log = program.log();
        if let Err(message) = compiled {
            return Err(rejected(match log {
                Ok(log) if !log.trim().is_empty() => log,
                _ => message,
            }));
        }
        let ptx = without_folder(&program.ptx().map_err(rejected)?);
        let cubin = program.cubin().map_err(rejected)?;
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
