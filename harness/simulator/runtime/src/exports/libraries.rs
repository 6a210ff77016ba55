//! Libraries: device code that a program loads at run time, and whose kernels and variables it looks up by name.

use super::binaries::{WRAPPER, Wrapper, bytes_of};
use super::entry::calls;
use crate::error::{self, CudaResult};
use crate::fatbin;
use crate::host::{Out, Pointer, Text};
use crate::state::DeviceCode;
use crate::state::Runtime;

/// The bytes of a fat binary, of the one in a wrapper, or of PTX.
pub(super) fn image(data: Pointer) -> CudaResult<Vec<u8>> {
    let first: u32 = data.value()?;
    match first {
        WRAPPER => bytes_of(data.value::<Wrapper>()?.binary),
        fatbin::MAGIC => bytes_of(data),
        _ => Ok(data.text().into_bytes()),
    }
}

/// The bytes of a file.
pub(super) fn file_image(cuda: &mut Runtime, file: &str) -> CudaResult<Vec<u8>> {
    std::fs::read(file)
        .map_err(|error| cuda.refuse(error::FILE_NOT_FOUND, format!("cannot read {file}: {error}")))
}

/// Loads a library, and puts its handle: its number, counted from 1.
pub(super) fn load(cuda: &mut Runtime, bytes: Vec<u8>, library: Out<u64>) -> CudaResult {
    let number = cuda.with_code(|binaries, target| binaries.add_library(bytes, target))?;
    library.put(number as u64 + 1)
}

/// The number of a library and its code.
fn find(cuda: &Runtime, library: u64) -> CudaResult<(usize, &DeviceCode)> {
    let number = (library as usize).checked_sub(1).ok_or(error::INVALID_HANDLE)?;
    Ok((number, cuda.binaries.library(number).ok_or(error::INVALID_HANDLE)?))
}

/// The names of a library's kernels, including those that the simulator cannot run.
fn names(code: &DeviceCode) -> Vec<String> {
    let module = code.loaded.module();
    let accepted = module.kernels().map(|kernel| kernel.name().to_string());
    accepted.chain(module.refused().map(|(name, _)| name.to_string())).collect()
}

/// The address and size in bytes of a library's variable, which must be managed if `is_managed`.
fn variable(
    cuda: &mut Runtime,
    library: u64,
    name: &str,
    is_managed: bool,
) -> CudaResult<(u64, u64)> {
    let found = find(cuda, library)?.1.loaded.symbol(name).filter(|&(address, _)| {
        let is_the_hosts = || cuda.simulator.allocation(address).is_some_and(|(_, host)| host);
        !is_managed || is_the_hosts()
    });
    found.ok_or_else(|| {
        let kind = if is_managed { "managed variable" } else { "variable" };
        cuda.refuse(error::NOT_FOUND, format!("the library has no {kind} `{name}`"))
    })
}

fn put_variable(address: Out<u64>, bytes: Out<usize>, (found, size): (u64, u64)) -> CudaResult {
    address.put_if_wanted(found)?;
    bytes.put_if_wanted(size as usize)
}

calls! {
    cudaLibraryLoadData(
        library: Out<u64>, data: Pointer, _jit: u64, _jit_values: u64, _jit_count: u32,
        _options: u64, _values: u64, _count: u32,
    ) => |cuda| load(cuda, image(data)?, library);
    cudaLibraryLoadFromFile(
        library: Out<u64>, file: Text, _jit: u64, _jit_values: u64, _jit_count: u32,
        _options: u64, _values: u64, _count: u32,
    ) => |cuda| {
        let bytes = file_image(cuda, &file.get())?;
        load(cuda, bytes, library)
    };
    cudaLibraryUnload | cuModuleUnload(library: u64) => |cuda| {
        let (number, _) = find(cuda, library)?;
        let is_known = cuda.binaries.remove_library(number, &cuda.simulator);
        is_known.then_some(()).ok_or(error::INVALID_HANDLE)
    };
    cudaLibraryGetKernel | cuModuleGetFunction(
        kernel: Out<u64>, library: u64, name: Text,
    ) => |cuda| {
        let name = name.get();
        let (number, code) = find(cuda, library)?;
        if !names(code).contains(&name) {
            let message = format!("the library has no kernel `{name}`");
            return Err(cuda.refuse(error::NOT_FOUND, message));
        }
        kernel.put(cuda.binaries.library_kernel(number, &name))
    };
    cudaLibraryGetKernelCount(count: Out<u32>, library: u64) => |cuda| {
        count.put(names(find(cuda, library)?.1).len() as u32)
    };
    cudaLibraryEnumerateKernels(kernels: Out<u64>, most: u32, library: u64) => |cuda| {
        let (number, code) = find(cuda, library)?;
        for (index, name) in names(code).iter().take(most as usize).enumerate() {
            kernels.at(index).put(cuda.binaries.library_kernel(number, name))?;
        }
        Ok(())
    };
    cudaLibraryGetGlobal | cuModuleGetGlobal_v2(
        address: Out<u64>, bytes: Out<usize>, library: u64, name: Text,
    ) => |cuda| {
        let found = variable(cuda, library, &name.get(), false)?;
        put_variable(address, bytes, found)
    };
    cudaLibraryGetManaged(address: Out<u64>, bytes: Out<usize>, library: u64, name: Text) => |cuda| {
        let found = variable(cuda, library, &name.get(), true)?;
        put_variable(address, bytes, found)
    };
    // Unified functions need a GPU that shares code addresses with the host.
    cudaLibraryGetUnifiedFunction(_function: Out<u64>, _library: u64, _name: Text) => |cuda| {
        let message = "the modelled GPU has no functions that the host can call too";
        Err(cuda.refuse(error::NOT_SUPPORTED, message))
    };
}
