//! What can go wrong on a device, each with its remedy.

use std::time::Duration;

use simt::model::ResidencyError;

/// The environment variable with the seconds that the driver has to answer.
pub const DRIVER_SECONDS: &str = "LADDER_DRIVER_SECONDS";

/// A failure of a device, of the code for it, or of the request made of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum Error {
    /// There is no code for the device.
    #[error(transparent)]
    Code(#[from] toolchain::Error),

    /// Nothing failed, but this code cannot be run here without running something else in its place.
    #[error("{reason}; {remedy}")]
    Skipped { reason: String, remedy: String },

    /// The device that was asked for is not on this machine.
    #[error("{what}; {remedy}")]
    Unavailable { what: String, remedy: String },

    /// A library of NVIDIA's hangs.
    #[error(
        "{library} did not answer within {} s; see whether nvidia-smi hangs too (then restart the machine, or who runs it must), \
         wait longer with {DRIVER_SECONDS}=60, or run without a GPU: --device simt",
        patience.as_secs()
    )]
    NoAnswer { library: &'static str, patience: Duration },

    /// The driver's library lacks a function.
    #[error(
        "the NVIDIA driver has no function `{0}`: it is too old, or libcuda.so is of another maker; \
         update the driver, or run without a GPU: --device simt"
    )]
    NoFunction(&'static str),

    /// The text of `--device` names no device.
    #[error(
        "no device is called `{0}`; write auto, simt, cpu, cuda, or cuda:N for the GPU numbered N"
    )]
    UnknownDevice(String),

    /// No block of a launch can be resident on the GPU that is modelled.
    #[error(transparent)]
    NotResident(#[from] ResidencyError),

    /// The time model knows no such GPU.
    #[error("{0}")]
    UnknownModel(String),

    /// Devices that compute together cannot reach each other.
    #[error("{doing}: {message}")]
    Group { doing: String, message: String },

    /// The device has too little memory left.
    #[error(
        "out of memory: `{name}` needs {bytes} bytes and {free} are free on {device}; choose a smaller --size, or end what else uses this device"
    )]
    OutOfMemory { name: String, bytes: u64, free: u64, device: String },

    /// Memory of the simulator and of the CPU is that of the computer, which may have less left than was offered.
    #[error(
        "out of memory: this computer does not give {bytes} bytes for `{name}`; choose a smaller --size, or end other programs"
    )]
    HostMemory { name: String, bytes: u64 },

    /// The module has no such kernel.
    #[error("{module} has no kernel `{kernel}`, and the step launches one; {there}")]
    NoKernel { module: String, kernel: String, there: String },

    /// The arguments are not those that the kernel declares.
    #[error(
        "{module}: kernel `{kernel}` {message}; give it the parameters of the kernel that it stands for"
    )]
    Arguments { module: String, kernel: String, message: String },

    /// A launch has a shape that no device accepts.
    #[error("{kernel}: {message}")]
    BadShape { kernel: String, message: String },

    /// Blocks that wait for each other are more than the GPU runs at once.
    #[error("{kernel}: {blocks} blocks of {threads} threads do not all run at once on {device}")]
    NotTogether { kernel: String, blocks: u64, threads: u32, device: String },

    /// The module has no such variable.
    #[error(
        "{module} declares no variable `{symbol}`; ask has_symbol first, or declare it __constant__ in the .cu"
    )]
    NoSymbol { module: String, symbol: String },

    /// A copy is larger than what it is copied to or from, or a variable has another size.
    #[error("`{name}` has {has} bytes, and {given} were given")]
    Size { name: String, has: u64, given: u64 },

    /// A buffer or a module of one device was given to another.
    #[error("`{0}` belongs to another device; allocate or load it on the device that uses it")]
    Foreign(String),

    /// The simulator stopped a kernel, or found hazards in it.
    #[error("{fault}{}", in_words(*others))]
    Kernel {
        fault: Box<simt::Fault>,
        /// How many other hazards there are.
        others: usize,
    },

    /// An array, texture or surface that CUDA does not allow.
    #[error(transparent)]
    Texture(simt::texture::TextureError),

    /// What the host asked of a device went wrong, or a function on the CPU panicked; the text says where.
    #[error("{0}")]
    Fault(String),

    /// Something was written around a buffer.
    #[error(
        "memory {side} `{name}` was overwritten, {distance} byte{} from it: is an index too large or negative?",
        if *distance == 1 { "" } else { "s" }
    )]
    Guard {
        name: String,
        side: &'static str,
        /// From the buffer's nearest byte to the nearest one that was overwritten.
        distance: u64,
    },

    /// The driver refused or the GPU failed.
    #[error("{doing}: {code}: {message}{}", if *fatal { "; the GPU's context is lost, and this process cannot use it any more" } else { "" })]
    Driver {
        doing: String,
        code: String,
        message: String,
        /// Whether everything else on this context fails from now on.
        fatal: bool,
    },
}

/// How many hazards there are besides the one that is described.
fn in_words(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => "\nand one other hazard".to_string(),
        count => format!("\nand {count} other hazards"),
    }
}

impl Error {
    /// Whether the device is lost: this process must not go on using it, since nothing works on it any more, or since
    /// what was written outside one buffer may have been written anywhere. A fault on the simulator is not fatal: its
    /// memory stays whole.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Error::Driver { fatal: true, .. } | Error::Guard { .. })
    }

    /// Whether the GPU is too small for a block of this shape, or for all blocks at once: one that is larger can run the same
    /// code.
    pub fn is_of_a_small_gpu(&self) -> bool {
        matches!(
            self,
            Error::NotResident(ResidencyError::SharedMemory { .. }) | Error::NotTogether { .. }
        )
    }

    /// Whether the row of this step is `skipped` and not `failed`.
    pub fn is_skipped(&self) -> bool {
        match self {
            Error::Code(error) => error.is_skipped(),
            other => matches!(other, Error::Skipped { .. }),
        }
    }
}
