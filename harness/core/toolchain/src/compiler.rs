//! What compiles CUDA C++: NVIDIA's NVRTC or clang. Both take NVRTC's options, and what they make of a source and say of its
//! errors has the same form.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use processes::confine::Limits;

use crate::clang::{self, Clang};
use crate::error::Error;
use crate::nvrtc::{self, Compiled, Nvrtc};

/// The environment variable with the compiler that is to be used, and no other.
pub const VARIABLE: &str = "LADDER_COMPILER";

/// Who makes a compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    /// NVIDIA's run-time compiler.
    Nvrtc,
    /// LLVM's compiler.
    Clang,
}

impl FromStr for Maker {
    type Err = Error;

    fn from_str(text: &str) -> Result<Maker, Error> {
        match text {
            "nvrtc" => Ok(Maker::Nvrtc),
            "clang" => Ok(Maker::Clang),
            _ => Err(Error::UnknownCompiler(text.to_string())),
        }
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Maker::Nvrtc => "nvrtc",
            Maker::Clang => "clang",
        })
    }
}

static CHOSEN: OnceLock<Maker> = OnceLock::new();

/// Sets [`chosen`] for this process, whatever the variable says. Only the first call counts.
pub fn choose(maker: Maker) {
    let _ = CHOSEN.set(maker);
}

/// The compiler that is to be used, and no other: as [`choose`] or [`VARIABLE`] says. None leaves the choice: NVRTC where it is.
///
/// # Errors
/// The variable names none.
pub fn chosen() -> Result<Option<Maker>, Error> {
    if let Some(maker) = CHOSEN.get() {
        return Ok(Some(*maker));
    }
    match std::env::var(VARIABLE) {
        Ok(text) if !text.is_empty() && text != "auto" => text.parse().map(Some),
        _ => Ok(None),
    }
}

/// A compiler of this machine.
#[derive(Debug, Clone, Copy)]
pub enum Compiler<'c> {
    /// A library of NVIDIA's.
    Nvrtc(&'c Nvrtc),
    /// A program of LLVM's.
    Clang(&'c Clang),
}

impl<'c> From<&'c Nvrtc> for Compiler<'c> {
    fn from(nvrtc: &'c Nvrtc) -> Compiler<'c> {
        Compiler::Nvrtc(nvrtc)
    }
}

impl<'c> From<&'c Clang> for Compiler<'c> {
    fn from(clang: &'c Clang) -> Compiler<'c> {
        Compiler::Clang(clang)
    }
}

impl Compiler<'_> {
    /// Who makes it.
    pub fn maker(&self) -> Maker {
        match self {
            Compiler::Nvrtc(_) => Maker::Nvrtc,
            Compiler::Clang(_) => Maker::Clang,
        }
    }

    /// Its name and `version`, e.g. "NVRTC 11.8.89".
    pub fn named(&self, version: &str) -> String {
        match self {
            Compiler::Nvrtc(_) => format!("NVRTC {version}"),
            Compiler::Clang(_) => format!("clang {version}"),
        }
    }

    /// Its name, and as much of its version as it says before it compiles anything: "NVRTC 11.8", "clang 22.1.8".
    pub(crate) fn short_name(&self) -> String {
        match self {
            Compiler::Nvrtc(nvrtc) => self.named(&nvrtc.version().to_string()),
            Compiler::Clang(clang) => self.named(clang.release()),
        }
    }

    /// The architectures that it compiles for, ascending, e.g. 50, 52, … 90.
    pub fn architectures(&self) -> &[u32] {
        match self {
            Compiler::Nvrtc(nvrtc) => nvrtc.architectures(),
            Compiler::Clang(clang) => clang.architectures(),
        }
    }

    /// Whether it can compile.
    pub(crate) fn works(&self) -> bool {
        match self {
            Compiler::Nvrtc(nvrtc) => nvrtc.release().is_ok(),
            // It was tried when it was found.
            Compiler::Clang(_) => true,
        }
    }

    /// The oldest CUDA release whose driver reads its PTX for an architecture, e.g. 90.
    pub(crate) fn needs_cuda(&self, architecture: u32) -> (u32, u32) {
        match self {
            Compiler::Nvrtc(nvrtc) => (nvrtc.version().major, nvrtc.version().minor),
            Compiler::Clang(_) => clang::needs_cuda(architecture),
        }
    }

    /// Compiles a text; `headers` are names and texts of what it includes.
    pub(crate) fn compile_with(
        &self,
        name: &str,
        source: &str,
        headers: &[(String, String)],
        options: &[String],
    ) -> Result<Compiled, Error> {
        match self {
            Compiler::Nvrtc(nvrtc) => nvrtc.compile_with(name, source, headers, options),
            Compiler::Clang(clang) => clang.compile_with(name, source, headers, options),
        }
    }
}

/// Where compilers are looked for, when one is needed: finding them takes time.
#[derive(Clone, Copy)]
pub struct Compilers {
    /// Every NVRTC, in the order in which they are tried.
    pub nvrtc: fn() -> &'static [Nvrtc],
    /// Every clang.
    pub clang: fn() -> &'static [Clang],
}

/// Those of this machine.
pub const INSTALLED: Compilers = Compilers { nvrtc: nvrtc::installed, clang: clang::installed };

/// Whether this machine can compile CUDA C++, with the compiler that is [`chosen`] if one is.
pub fn is_here() -> bool {
    let is_there = |maker: Maker| match maker {
        Maker::Nvrtc => !nvrtc::installed().is_empty(),
        Maker::Clang => !clang::installed().is_empty(),
    };
    match chosen() {
        Ok(Some(maker)) => is_there(maker),
        Ok(None) => is_there(Maker::Nvrtc) || is_there(Maker::Clang),
        Err(_) => false,
    }
}

/// Whether clang is what compiles here: it is chosen, or found where there is no NVRTC.
///
/// # Errors
/// As for [`chosen`].
pub fn clang_compiles() -> Result<bool, Error> {
    let no_nvrtc_works = || nvrtc::installed().iter().all(|nvrtc| nvrtc.release().is_err());
    Ok(match chosen()? {
        Some(maker) => maker == Maker::Clang,
        None => no_nvrtc_works() && !clang::installed().is_empty(),
    })
}

/// Finds the compilers of this machine for a process that will soon have no files, and starts what runs clang within `limits`
/// for one that may soon start no programs.
///
/// # Errors
/// The variable names no compiler, or nothing can be started.
pub fn before_confinement(limits: &Limits) -> Result<(), Error> {
    for nvrtc in nvrtc::installed() {
        let _ = nvrtc.release();
    }
    if let Some(clang) = clang::installed().first().filter(|_| clang_compiles().unwrap_or(false)) {
        let path = clang.path().to_path_buf();
        clang::start_server(limits).map_err(|source| Error::Read { path, source })?;
    }
    Ok(())
}

/// How to get a compiler: [`chosen`], or the one that suits this system.
pub fn remedy() -> String {
    match chosen() {
        Ok(Some(Maker::Clang)) => clang::remedy(),
        Ok(None) if nvrtc::NONE_HERE.is_some() => clang::remedy(),
        _ => nvrtc::remedy(),
    }
}
