//! A program's way through the exported functions: it registers a fat binary, allocates, copies, launches, asks what went wrong.

use super::pointer::{In, Out, Pointer, Text};
use super::{Dim3, device, events, launching, moving, registration, storing};
use crate::code::{self, Code};
use crate::fatbin::tests::{Packing, fat_binary};

const PTX: &str = "
.version 7.8
.target sm_50
.address_size 64
.global .align 4 .u32 factor = 3;
.global .attribute(.managed) .align 4 .u32 calls;
.visible .entry scale(.param .u64 p, .param .u32 n) {
    .reg .pred %q; .reg .b32 %r<8>; .reg .b64 %rd<4>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u32 %r5, [n];
    setp.ge.u32 %q, %r4, %r5;
    @%q bra done;
    ld.param.u64 %rd1, [p];
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r6, [%rd3];
    ld.global.u32 %r7, [factor];
    mul.lo.u32 %r6, %r6, %r7;
    st.global.u32 [%rd3], %r6;
    red.global.add.u32 [calls], 1;
done:
    ret;
}";

/// Launches `scale` as the code that nvcc generates does.
fn launch(blocks: u32, threads: u32, pointer: u64, count: u32) -> i32 {
    let (mut grid, mut block) = (Dim3::new([0; 3]), Dim3::new([0; 3]));
    let (mut shared, mut stream) = (7_usize, 7_u64);
    let (asked, of) = (Dim3::new([blocks, 1, 1]), Dim3::new([threads, 1, 1]));
    assert_eq!(registration::__cudaPushCallConfiguration(asked, of, 0, 0), 0);
    let popped = registration::__cudaPopCallConfiguration(
        Out::to(&mut grid),
        Out::to(&mut block),
        Out::to(&mut shared),
        Out::to(&mut stream),
    );
    assert_eq!((popped, shared, stream), (0, 0, 0));
    let (mut pointer, mut count) = (pointer, count);
    let arguments = [Pointer::to(&mut pointer), Pointer::to(&mut count)];
    launching::cudaLaunchKernel(KERNEL, grid, block, In::of(&arguments[0]), shared, stream)
}

/// Addresses that stand for a kernel and a variable on the host.
const KERNEL: u64 = 0x1000;
const FACTOR: u64 = 0x2000;

#[test]
fn a_program_runs_through_the_exported_functions() {
    let binary = fat_binary(&[(50, PTX)], Packing::Zstandard);
    let wrapper = registration::Wrapper::of(&binary);
    let handle = registration::__cudaRegisterFatBinary(In::of(&wrapper));
    let name = |text: &'static std::ffi::CStr| Text::of(text);
    registration::__cudaRegisterFunction(handle, KERNEL, 0, name(c"scale"), -1, 0, 0, 0, 0, 0);
    registration::__cudaRegisterVar(handle, FACTOR, 0, name(c"factor"), 0, 4, 0, 0);
    let mut calls = 0_u64;
    registration::__cudaRegisterManagedVar(
        handle,
        Out::to(&mut calls),
        0,
        name(c"calls"),
        0,
        4,
        0,
        0,
    );
    registration::__cudaRegisterFatBinaryEnd(handle);
    assert_eq!(registration::__cudaInitModule(handle), 1);
    assert_ne!(calls, 0);

    // 1000 numbers, tripled; then by a factor that the host sets.
    let mut pointer = 0_u64;
    assert_eq!(storing::cudaMalloc(Out::to(&mut pointer), 4000), 0);
    let mut numbers: Vec<u32> = (0..1000).collect();
    let on_device = Pointer::of_device(pointer);
    let on_host = Pointer::to(&mut numbers[0]);
    assert_eq!(moving::cudaMemcpy(on_device, on_host, 4000, 1), 0);
    let (mut start, mut stop) = (0_u64, 0_u64);
    assert_eq!(events::cudaEventCreate(Out::to(&mut start)), 0);
    assert_eq!(events::cudaEventCreate(Out::to(&mut stop)), 0);
    assert_eq!(events::cudaEventRecord(start, 0), 0);
    assert_eq!(launch(8, 128, pointer, 1000), 0);
    assert_eq!(events::cudaEventRecord(stop, 0), 0);
    let mut five = 5_u32;
    assert_eq!(moving::cudaMemcpyToSymbol(FACTOR, Pointer::to(&mut five), 4, 0, 1), 0);
    assert_eq!(launch(8, 128, pointer, 500), 0);
    assert_eq!(device::cudaDeviceSynchronize(), 0);
    assert_eq!(moving::cudaMemcpy(on_host, on_device, 4000, 2), 0);
    let factor = |k| if k < 500 { 15 } else { 3 };
    assert!(numbers.iter().zip(0_u32..).all(|(number, k)| *number == factor(k) * k));
    let mut counted = 0_u32;
    let copied = moving::cudaMemcpy(Pointer::to(&mut counted), Pointer::of_device(calls), 4, 4);
    assert_eq!((copied, counted), (0, 1500));
    let mut milliseconds = 0.0;
    assert_eq!(events::cudaEventElapsedTime(Out::to(&mut milliseconds), start, stop), 0);
    assert!(milliseconds > 1e-3 && milliseconds < 1.0, "{milliseconds}");

    // What a GPU refuses is refused, once.
    assert_eq!(launch(1, 2000, pointer, 1000), code::INVALID_CONFIGURATION.0);
    assert_eq!(device::cudaPeekAtLastError(), code::INVALID_CONFIGURATION.0);
    assert_eq!(device::cudaGetLastError(), code::INVALID_CONFIGURATION.0);
    assert_eq!(device::cudaGetLastError(), 0);
    assert_eq!(moving::cudaMemcpy(on_device, on_host, 4001, 1), code::INVALID_VALUE.0);
    assert_eq!(moving::cudaMemcpy(on_host, on_host, 4, 1), code::INVALID_VALUE.0);
    assert_eq!(storing::cudaFree(pointer + 4), code::INVALID_VALUE.0);
    assert_eq!(storing::cudaMalloc(Out::to(&mut start), 1 << 50), code::OUT_OF_MEMORY.0);
    assert_eq!(events::cudaStreamSynchronize(12345), code::INVALID_HANDLE.0);

    // A kernel's fault stays until the device is reset.
    assert_eq!(launch(8, 128, pointer, 1001), 0);
    assert_eq!(device::cudaDeviceSynchronize(), code::ILLEGAL_ADDRESS.0);
    assert_eq!(storing::cudaFree(pointer), code::ILLEGAL_ADDRESS.0);
    assert_eq!(device::cudaGetLastError(), code::ILLEGAL_ADDRESS.0);
    assert_eq!(device::cudaGetLastError(), code::ILLEGAL_ADDRESS.0);
    assert_eq!(device::cudaDeviceReset(), 0);
    assert_eq!(device::cudaGetLastError(), 0);
    assert_eq!(storing::cudaFree(pointer), 0);
    assert_eq!(Code(700).name(), "cudaErrorIllegalAddress\0");
}
