//! The device: its properties and limits, and the last error.

use std::ffi::c_char;

use super::entry::{calls, forget_error, last_error};
use crate::error::{self, CudaError};
use crate::host::{Out, Pointer, Text};
use crate::properties;
use crate::state::Runtime;

/// `cudaLimitStackSize`, `cudaLimitMallocHeapSize`
const STACK: u32 = 0;
const HEAP: u32 = 2;

/// The version of a release as runtime and driver report it.
fn version(cuda: &Runtime) -> i32 {
    cuda.config.release as i32 * 1000
}

calls! {
    cudaGetDeviceCount | cuDeviceGetCount(count: Out<i32>) => |_| count.put(1);
    cudaGetDevice(device: Out<i32>) => |_| device.put(0);
    cudaSetDevice(device: i32) => |_| if device == 0 { Ok(()) } else { Err(error::INVALID_DEVICE) };
    cudaInitDevice(device: i32, _device_flags: u32, _flags: u32) => |_| {
        if device == 0 { Ok(()) } else { Err(error::INVALID_DEVICE) }
    };
    cudaSetValidDevices(_devices: Pointer, _count: i32) => |_| Ok(());
    cudaChooseDevice(device: Out<i32>, _properties: Pointer) => |_| device.put(0);
    cudaSetDeviceFlags(_flags: u32) => |_| Ok(());
    cudaGetDeviceFlags(flags: Out<u32>) => |_| flags.put(0);
    cudaGetDeviceProperties | cudaGetDeviceProperties_v2(structure: Out<u8>, device: i32) => |cuda| {
        if device != 0 {
            return Err(error::INVALID_DEVICE);
        }
        structure.put_all(&properties::structure(&cuda.gpu, &cuda.config))
    };
    cudaDeviceGetAttribute | cuDeviceGetAttribute(value: Out<i32>, attribute: u32, device: i32) => |cuda| {
        if device != 0 {
            return Err(error::INVALID_DEVICE);
        }
        // An attribute that is not modelled is a feature that the GPU lacks.
        value.put(properties::attribute(&cuda.gpu, &cuda.config, attribute).unwrap_or(0))
    };
    cudaDeviceGetPCIBusId(text: Out<u8>, bytes: i32, device: i32) => |_| {
        const BUS: &[u8] = b"0000:00:00.0\0";
        if device != 0 || (bytes as usize) < BUS.len() {
            return Err(error::INVALID_VALUE);
        }
        text.put_all(BUS)
    };
    cudaDeviceGetByPCIBusId(device: Out<i32>, _bus: Text) => |_| device.put(0);
    cudaDeviceSynchronize | cudaThreadSynchronize | cuCtxSynchronize() => |cuda| {
        cuda.streams.synchronize();
        Ok(())
    };
    cudaDeviceReset | cudaThreadExit() => |cuda| {
        // A reset clears a kernel's fault.
        cuda.broken = None;
        forget_error();
        Ok(())
    };
    cudaDeviceSetLimit(limit: u32, value: u64) => |cuda| {
        match limit {
            STACK => cuda.simulator.set_stack_bytes(value),
            HEAP if !cuda.simulator.set_heap_bytes(value) => return Err(error::INVALID_VALUE),
            _ => {}
        }
        cuda.limits.insert(limit, value);
        Ok(())
    };
    cudaDeviceGetLimit(value: Out<u64>, limit: u32) => |cuda| {
        // Defaults of the stack, printf's buffer, the heap, and limits of launches by kernels.
        const USUAL: [u64; 7] = [1024, 1 << 20, 8 << 20, 2, 2048, 128, 0];
        let usual = USUAL.get(limit as usize).copied().ok_or(error::INVALID_VALUE)?;
        value.put(cuda.limits.get(&limit).copied().unwrap_or(usual))
    };
    cudaDeviceSetCacheConfig(_configuration: i32) => |_| Ok(());
    cudaDeviceGetCacheConfig(configuration: Out<i32>) => |_| configuration.put(0);
    cudaDeviceSetSharedMemConfig(_configuration: i32) => |_| Ok(());
    // Banks are four bytes wide.
    cudaDeviceGetSharedMemConfig(configuration: Out<i32>) => |_| configuration.put(1);
    cudaDeviceCanAccessPeer(can: Out<i32>, _device: i32, _peer: i32) => |_| can.put(0);
    cudaDeviceEnablePeerAccess(_peer: i32, _flags: u32) => |_| Err(error::INVALID_DEVICE);
    cudaDeviceDisablePeerAccess(_peer: i32) => |_| Err(error::INVALID_DEVICE);
    cudaDriverGetVersion | cuDriverGetVersion(number: Out<i32>) => |cuda| number.put(version(cuda));
    cudaRuntimeGetVersion(number: Out<i32>) => |cuda| number.put(version(cuda));
    cudaProfilerStart() => |_| Ok(());
    cudaProfilerStop() => |_| Ok(());
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn cudaGetLastError() -> i32 {
    last_error(true).0
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn cudaPeekAtLastError() -> i32 {
    last_error(false).0
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn cudaGetErrorName(error: i32) -> *const c_char {
    CudaError(error).name().as_ptr().cast()
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn cudaGetErrorString(error: i32) -> *const c_char {
    CudaError(error).text().as_ptr().cast()
}
