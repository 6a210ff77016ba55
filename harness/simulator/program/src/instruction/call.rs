//! Functions that stay functions, and the calls of them. Those that are inlined leave no trace here.

use crate::registers::Register;
use ptx::space::FUNCTION_WINDOW;

/// A parameter's or a result's place in local memory, from the beginning of a frame or of the thread's own memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Bytes from the beginning of that memory.
    pub offset: u64,
    /// Size, bytes.
    pub bytes: u64,
}

/// What a call leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callee {
    /// Index into `Program::functions`.
    Function(u32),
    /// The function whose address a register holds, of its own in each lane.
    Pointer(Register),
    /// What the chip's system does for a thread.
    Service(Service),
    /// A function without a body, or one that the simulator cannot execute: why.
    Missing(String),
}

/// What the chip's system does for a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// `vprintf(format, arguments)`
    Print,
    /// `__assertfail(expression, file, line, function, size of a character)`
    Assert,
    /// `malloc(bytes)`
    Allocate,
    /// `free(pointer)`
    Free,
    /// `cudaGraphSetConditional(handle, value)`: the handle is the address of the value.
    SetConditional,
}

impl Service {
    /// The service of a name, with the sizes of its results and parameters.
    pub fn of(name: &str) -> Option<(Service, &'static [u64], &'static [u64])> {
        Some(match name {
            "vprintf" => (Service::Print, &[4], &[8, 8]),
            "__assertfail" => (Service::Assert, &[], &[8, 8, 4, 8, 8]),
            "malloc" => (Service::Allocate, &[8], &[8]),
            "free" => (Service::Free, &[], &[8]),
            "cudaGraphSetConditional" => (Service::SetConditional, &[], &[8, 4]),
            _ => return None,
        })
    }
}

/// A call that is executed as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// The caller's copies, which lie in its frame, or in the thread's own memory if the caller is the kernel.
    pub results: Vec<Place>,
    /// The caller's copies of the arguments, likewise.
    pub arguments: Vec<Place>,
    /// Whether these lie in the caller's frame.
    pub in_frame: bool,
}

impl Call {
    /// Whether it allocates memory or frees it.
    pub fn allocates(&self) -> bool {
        matches!(self.callee, Callee::Service(Service::Allocate | Service::Free))
    }
}

/// A function that calls lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Name in the PTX.
    pub name: String,
    /// Its address as a pointer holds it.
    pub address: u64,
    /// Index of its first basic block.
    pub entry: u32,
    /// Places of the results in its frame.
    pub results: Vec<Place>,
    /// Places of the parameters in its frame.
    pub parameters: Vec<Place>,
    /// Size of its frame, bytes: its variables and its calls' parameters.
    pub frame: u64,
    /// Alignment of the frame, bytes.
    pub align: u64,
    /// Registers that it writes, if it may come to call itself: they are kept over every call of it.
    pub kept: Vec<Register>,
    /// Why it cannot be executed, if it cannot.
    pub missing: Option<String>,
}

/// The address of the function with this index in its file.
pub fn function_address(index: usize) -> u64 {
    // A multiple of 16, as on a GPU, and never the window's beginning.
    FUNCTION_WINDOW + 16 * (index as u64 + 1)
}
