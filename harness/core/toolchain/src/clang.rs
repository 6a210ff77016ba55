//! LLVM's compiler: CUDA C++ in, PTX out, with no file of NVIDIA's. What kernels use of CUDA is in this crate's folder `cuda/`:
//! `cuda.cuh` and the headers that it includes are read before every kernel, those of `include/` by their names in CUDA.
//!
//! A clang without a back end for NVIDIA's GPUs makes LLVM IR, of which the crate `ir` makes PTX.
//!
//! Its front end is started with `-cc1`, which takes options for the target directly and looks for no CUDA installation.

mod find;
mod options;
mod run;
mod text;

pub use find::{INSTALL, candidates, searched};
pub use run::{Job, Ran, provide, serve, start_server};

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::error::Error;
use crate::nvrtc::Compiled;
use crate::ptx;
use run::{OWN, SOURCE};

/// The oldest version that knows all that the headers use: atomics with a scope.
const OLDEST: u32 = 18;

/// The oldest version whose LLVM IR the crate `ir` reads: kernels have a calling convention.
const OLDEST_WITHOUT_BACK_END: u32 = 20;

/// The architectures that a front end knows in any case.
const OF_FRONT_END: [u32; 12] = [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 90];

/// What a kernel of CUDA's is compiled for.
const TARGET: [&str; 3] = ["-cc1", "-triple", "nvptx64-nvidia-cuda"];

/// The headers that kernels get, by their names in the folder `cuda/`.
const HEADERS: [(&str, &str); 33] = {
    macro_rules! header {
        ($name:literal) => {
            ($name, include_str!(concat!("../cuda/", $name)))
        };
    }
    [
        header!("cuda.cuh"),
        header!("vectors.cuh"),
        header!("bits.cuh"),
        header!("rounding.cuh"),
        header!("math.cuh"),
        header!("exponentials.cuh"),
        header!("angles.cuh"),
        header!("errors.cuh"),
        header!("bessel.cuh"),
        header!("lanes.cuh"),
        header!("threads.cuh"),
        header!("atomics.cuh"),
        header!("memory.cuh"),
        header!("textures.cuh"),
        header!("surfaces.cuh"),
        header!("narrow.cuh"),
        header!("include/cuda_runtime.h"),
        header!("include/cuda_fp16.h"),
        header!("include/cuda_bf16.h"),
        header!("include/cooperative_groups.h"),
        header!("include/cooperative_groups/reduce.h"),
        header!("include/cooperative_groups/memcpy_async.h"),
        header!("include/mma.h"),
        header!("include/cuda_pipeline.h"),
        header!("include/cuda/atomic"),
        header!("include/cuda/barrier"),
        header!("include/cuda/pipeline"),
        header!("include/cuda/std/atomic"),
        header!("include/cuda/std/cstddef"),
        header!("include/cuda/std/cstdint"),
        header!("include/cuda/std/limits"),
        header!("include/cuda/std/type_traits"),
        header!("include/cuda/std/utility"),
    ]
};

/// A clang that compiles for NVIDIA's GPUs.
pub struct Clang {
    path: PathBuf,
    release: String,
    architectures: Vec<u32>,
    /// Whether it makes PTX itself.
    has_back_end: bool,
}

/// How to get a clang.
pub fn remedy() -> String {
    format!(
        "get one with `cargo run -p harness -- setup --compiler clang`, which runs\n  {INSTALL}"
    )
}

/// Every clang that can be used, in the order in which they are tried.
pub fn find_all() -> Vec<Clang> {
    if let Some(provided) = run::provided() {
        return vec![Clang {
            path: PathBuf::from("clang"),
            release: provided.release.clone(),
            architectures: OF_FRONT_END.to_vec(),
            has_back_end: false,
        }];
    }
    candidates().iter().filter_map(|path| Clang::open(path).ok()).collect()
}

/// [`find_all`], once for the process.
pub fn installed() -> &'static [Clang] {
    static INSTALLED: OnceLock<Vec<Clang>> = OnceLock::new();
    INSTALLED.get_or_init(find_all)
}

/// The oldest CUDA release whose driver reads the PTX that is made for an architecture.
pub(crate) fn needs_cuda(architecture: u32) -> (u32, u32) {
    ptx::needs_cuda(options::ptx_version(architecture))
}

impl Clang {
    /// Asks a program what it is.
    ///
    /// # Errors
    /// It cannot be run, is no clang, is too old, or does not compile for NVIDIA's GPUs.
    pub fn open(path: &Path) -> Result<Clang, Error> {
        let bad = |message: String| Error::BadCompiler {
            path: path.to_path_buf(),
            message: format!("{message}; {}", remedy()),
        };
        let ask = |words: &[&str]| {
            let output = run::program(path).args(words).output();
            let output = output.map_err(|error| {
                bad(format!(
                    "cannot be run: {error}. Where a download broke off, remove its folder first"
                ))
            })?;
            Ok::<_, Error>(
                String::from_utf8_lossy(&output.stdout).into_owned()
                    + &String::from_utf8_lossy(&output.stderr),
            )
        };
        let said = ask(&["--version"])?;
        let release = text::release(&said)
            .ok_or_else(|| bad("is no clang: it does not answer --version as one".to_string()))?;
        let known = ask(&[&TARGET[..], &["-print-supported-cpus"]].concat())?;
        let architectures = text::architectures(&known);
        let major = release.split('.').next().and_then(|it| it.parse().ok()).unwrap_or(0);
        if architectures.is_empty() && major < OLDEST_WITHOUT_BACK_END {
            let what = said.lines().next().unwrap_or_default().trim();
            return Err(bad(format!(
                "{what} was built without its NVPTX back end; such a clang must be clang \
                 {OLDEST_WITHOUT_BACK_END} or newer"
            )));
        }
        if major < OLDEST {
            return Err(bad(format!(
                "is clang {release}, and kernels need clang {OLDEST} or newer"
            )));
        }
        let has_back_end = !architectures.is_empty();
        let architectures = if has_back_end { architectures } else { OF_FRONT_END.to_vec() };
        Ok(Clang {
            path: path.to_path_buf(),
            release: release.to_string(),
            architectures,
            has_back_end,
        })
    }

    /// Path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, e.g. "22.1.8".
    pub fn release(&self) -> &str {
        &self.release
    }

    /// The architectures that it compiles for, ascending, e.g. 50, 52, … 90.
    pub fn architectures(&self) -> &[u32] {
        &self.architectures
    }

    /// The same clang without its back end: the crate `ir` makes the PTX.
    #[must_use]
    pub fn front_end(&self) -> Clang {
        Clang {
            path: self.path.clone(),
            release: self.release.clone(),
            architectures: self.architectures.clone(),
            has_back_end: false,
        }
    }

    /// Compiles a text; `headers` are names and texts of what it includes, `options` are NVRTC's.
    pub(crate) fn compile_with(
        &self,
        name: &str,
        source: &str,
        headers: &[(String, String)],
        options: &[String],
    ) -> Result<Compiled, Error> {
        let rejected = |log: String| Error::Compile {
            name: name.to_string(),
            compiler: format!("clang {}", self.release),
            log,
        };
        let mut arguments: Vec<String> = TARGET.map(str::to_string).into();
        arguments.extend(options::arguments(options).map_err(rejected)?);
        let mut translation = None;
        if !self.has_back_end {
            let (front_end, options) = options::of_front_end(arguments);
            (arguments, translation) = (front_end, Some(options));
        }
        let own = headers.iter().map(|(name, text)| (format!("{OWN}/{name}"), text.clone()));
        let given =
            HEADERS.iter().map(|(name, text)| (format!("cuda/{name}"), (*text).to_string()));
        let source = (SOURCE.to_string(), format!("#line 1 \"{name}\"\n{source}"));
        let job = Job { arguments, files: own.chain(given).chain([source]).collect() };
        let ran = run::run(&self.path, &job).map_err(|error| Error::BadCompiler {
            path: self.path.clone(),
            message: format!("cannot be run: {error}; {}", remedy()),
        })?;
        let log = text::log(&ran.log);
        if !ran.succeeded {
            return Err(rejected(log));
        }
        let ptx = match translation {
            None => text::straightened(&ran.output),
            Some(options) => ir::translate(&ran.output, &options)
                .map_err(|error| rejected(text::of_translation(name, &error)))?,
        };
        Ok(Compiled { ptx, cubin: None, version: self.release.clone(), log })
    }
}

impl fmt::Debug for Clang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clang {} ({})", self.release, self.path.display())
    }
}
