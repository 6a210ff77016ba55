//! Memory and events of other processes. Each process has a simulator of its own: as where the driver lacks this (on Windows,
//! in WSL), the program gets an error and may go on without.

use super::calls;
use crate::code::{self, Done};
use crate::runtime::Runtime;

fn refused(cuda: &mut Runtime) -> Done {
    let message =
        "each process has a simulated GPU of its own: nothing of it can be shared with others";
    Err(cuda.refuse(code::NOT_SUPPORTED, message))
}

calls! {
    cudaIpcGetMemHandle(_handle: u64, _pointer: u64) => refused;
    cudaIpcGetEventHandle(_handle: u64, _event: u64) => refused;
    // The handle, 64 bytes, is on the stack.
    cudaIpcOpenMemHandle(_pointer: u64, _flags: u32) => refused;
    cudaIpcOpenEventHandle(_event: u64) => refused;
    cudaIpcCloseMemHandle(_pointer: u64) => refused;
}
