//! A launch, and why it may not happen.

use crate::fault::Fault;
use program::KernelError;

/// The shape of a launch and its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z; at most 1024.
    pub block: [u32; 3],
    /// Shared memory added to what the kernel declares.
    pub shared_bytes: u32,
    /// One raw little-endian value for each parameter.
    pub arguments: &'a [&'a [u8]],
}

/// A program that goes on beside a launch: asked again and again while no block can go on by itself, it says whether the
/// program may still write what they read.
pub type Host<'a> = &'a (dyn Fn() -> bool + Sync);

/// Why a launch did not happen or was stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The module has no such kernel, or it cannot run.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The number of arguments or the size of one is wrong.
    #[error("wrong arguments for kernel `{kernel}`: {message}")]
    Arguments {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// A grid or block that no GPU accepts, or too much shared memory.
    #[error("cannot launch kernel `{kernel}`: {message}")]
    Shape {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// The kernel was stopped.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}
