//! What can go wrong where code is made or chosen, each with its remedy.

use std::path::PathBuf;

/// The command, typed at the workspace's root, that gets the NVRTC which the committed PTX is made with.
pub const INSTALL: &str = "python3 -m pip install --no-deps --target target/nvrtc/11.8.89 nvidia-cuda-nvrtc-cu11==11.8.89";

/// There is no code for a device, or none that it can run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum Error {
    /// Nothing failed, but this code cannot be run here without running something else in its place.
    #[error("{reason}; {remedy}")]
    Skipped { reason: String, remedy: String },

    /// A tool that was asked for is not on this machine.
    #[error("{what}; {remedy}")]
    Unavailable { what: String, remedy: String },

    /// The value of `--code` is unknown.
    #[error("no code route is called `{0}`; write auto, compiled, nvrtc, clang or committed")]
    UnknownRoute(String),

    /// The name of a compiler is unknown.
    #[error("no compiler is called `{0}`; write nvrtc or clang")]
    UnknownCompiler(String),

    /// A file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },

    /// A file has none of the endings that a kernel can have.
    #[error("{}: a kernel's file ends in .cu (CUDA C++), .ptx or .rs (Rust)", .0.display())]
    NotAKernel(PathBuf),

    /// A file is no usable compiler.
    #[error("{}: {message}", path.display())]
    BadCompiler { path: PathBuf, message: String },

    /// The compiler rejects the source.
    #[error("{name}: {compiler} rejects it:\n{}", log.trim_end())]
    Compile { name: String, compiler: String, log: String },

    /// The PTX cannot be parsed, by the simulator or by the driver.
    #[error("{0}")]
    BadPtx(String),

    /// The driver is older than the PTX.
    #[error(
        "{file} is PTX {}.{} and needs a driver with CUDA {}.{}; this driver has CUDA {}.{}: update the NVIDIA driver, or compile for the GPU in hand:\n  {}",
        ptx.0, ptx.1, needs.0, needs.1, driver.0, driver.1, INSTALL
    )]
    DriverTooOld { file: String, ptx: (u32, u32), needs: (u32, u32), driver: (u32, u32) },

    /// The GPU lacks what the PTX was compiled for.
    #[error("{file} is for {target}, and this GPU's compute capability is {}.{}: run it with --device simt, or recompile it for this GPU", gpu.0, gpu.1)]
    WrongGpu { file: String, target: String, gpu: (u32, u32) },
}

impl Error {
    /// Whether nothing failed, but the code cannot be run here: [`Error::Skipped`].
    pub fn is_skipped(&self) -> bool {
        matches!(self, Error::Skipped { .. })
    }
}
