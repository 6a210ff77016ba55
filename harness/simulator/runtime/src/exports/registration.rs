//! What the code that nvcc generates calls before `main`, and around launches.

use std::cell::RefCell;

use super::pointer::{In, Out, Pointer, Text};
use super::{Dim3, calls, enter, with};
use crate::code::{self, Done};
use crate::fatbin;

/// `struct __fatBinC_Wrapper_t`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Wrapper {
    magic: u32,
    version: u32,
    pub(super) binary: Pointer,
    other: Pointer,
}

/// `FATBINC_MAGIC`
pub(super) const WRAPPER: u32 = 0x4662_43b1;

/// The bytes of a fat binary, by its header.
pub(super) fn bytes_of(binary: Pointer) -> Done<Vec<u8>> {
    let binary = binary.filled()?;
    let size = binary.with(fatbin::HEADER, fatbin::size).map_err(|_| code::INVALID_IMAGE)?;
    Ok(binary.with(size, <[u8]>::to_vec))
}

#[cfg(test)]
impl Wrapper {
    /// As the compiler makes it.
    pub(super) fn of(binary: &[u8]) -> Wrapper {
        let binary = Pointer::of_device(binary.as_ptr() as u64);
        Wrapper { magic: WRAPPER, version: 1, binary, other: Pointer::of_device(0) }
    }
}

/// A fat binary's handle: its number, from 1.
type Handle = u64;

/// `__cudaPushCallConfiguration`: grid, block, shared memory, stream.
type Configuration = (Dim3, Dim3, usize, u64);

thread_local! {
    static CONFIGURATIONS: RefCell<Vec<Configuration>> = const { RefCell::new(Vec::new()) };
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __cudaRegisterFatBinary(wrapper: In<Wrapper>) -> Handle {
    let bytes = wrapper.get().and_then(|wrapper| bytes_of(wrapper.binary));
    with("__cudaRegisterFatBinary", |cuda| {
        cuda.binaries.add(bytes.unwrap_or_default()) as Handle + 1
    })
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __cudaRegisterFatBinaryEnd(_binary: Handle) {}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __cudaUnregisterFatBinary(_binary: Handle) {
    // The program ends: what its last launch did is to be known.
    enter("__cudaUnregisterFatBinary", |_| Ok(()));
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __cudaInitModule(binary: Handle) -> i8 {
    // What is wrong with it the first launch says.
    with("__cudaInitModule", |cuda| cuda.load(binary as usize - 1).is_ok().into())
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __cudaRegisterFunction(
    binary: Handle,
    host: u64,
    _device: u64,
    name: Text,
    _threads: i32,
    _tid: u64,
    _bid: u64,
    _block: u64,
    _grid: u64,
    _warp: u64,
) {
    with("__cudaRegisterFunction", |cuda| {
        cuda.binaries.add_kernel(binary as usize - 1, host, name.get());
    });
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __cudaRegisterVar(
    binary: Handle,
    host: u64,
    _device: u64,
    name: Text,
    _external: i32,
    _bytes: usize,
    _constant: i32,
    _global: i32,
) {
    with("__cudaRegisterVar", |cuda| {
        cuda.binaries.add_variable(binary as usize - 1, host, name.get());
    });
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn __cudaRegisterManagedVar(
    binary: Handle,
    host: Out<u64>,
    _device: u64,
    name: Text,
    _external: i32,
    _bytes: usize,
    _constant: i32,
    _global: i32,
) {
    with("__cudaRegisterManagedVar", |cuda| {
        cuda.binaries.add_managed(binary as usize - 1, host, name.get());
    });
}

calls! {
    __cudaPushCallConfiguration(grid: Dim3, block: Dim3, shared: usize, stream: u64) => |_| {
        CONFIGURATIONS.with_borrow_mut(|all| all.push((grid, block, shared, stream)));
        Ok(())
    };
    __cudaPopCallConfiguration(
        grid: Out<Dim3>,
        block: Out<Dim3>,
        shared: Out<usize>,
        stream: Out<u64>,
    ) => |_| {
        let last = CONFIGURATIONS.with_borrow_mut(Vec::pop).ok_or(code::MISSING_CONFIGURATION)?;
        grid.put(last.0)?;
        block.put(last.1)?;
        shared.put(last.2)?;
        stream.put(last.3)
    };
    __cudaGetKernel | cudaGetKernel(kernel: Out<u64>, host: u64) => |_| kernel.put(host);
    cudaGetFuncBySymbol(function: Out<u64>, host: u64) => |_| function.put(host);
}
