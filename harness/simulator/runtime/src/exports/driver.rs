//! Functions of the CUDA driver that differ from those of the runtime. A program that is linked with `libcuda` finds them here.
//!
//! There is one device, whose context is always current. Modules are libraries of the runtime, and a `CUresult` is the
//! `cudaError_t` with the same number.

use std::ffi::c_char;

use super::copies::{copy, now};
use super::entry::calls;
use super::launches::{Attribute, launch, shape_with};
use super::libraries::{file_image, image, load};
use crate::error::{self, CudaError, CudaResult};
use crate::host::{In, Out, Pointer, Text};
use crate::properties;
use crate::state::{LaunchShape, Rows, Runtime, Work};

/// The handle of the only context.
const CONTEXT: u64 = 1;

/// `cudaMemcpyKind`
const TO_DEVICE: i32 = 1;
const FROM_DEVICE: i32 = 2;
const ON_DEVICE: i32 = 3;
/// The copy goes by what the addresses say.
const ANYWHERE: i32 = 4;

/// `CUlaunchConfig`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Configuration {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) shared: u32,
    pub(super) stream: u64,
    pub(super) attributes: In<Attribute>,
    pub(super) count: u32,
}

/// Sets elements of 1, 2 or 4 bytes.
fn set(to: u64, value: u32, element: usize, count: usize) -> Work {
    let to = Rows { first: Pointer::of_device(to), pitch: 0, height: 0 };
    Work::Set { to, value, element, extent: [count, 1, 1] }
}

/// Refuses every device but the first.
fn check(device: i32) -> CudaResult {
    if device == 0 { Ok(()) } else { Err(error::INVALID_DEVICE) }
}

/// Launches with arguments behind pointers; a buffer with all of them (`extra`) is refused.
fn start(
    cuda: &mut Runtime,
    (function, stream): (u64, u64),
    shape: LaunchShape,
    (arguments, extra): (In<Pointer>, u64),
) -> CudaResult {
    if extra != 0 {
        let message = "arguments in one buffer (`extra`) are not simulated: pass `kernelParams`";
        return Err(cuda.refuse(error::NOT_SUPPORTED, message));
    }
    let work = launch(cuda, function, shape, arguments)?;
    cuda.submit(stream, work)
}

calls! {
    cuInit(_flags: u32) => |_| Ok(());
    cuDeviceGet(device: Out<i32>, number: i32) => |_| {
        check(number)?;
        device.put(number)
    };
    cuDeviceGetName(text: Out<u8>, bytes: i32, device: i32) => |cuda| {
        check(device)?;
        let room = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_sub(1));
        let room = room.ok_or(error::INVALID_VALUE)?;
        let mut name = properties::name(&cuda.gpu).into_bytes();
        name.truncate(room);
        name.push(0);
        text.put_all(&name)
    };
    cuDeviceTotalMem_v2(bytes: Out<usize>, device: i32) => |cuda| {
        check(device)?;
        bytes.put(cuda.config.memory as usize)
    };
    cuDeviceComputeCapability(major: Out<i32>, minor: Out<i32>, device: i32) => |cuda| {
        check(device)?;
        major.put(cuda.capability() as i32 / 10)?;
        minor.put(cuda.capability() as i32 % 10)
    };

    cuDevicePrimaryCtxRetain(context: Out<u64>, device: i32) => |_| {
        check(device)?;
        context.put(CONTEXT)
    };
    cuDevicePrimaryCtxRelease_v2(device: i32) => |_| check(device);
    cuCtxCreate_v2(context: Out<u64>, _flags: u32, device: i32) => |_| {
        check(device)?;
        context.put(CONTEXT)
    };
    cuCtxCreate_v4(context: Out<u64>, _parameters: u64, _flags: u32, device: i32) => |_| {
        check(device)?;
        context.put(CONTEXT)
    };
    cuCtxDestroy_v2(_context: u64) => |_| Ok(());
    cuCtxSetCurrent | cuCtxPushCurrent_v2(_context: u64) => |_| Ok(());
    cuCtxGetCurrent | cuCtxPopCurrent_v2(context: Out<u64>) => |_| context.put_if_wanted(CONTEXT);
    cuCtxGetDevice(device: Out<i32>) => |_| device.put(0);

    cuModuleLoadData(module: Out<u64>, data: Pointer) => |cuda| load(cuda, image(data)?, module);
    cuModuleLoadDataEx(
        module: Out<u64>, data: Pointer, _count: u32, _options: u64, _values: u64,
    ) => |cuda| load(cuda, image(data)?, module);
    cuModuleLoadFatBinary(module: Out<u64>, data: Pointer) => |cuda| {
        load(cuda, image(data)?, module)
    };
    cuModuleLoad(module: Out<u64>, file: Text) => |cuda| {
        let bytes = file_image(cuda, &file.get())?;
        load(cuda, bytes, module)
    };
    cuLaunchKernel(
        function: u64, x: u32, y: u32, z: u32, threads_x: u32, threads_y: u32, threads_z: u32,
        shared: u32, stream: u64, arguments: In<Pointer>, extra: u64,
    ) => |cuda| {
        let (grid, block) = ([x, y, z], [threads_x, threads_y, threads_z]);
        let shared_bytes = shared as usize;
        let shape = LaunchShape { grid, block, cluster: None, shared_bytes, cooperative: false };
        start(cuda, (function, stream), shape, (arguments, extra))
    };
    cuLaunchKernelEx(
        configuration: In<Configuration>, function: u64, arguments: In<Pointer>, extra: u64,
    ) => |cuda| {
        let Configuration { grid, block, shared, stream, attributes, count } = configuration.get()?;
        let shape = shape_with([grid, block], shared as usize, attributes, count)?;
        start(cuda, (function, stream), shape, (arguments, extra))
    };
    cuLaunchCooperativeKernel(
        function: u64, x: u32, y: u32, z: u32, threads_x: u32, threads_y: u32, threads_z: u32,
        shared: u32, stream: u64, arguments: In<Pointer>,
    ) => |cuda| {
        let (grid, block) = ([x, y, z], [threads_x, threads_y, threads_z]);
        let shared_bytes = shared as usize;
        let shape = LaunchShape { grid, block, cluster: None, shared_bytes, cooperative: true };
        start(cuda, (function, stream), shape, (arguments, 0))
    };

    cuMemcpy(to: Pointer, from: Pointer, bytes: usize) => |cuda| {
        now(cuda, copy((to, from), bytes, ANYWHERE)?)
    };
    cuMemcpyHtoD_v2(to: Pointer, from: Pointer, bytes: usize) => |cuda| {
        now(cuda, copy((to, from), bytes, TO_DEVICE)?)
    };
    cuMemcpyDtoH_v2(to: Pointer, from: Pointer, bytes: usize) => |cuda| {
        now(cuda, copy((to, from), bytes, FROM_DEVICE)?)
    };
    cuMemcpyDtoD_v2(to: Pointer, from: Pointer, bytes: usize) => |cuda| {
        now(cuda, copy((to, from), bytes, ON_DEVICE)?)
    };
    cuMemcpyHtoDAsync_v2(to: Pointer, from: Pointer, bytes: usize, stream: u64) => |cuda| {
        cuda.submit(stream, copy((to, from), bytes, TO_DEVICE)?)
    };
    cuMemcpyDtoHAsync_v2(to: Pointer, from: Pointer, bytes: usize, stream: u64) => |cuda| {
        cuda.submit(stream, copy((to, from), bytes, FROM_DEVICE)?)
    };
    cuMemcpyDtoDAsync_v2(to: Pointer, from: Pointer, bytes: usize, stream: u64) => |cuda| {
        cuda.submit(stream, copy((to, from), bytes, ON_DEVICE)?)
    };
    cuMemsetD8_v2(to: u64, value: u8, count: usize) => |cuda| now(cuda, set(to, value.into(), 1, count));
    cuMemsetD16_v2(to: u64, value: u16, count: usize) => |cuda| now(cuda, set(to, value.into(), 2, count));
    cuMemsetD32_v2(to: u64, value: u32, count: usize) => |cuda| now(cuda, set(to, value, 4, count));
    cuMemsetD8Async(to: u64, value: u8, count: usize, stream: u64) => |cuda| {
        cuda.submit(stream, set(to, value.into(), 1, count))
    };
    cuMemsetD16Async(to: u64, value: u16, count: usize, stream: u64) => |cuda| {
        cuda.submit(stream, set(to, value.into(), 2, count))
    };
    cuMemsetD32Async(to: u64, value: u32, count: usize, stream: u64) => |cuda| {
        cuda.submit(stream, set(to, value, 4, count))
    };

    cuGetErrorName(error: i32, text: Out<*const c_char>) => |_| {
        text.put(CudaError(error).name().as_ptr().cast())
    };
    cuGetErrorString(error: i32, text: Out<*const c_char>) => |_| {
        text.put(CudaError(error).text().as_ptr().cast())
    };
}
