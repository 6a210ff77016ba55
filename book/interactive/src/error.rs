//! Why a question has no answer.

use simt::model::{GpuError, ResidencyError};
use simt::{KernelError, LaunchError, MemoryError, PtxError};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such part.
    #[error("there is no interactive part `{name}`; there are: {all}")]
    Part {
        /// Its name.
        name: String,
        /// The names that exist.
        all: String,
    },
    /// The question is no JSON, or none of a question.
    #[error("the question cannot be read: {0}")]
    Question(serde_json::Error),
    /// A knob has no value.
    #[error("no value of `{0}` was given")]
    Missing(String),
    /// A value is none of its knob's.
    #[error("`{value}` is no choice of `{knob}`: {choices}")]
    Choice {
        /// The value.
        value: String,
        /// The knob's name.
        knob: &'static str,
        /// The values that it has.
        choices: String,
    },
    /// A value is to be a number.
    #[error("`{value}` of `{knob}` is no number")]
    Number {
        /// The value.
        value: String,
        /// The knob's name.
        knob: String,
    },
    /// An argument is in none of the forms that parts use.
    #[error("`{0}` is no value of an interactive part")]
    Argument(String),
    /// The kernel's module has no such variable.
    #[error("there is no variable `{0}`")]
    Variable(String),
    /// A kernel from which a barrier is to be taken has none.
    #[error("the kernel has no barrier")]
    NoBarrier,
    /// The kernel cannot be parsed.
    #[error(transparent)]
    Ptx(#[from] PtxError),
    /// Its file has none of this name.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// It does not fit into the device's memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// There is no such GPU.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// No multiprocessor holds such a block.
    #[error(transparent)]
    Residency(#[from] ResidencyError),
    /// The launch is not possible, or the kernel was stopped.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The answer is no JSON.
    #[error("the answer cannot be written: {0}")]
    Answer(serde_json::Error),
}
