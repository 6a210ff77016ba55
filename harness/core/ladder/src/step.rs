//! What a step is, as plain data.
//!
//! A step's crate is one constant: it names its parent, takes the parent's values and states only
//! what it changes. `H` is what its problem's host code needs to know; the core knows a step as
//! `Step<()>`, without it.

use std::path::Path;

use device::{Error, Library, Shape, Source};
use report::{Outcome, Row};
use toolchain::ANY_GPU;

/// One variant of a problem's code.
///
/// A step's crate writes `pub const STEP: Step = Step { threads: …, ..PARENT.then("05-rsqrt", …) };`.
#[derive(Debug, Clone, Copy)]
pub struct Step<H = ()> {
    /// Its folder: "05-rsqrt".
    pub name: &'static str,
    /// The step it is derived from and compared with; none for the first.
    pub after: Option<&'static str>,
    /// Tried and not kept: no step has it as its parent.
    pub detour: bool,
    /// Its idea in a word or two: "rsqrtf".
    pub title: &'static str,
    /// What it changes, in one line for the table.
    pub changes: &'static str,
    /// Why it differs from its parent in more than [`MOST_LINES`] lines; none where it does not.
    pub rewrite: Option<&'static str>,
    /// What it runs.
    pub code: Code,
    /// Which threads do the work.
    pub threads: Threads,
    /// The least compute capability of a GPU that has its instructions, major and minor. Its
    /// committed PTX is made for it; the simulator runs it whatever GPU is modelled.
    pub needs: (u32, u32),
    /// Whether every run on one device gives the same bits, in any order of the warps. This is verified.
    pub reproducible: bool,
    /// Why `run` skips it, where another command runs it.
    pub elsewhere: Option<&'static str>,
    /// The ladder's function of a library that it is compared with; none: the ladder's first, if it has any. Of such a
    /// function its own name.
    pub library: Option<&'static str>,
    /// What its problem's host code does for it.
    pub host: H,
}

/// Why the blocks of a step cannot have another size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// It runs in one thread, or on the CPU.
    #[error("it has no blocks whose size could be chosen")]
    NoBlocks,
    /// Its kernels need blocks of a multiple of so many threads.
    #[error(
        "its blocks are multiples of {multiple} threads, and {block} is no multiple of {multiple}"
    )]
    Multiple {
        /// Threads of a block as asked for.
        block: u32,
        /// What they must be a multiple of.
        multiple: u32,
    },
    /// Its blocks have one size. Why, in words.
    #[error("{0}")]
    Fixed(&'static str),
}

/// The most lines, inserted or deleted, in which a step's kernel differs from its parent's.
pub const MOST_LINES: usize = 40;

/// What a step runs.
#[derive(Debug, Clone, Copy)]
pub enum Code {
    /// Kernels in CUDA C++, on a GPU or the simulator.
    Cuda {
        /// Stem of the `.cu` in `kernels/<ladder>/`; a step that changes only compiler options names
        /// its parent's. Its PTX is always `<name>.ptx`.
        file: &'static str,
        /// Compiler options of its own.
        options: &'static [&'static str],
    },
    /// Kernels in Rust, on a GPU or the simulator: `<name>.rs` in `kernels/<ladder>/`.
    RustKernels,
    /// Functions in Rust, on the CPU; the problem's host code has them.
    Rust,
    /// A function in C, compiled by the C compiler of this machine, on the CPU: a yardstick.
    C {
        /// Stem of the `.c` in `kernels/<ladder>/`.
        file: &'static str,
        /// Compiler options of its own.
        options: &'static [&'static str],
    },
    /// A library's function, on a GPU: what steps are compared with, and no step itself.
    Library(Function),
}

/// A function of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// The product of matrices of cuBLAS. The problem's host code makes the call.
    Cublas,
    /// The same of cuBLASLt.
    CublasLt,
    /// The attention of cuDNN. The problem's host code makes the call.
    Cudnn,
    /// A function of CUB.
    Cub {
        /// Code as [`Library::Cub`] describes it.
        code: &'static str,
        /// Names of its arrays, in its order.
        arrays: &'static [&'static str],
    },
}

impl Function {
    /// What it is in.
    pub fn library(self) -> Library {
        match self {
            Function::Cublas => Library::Cublas,
            Function::CublasLt => Library::CublasLt,
            Function::Cudnn => Library::Cudnn,
            Function::Cub { code, .. } => Library::Cub(code),
        }
    }
}

/// Which threads do the work of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// One thread, of a GPU or of the CPU.
    One,
    /// Blocks of threads.
    Blocks {
        /// Threads of a block.
        block: u32,
        /// Whether the kernels state that number in a line `#define THREADS`, and have whole warps;
        /// others ask the hardware.
        stated: bool,
    },
    /// As many threads of the CPU as the run may use.
    Cores,
}

impl<H> Step<H> {
    /// A first step: kernels in a file of its name, for any GPU, in blocks of any size.
    pub const fn first(
        name: &'static str,
        title: &'static str,
        changes: &'static str,
        block: u32,
        host: H,
    ) -> Step<H> {
        Step {
            name,
            after: None,
            detour: false,
            title,
            changes,
            rewrite: None,
            code: Code::Cuda { file: name, options: &[] },
            threads: Threads::Blocks { block, stated: false },
            needs: ANY_GPU,
            reproducible: true,
            elsewhere: None,
            library: None,
            host,
        }
    }

    /// A library's function, to be named among a ladder's libraries. It promises no bits, since libraries do not.
    pub const fn library(
        name: &'static str,
        title: &'static str,
        changes: &'static str,
        function: Function,
        host: H,
    ) -> Step<H>
    where
        H: Copy,
    {
        Step {
            code: Code::Library(function),
            threads: Threads::One,
            reproducible: false,
            library: Some(name),
            ..Step::first(name, title, changes, 1, host)
        }
    }

    /// A step that comes from this one and is like it: what it changes is stated over it. A name such as
    /// "06x-bytes" makes it a detour. Its kernels are in a file of its name, compiled with this one's
    /// options; on the CPU its code is this one's until it states another.
    pub const fn then(
        &self,
        name: &'static str,
        title: &'static str,
        changes: &'static str,
    ) -> Step<H>
    where
        H: Copy,
    {
        let code = match self.code {
            Code::Cuda { options, .. } => Code::Cuda { file: name, options },
            code => code,
        };
        let (after, detour) = (Some(self.name), name.as_bytes()[2] == b'x');
        Step { name, after, detour, title, changes, rewrite: None, code, ..*self }
    }

    /// The step as the core knows it.
    pub const fn facts(&self) -> Step {
        Step {
            name: self.name,
            after: self.after,
            detour: self.detour,
            title: self.title,
            changes: self.changes,
            rewrite: self.rewrite,
            code: self.code,
            threads: self.threads,
            needs: self.needs,
            reproducible: self.reproducible,
            elsewhere: self.elsewhere,
            library: self.library,
            host: (),
        }
    }

    /// A row with the step's outcome alone.
    pub fn row(&self, ladder: &str, outcome: Outcome, reason: Option<String>) -> Row {
        Row {
            ladder: ladder.to_owned(),
            step: self.name.to_owned(),
            title: self.title.to_owned(),
            changes: self.changes.to_owned(),
            after: self.after.map(str::to_owned),
            detour: self.detour,
            library: self.library.map(str::to_owned),
            outcome,
            reason,
            ..Row::default()
        }
    }

    /// Whether it runs on the CPU, and not on a GPU or the simulator.
    pub fn is_for_cpu(&self) -> bool {
        matches!(self.code, Code::Rust | Code::C { .. })
    }

    /// Whether it is a library's function, and no step of a ladder.
    pub fn is_library(&self) -> bool {
        matches!(self.code, Code::Library(_))
    }

    /// Whether a single thread of a GPU does all of it.
    pub fn is_one_gpu_thread(&self) -> bool {
        self.threads == Threads::One && matches!(self.code, Code::Cuda { .. } | Code::RustKernels)
    }

    /// Its file in `kernels/<ladder>/`; none where it is a function in Rust, or a library's.
    pub fn file(&self) -> Option<String> {
        match self.code {
            Code::Cuda { file, .. } => Some(format!("{file}.cu")),
            Code::RustKernels => Some(format!("{}.rs", self.name)),
            Code::C { file, .. } => Some(format!("{file}.c")),
            Code::Rust | Code::Library(_) => None,
        }
    }

    /// Its own compiler options.
    pub fn options(&self) -> &'static [&'static str] {
        match self.code {
            Code::Cuda { options, .. } | Code::C { options, .. } => options,
            Code::RustKernels | Code::Rust | Code::Library(_) => &[],
        }
    }

    /// A reader's kernels in its place; `kernels` is the folder of its ladder's.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn replaced(&self, file: &Path, kernels: &Path) -> Result<Source, Error> {
        let source = Source::replacing(file, self.options(), kernels)?;
        let source = Source { needs: self.needs, ..source };
        Ok(match self.source(kernels) {
            Ok(own) => source.or_unchanged(&own),
            Err(_) => source,
        })
    }

    /// Its kernels; `kernels` is the folder of its ladder's.
    ///
    /// # Errors
    /// They cannot be read; [`Error::Skipped`] of what has none: a step that runs on the CPU, a library's function.
    pub fn source(&self, kernels: &Path) -> Result<Source, Error> {
        match self.code {
            Code::Cuda { file, options } => {
                let mut source = Source::from_kernels(kernels, self.name, file, options)?;
                source.needs = self.needs;
                Ok(source)
            }
            Code::RustKernels => {
                Ok(Source { needs: self.needs, ..Source::in_rust(kernels, self.name)? })
            }
            Code::Rust | Code::C { .. } => Err(Error::Skipped {
                reason: format!("{} runs on the CPU and has no kernels", self.name),
                remedy: "run it: cargo run -p harness -- run cpu".to_owned(),
            }),
            Code::Library(function) => Err(Error::Skipped {
                reason: format!(
                    "{} is a function of {} and has no kernels here",
                    self.name,
                    function.library().name()
                ),
                remedy: "name a step".to_owned(),
            }),
        }
    }
}

impl Threads {
    /// Threads of a block. `None` where a step has no blocks.
    pub fn block(self) -> Option<u32> {
        match self {
            Threads::Blocks { block, .. } => Some(block),
            Threads::One | Threads::Cores => None,
        }
    }
}

/// What the launches of a step depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Problem size `n`, without padding.
    pub n: u32,
    /// The size with padding, in elements.
    pub padded: u32,
    /// Elements of this GPU. All of them where there is one GPU.
    pub own: u32,
    /// Threads of a block.
    pub block: u32,
    /// Multiprocessors of the GPU, or of the one that is modelled.
    pub multiprocessors: u32,
}

/// A launch of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Blocks of the grid and threads of a block.
    pub shape: Shape,
}

impl Launch {
    /// A launch over a grid of one dimension.
    pub const fn row(kernel: &'static str, blocks: u32, threads: u32) -> Launch {
        Launch { kernel, shape: Shape::row(blocks, threads) }
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> u64 {
        self.shape.blocks.iter().map(|&blocks| u64::from(blocks)).product()
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.shape.threads.iter().product()
    }
}
