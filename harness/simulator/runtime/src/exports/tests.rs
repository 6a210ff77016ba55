//! A program's way through the exported functions: it registers a fat binary, allocates, copies, launches, asks what went wrong.

mod captured;
mod clusters;
mod conditional;
mod driver;
mod orders;
#[cfg(target_os = "linux")]
mod sharing;
mod waiting;

use std::sync::{Mutex, PoisonError};

use super::entry::with;
use super::structures::{Dim3, Extent};
use super::{
    binaries, capture, copies, device, events, graphs, launches, libraries, memory, nodes, textures,
};
use crate::error::{self, CudaError};
use crate::fatbin::tests::{Packing, fat_binary};
use crate::host::{In, Out, Pointer, Text};

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
    assert_eq!(binaries::__cudaPushCallConfiguration(asked, of, 0, 0), 0);
    let popped = binaries::__cudaPopCallConfiguration(
        Out::to(&mut grid),
        Out::to(&mut block),
        Out::to(&mut shared),
        Out::to(&mut stream),
    );
    assert_eq!((popped, shared, stream), (0, 0, 0));
    let (mut pointer, mut count) = (pointer, count);
    let arguments = [Pointer::to(&mut pointer), Pointer::to(&mut count)];
    launches::cudaLaunchKernel(KERNEL, grid, block, In::of(&arguments[0]), shared, stream)
}

/// Addresses that stand for a kernel and a variable on the host.
const KERNEL: u64 = 0x1000;
const FACTOR: u64 = 0x2000;

/// There is one runtime in a process: one test at a time.
static RUNTIME: Mutex<()> = Mutex::new(());

#[test]
fn a_program_runs_through_the_exported_functions() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let binary = fat_binary(&[(50, PTX)], Packing::Zstandard);
    let wrapper = binaries::Wrapper::of(&binary);
    let handle = binaries::__cudaRegisterFatBinary(In::of(&wrapper));
    let name = |text: &'static std::ffi::CStr| Text::of(text);
    binaries::__cudaRegisterFunction(handle, KERNEL, 0, name(c"scale"), -1, 0, 0, 0, 0, 0);
    binaries::__cudaRegisterVar(handle, FACTOR, 0, name(c"factor"), 0, 4, 0, 0);
    let mut calls = 0_u64;
    binaries::__cudaRegisterManagedVar(handle, Out::to(&mut calls), 0, name(c"calls"), 0, 4, 0, 0);
    binaries::__cudaRegisterFatBinaryEnd(handle);
    assert_eq!(binaries::__cudaInitModule(handle), 1);
    assert_ne!(calls, 0);

    // 1000 numbers, tripled; then by a factor that the host sets.
    let mut pointer = 0_u64;
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 4000), 0);
    let mut numbers: Vec<u32> = (0..1000).collect();
    let on_device = Pointer::of_device(pointer);
    let on_host = Pointer::to(&mut numbers[0]);
    assert_eq!(copies::cudaMemcpy(on_device, on_host, 4000, 1), 0);
    let (mut start, mut stop) = (0_u64, 0_u64);
    assert_eq!(events::cudaEventCreate(Out::to(&mut start)), 0);
    assert_eq!(events::cudaEventCreate(Out::to(&mut stop)), 0);
    assert_eq!(events::cudaEventRecord(start, 0), 0);
    assert_eq!(launch(8, 128, pointer, 1000), 0);
    assert_eq!(events::cudaEventRecord(stop, 0), 0);
    let mut five = 5_u32;
    assert_eq!(copies::cudaMemcpyToSymbol(FACTOR, Pointer::to(&mut five), 4, 0, 1), 0);
    assert_eq!(launch(8, 128, pointer, 500), 0);
    assert_eq!(device::cudaDeviceSynchronize(), 0);
    assert_eq!(copies::cudaMemcpy(on_host, on_device, 4000, 2), 0);
    let factor = |k| if k < 500 { 15 } else { 3 };
    assert!(numbers.iter().zip(0_u32..).all(|(number, k)| *number == factor(k) * k));
    let mut counted = 0_u32;
    let copied = copies::cudaMemcpy(Pointer::to(&mut counted), Pointer::of_device(calls), 4, 4);
    assert_eq!((copied, counted), (0, 1500));
    let mut milliseconds = 0.0;
    assert_eq!(events::cudaEventElapsedTime(Out::to(&mut milliseconds), start, stop), 0);
    assert!(milliseconds > 1e-3 && milliseconds < 1.0, "{milliseconds}");

    let mut attributes = [0_u64; 24];
    let asked = launches::cudaFuncGetAttributes(Out::to(&mut attributes).cast(), KERNEL);
    assert_eq!((asked, attributes[4] as u32), (0, 50), "what the PTX is for, whatever the GPU");

    // What a GPU refuses is refused, once.
    assert_eq!(launch(1, 2000, pointer, 1000), error::INVALID_CONFIGURATION.0);
    assert_eq!(device::cudaPeekAtLastError(), error::INVALID_CONFIGURATION.0);
    assert_eq!(device::cudaGetLastError(), error::INVALID_CONFIGURATION.0);
    assert_eq!(device::cudaGetLastError(), 0);
    assert_eq!(copies::cudaMemcpy(on_device, on_host, 4001, 1), error::INVALID_VALUE.0);
    assert_eq!(copies::cudaMemcpy(on_host, on_host, 4, 1), error::INVALID_VALUE.0);
    assert_eq!(memory::cudaFree(pointer + 4), error::INVALID_VALUE.0);
    assert_eq!(memory::cudaMalloc(Out::to(&mut start), 1 << 50), error::OUT_OF_MEMORY.0);
    assert_eq!(events::cudaStreamSynchronize(12345), error::INVALID_HANDLE.0);

    // A kernel's fault stays until the device is reset.
    assert_eq!(launch(8, 128, pointer, 1001), 0);
    assert_eq!(device::cudaDeviceSynchronize(), error::ILLEGAL_ADDRESS.0);
    assert_eq!(memory::cudaFree(pointer), error::ILLEGAL_ADDRESS.0);
    assert_eq!(device::cudaGetLastError(), error::ILLEGAL_ADDRESS.0);
    assert_eq!(device::cudaGetLastError(), error::ILLEGAL_ADDRESS.0);
    assert_eq!(device::cudaDeviceReset(), 0);
    assert_eq!(device::cudaGetLastError(), 0);
    assert_eq!(memory::cudaFree(pointer), 0);
    assert_eq!(CudaError(700).name(), "cudaErrorIllegalAddress\0");
}

extern "C" fn count(data: Pointer) {
    data.with_mut(4, |bytes| bytes[0] += 1);
}

#[test]
fn graphs_do_what_was_captured_or_added_each_time_that_they_are_launched() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let binary = fat_binary(&[(50, PTX)], Packing::Zstandard);
    let wrapper = binaries::Wrapper::of(&binary);
    let handle = binaries::__cudaRegisterFatBinary(In::of(&wrapper));
    binaries::__cudaRegisterFunction(handle, KERNEL, 0, Text::of(c"scale"), -1, 0, 0, 0, 0, 0);
    let (mut pointer, mut stream, mut other, mut event) = (0_u64, 0_u64, 0_u64, 0_u64);
    let (mut graph, mut executable, mut node) = (0_u64, 0_u64, 0_u64);
    let (mut numbers, mut rounds) = ([1_u32; 8], 0_u32);
    let none = In::of(&0_u64);
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 32), 0);
    assert_eq!(events::cudaStreamCreate(Out::to(&mut stream)), 0);
    assert_eq!(events::cudaStreamCreate(Out::to(&mut other)), 0);
    assert_eq!(events::cudaEventCreate(Out::to(&mut event)), 0);
    let (on_device, on_host) = (Pointer::of_device(pointer), Pointer::to(&mut numbers[0]));
    let (mut address, mut eight) = (pointer, 8_u32);
    let arguments = [Pointer::to(&mut address), Pointer::to(&mut eight)];
    let dim = |n| Dim3::new([n, 1, 1]);
    let triple = |stream| {
        launches::cudaLaunchKernel(KERNEL, dim(1), dim(32), In::of(&arguments[0]), 0, stream)
    };

    // Captured: ones to the device, tripled there, and back by way of another stream.
    assert_eq!(capture::cudaStreamEndCapture(stream, Out::to(&mut graph)), error::ILLEGAL_STATE.0);
    assert_eq!(capture::cudaStreamBeginCapture(0, 0), error::CAPTURE_UNSUPPORTED.0);
    assert_eq!(capture::cudaStreamBeginCapture(stream, 0), 0);
    assert_eq!(copies::cudaMemcpyAsync(on_device, on_host, 32, 1, stream), 0);
    assert_eq!(triple(stream), 0);
    assert_eq!(events::cudaEventRecord(event, stream), 0);
    assert_eq!(events::cudaStreamWaitEvent(other, event, 0), 0);
    assert_eq!(copies::cudaMemcpyAsync(on_host, on_device, 32, 2, other), 0);
    assert_eq!(events::cudaLaunchHostFunc(other, Some(count), Pointer::to(&mut rounds)), 0);
    assert_eq!(events::cudaStreamSynchronize(stream), error::CAPTURE_UNSUPPORTED.0);
    assert_eq!(events::cudaEventRecord(event, other), 0);
    assert_eq!(events::cudaStreamWaitEvent(stream, event, 0), 0);
    assert_eq!(capture::cudaStreamEndCapture(stream, Out::to(&mut graph)), 0);
    assert_eq!((numbers, rounds), ([1; 8], 0), "nothing was done yet");
    let mut nodes_of = 0_usize;
    assert_eq!(graphs::cudaGraphGetNodes(graph, Out::null(), Out::to(&mut nodes_of)), 0);
    assert_eq!(nodes_of, 4);
    assert_eq!(graphs::cudaGraphInstantiate(Out::to(&mut executable), graph), 0);
    assert_eq!(graphs::cudaGraphLaunch(executable, stream), 0);
    assert_eq!(graphs::cudaGraphLaunch(executable, stream), 0);
    assert_eq!((numbers, rounds), ([9; 8], 2));
    assert_eq!(graphs::cudaGraphDestroy(graph), 0);
    assert_eq!(graphs::cudaGraphExecDestroy(executable), 0);
    assert_eq!(graphs::cudaGraphLaunch(executable, stream), error::INVALID_VALUE.0);

    // Added: words of 7, tripled after that though added before, and half of them then set to 2.
    assert_eq!(graphs::cudaGraphCreate(Out::to(&mut graph), 0), 0);
    let kernel = nodes::KernelNode {
        function: KERNEL,
        grid: dim(1),
        block: dim(32),
        shared: 0,
        arguments: In::of(&arguments[0]),
        extra: Pointer::of_device(0),
    };
    let add = |node| nodes::cudaGraphAddKernelNode(node, graph, none, 0, In::of(&kernel));
    assert_eq!(add(Out::to(&mut node)), 0);
    let set = nodes::SetNode::words(on_device, 7, 8);
    let mut first = 0_u64;
    let first_of = Out::to(&mut first);
    assert_eq!(nodes::cudaGraphAddMemsetNode(first_of, graph, none, 0, In::of(&set)), 0);
    let (from, to) = (In::of(&first), In::of(&node));
    assert_eq!(graphs::cudaGraphAddDependencies(graph, from, to, 0, 1), 0);
    assert_eq!(graphs::cudaGraphInstantiate(Out::to(&mut executable), graph), 0);
    let half = nodes::SetNode::words(on_device, 2, 8);
    let changed = nodes::cudaGraphExecMemsetNodeSetParams(executable, node, In::of(&half));
    assert_eq!(changed, error::INVALID_VALUE.0, "the node of a kernel");
    for (set, expected) in [(set, 21), (half, 6)] {
        let changed = nodes::cudaGraphExecMemsetNodeSetParams(executable, first, In::of(&set));
        assert_eq!(changed, 0);
        assert_eq!(graphs::cudaGraphLaunch(executable, 0), 0);
        assert_eq!(copies::cudaMemcpy(on_host, on_device, 32, 2), 0);
        assert_eq!(numbers, [expected; 8]);
    }
    assert_eq!(memory::cudaFree(pointer), 0);
}

#[test]
fn levels_of_a_mipmap_are_arrays_until_it_is_freed() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut mipmap, mut level) = (0_u64, 0_u64);
    let floats = [32_i32, 0, 0, 0, 2];
    let extent = Extent { width: 16, height: 8, depth: 0 };
    let make =
        |out, levels| textures::cudaMallocMipmappedArray(out, In::of(&floats), extent, levels, 0);
    assert_eq!(make(Out::to(&mut mipmap), 6), error::INVALID_VALUE.0);
    assert_eq!(make(Out::to(&mut mipmap), 5), 0);
    let level_of = |out, number| textures::cudaGetMipmappedArrayLevel(out, mipmap, number);
    assert_eq!(level_of(Out::to(&mut level), 5), error::INVALID_VALUE.0);
    assert_eq!(level_of(Out::to(&mut level), 2), 0);
    let mut shape = Extent { width: 0, height: 0, depth: 0 };
    let asked = textures::cudaArrayGetInfo(Out::null(), Out::to(&mut shape), Out::null(), level);
    assert_eq!((asked, shape.width, shape.height, shape.depth), (0, 4, 2, 0));
    // A level is written and read as any array, and not freed alone.
    let (mut written, mut read) = ([1.5_f32; 8], [0.0_f32; 8]);
    let (from, to) = (Pointer::to(&mut written[0]), Pointer::to(&mut read[0]));
    assert_eq!(textures::cudaMemcpy2DToArray(level, 0, 0, from, 16, 16, 2, 1), 0);
    assert_eq!(textures::cudaMemcpy2DFromArray(to, 16, level, 0, 0, 16, 2, 2), 0);
    assert_eq!(read, written);
    assert_eq!(textures::cudaFreeArray(level), error::INVALID_HANDLE.0);
    assert_eq!(textures::cudaFreeMipmappedArray(mipmap), 0);
    assert_eq!(textures::cudaFreeMipmappedArray(mipmap), error::INVALID_HANDLE.0);
    assert_eq!(textures::cudaFreeArray(level), error::INVALID_HANDLE.0);
}

#[test]
fn a_library_gives_its_kernels_and_variables_until_it_is_unloaded() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let binary = fat_binary(&[(50, PTX)], Packing::Zstandard);
    let mut wrapper = binaries::Wrapper::of(&binary);
    let mut text = format!("{PTX}\0").into_bytes();
    // However the code is handed over: in a wrapper, as a fat binary, as text.
    let forms = [
        Pointer::to(&mut wrapper),
        Pointer::of_device(binary.as_ptr() as u64),
        Pointer::to(&mut text[0]),
    ];
    let used = || with("test", |cuda| cuda.simulator.used_bytes());
    let before = used();
    for data in forms {
        let (mut library, mut kernel, mut again, mut listed) = (0_u64, 0_u64, 0_u64, [0_u64; 2]);
        let loaded = libraries::cudaLibraryLoadData(Out::to(&mut library), data, 0, 0, 0, 0, 0, 0);
        assert_eq!(loaded, 0);
        let get = |out, name| libraries::cudaLibraryGetKernel(out, library, Text::of(name));
        assert_eq!(get(Out::to(&mut kernel), c"none"), error::NOT_FOUND.0);
        assert_eq!(get(Out::to(&mut kernel), c"scale"), 0);
        assert_eq!(get(Out::to(&mut again), c"scale"), 0);
        let mut count = 0_u32;
        assert_eq!(libraries::cudaLibraryGetKernelCount(Out::to(&mut count), library), 0);
        let listing = libraries::cudaLibraryEnumerateKernels(Out::to(&mut listed[0]), 2, library);
        assert_eq!((listing, count, again, listed), (0, 1, kernel, [kernel, 0]));

        // The variable is the library's own, and its kernel reads it.
        let (mut factor, mut bytes, mut pointer) = (0_u64, 0_usize, 0_u64);
        let mut global = |name| {
            let (factor, bytes) = (Out::to(&mut factor), Out::to(&mut bytes));
            libraries::cudaLibraryGetGlobal(factor, bytes, library, Text::of(name))
        };
        assert_eq!(global(c"none"), error::NOT_FOUND.0);
        assert_eq!(global(c"factor"), 0);
        assert_eq!(bytes, 4);
        let (mut calls, mut seven) = (0_u64, 7_u32);
        let mut managed = |name| {
            let place = Out::to(&mut calls);
            libraries::cudaLibraryGetManaged(place, Out::null(), library, Text::of(name))
        };
        assert_eq!(managed(c"factor"), error::NOT_FOUND.0, "only the device has it");
        assert_eq!(managed(c"calls"), 0);
        let (mut of_both, scale) = (0_u64, Text::of(c"scale"));
        let done = libraries::cudaLibraryGetUnifiedFunction(Out::to(&mut of_both), library, scale);
        assert_eq!((done, of_both), (error::NOT_SUPPORTED.0, 0));
        let mut numbers = [1_u32, 2, 3, 4];
        assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 16), 0);
        let (on_device, on_host) = (Pointer::of_device(pointer), Pointer::to(&mut numbers[0]));
        let to_factor = Pointer::of_device(factor);
        assert_eq!(copies::cudaMemcpy(to_factor, Pointer::to(&mut seven), 4, 1), 0);
        assert_eq!(copies::cudaMemcpy(on_device, on_host, 16, 1), 0);
        let (mut address, mut four) = (pointer, 4_u32);
        let arguments = [Pointer::to(&mut address), Pointer::to(&mut four)];
        let dim = |n| Dim3::new([n, 1, 1]);
        let run =
            || launches::cudaLaunchKernel(kernel, dim(1), dim(32), In::of(&arguments[0]), 0, 0);
        assert_eq!(run(), 0);
        assert_eq!(copies::cudaMemcpy(on_host, on_device, 16, 2), 0);
        assert_eq!(numbers, [7, 14, 21, 28]);
        assert_eq!(Pointer::of_device(calls).value::<u32>(), Ok(4), "the host reads it");

        assert_eq!(libraries::cudaLibraryUnload(library), 0);
        assert_eq!(libraries::cudaLibraryUnload(library), error::INVALID_HANDLE.0);
        assert_eq!(run(), error::INVALID_FUNCTION.0, "its kernel went with it");
        assert_eq!(memory::cudaFree(pointer), 0);
        assert_eq!(used(), before, "its variables went too");
    }
    let mut library = 0_u64;
    let mut nothing = *b"no device code\0";
    let data = Pointer::to(&mut nothing);
    let loaded = libraries::cudaLibraryLoadData(Out::to(&mut library), data, 0, 0, 0, 0, 0, 0);
    assert_eq!((loaded, library), (error::INVALID_IMAGE.0, 0));
    assert_eq!(libraries::cudaLibraryUnload(0), error::INVALID_HANDLE.0);
}
