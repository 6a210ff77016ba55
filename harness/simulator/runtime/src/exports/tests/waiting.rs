//! Kernels that wait for what the host writes after their launch.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use super::super::structures::Dim3;
use super::super::{binaries, copies, device, events, launches, memory};
use super::RUNTIME;
use crate::error;
use crate::fatbin::tests::{Packing, fat_binary};
use crate::host::{In, Out, Pointer, Text};

/// `wait` waits until a word is not zero; `twice` doubles the next one.
const PTX: &str = "
.version 7.8
.target sm_50
.address_size 64
.visible .entry wait(.param .u64 p) {
    .reg .pred %q; .reg .b32 %r<2>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
again:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %q, %r1, 0;
    @%q bra again;
    ret;
}
.visible .entry twice(.param .u64 p) {
    .reg .b32 %r<2>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [%rd1+4];
    add.u32 %r1, %r1, %r1;
    st.global.u32 [%rd1+4], %r1;
    ret;
}";

const WAIT: u64 = 0x7000;
const TWICE: u64 = 0x7010;

fn register() {
    let binary = fat_binary(&[(50, PTX)], Packing::Plain);
    let wrapper = binaries::Wrapper::of(&binary);
    let handle = binaries::__cudaRegisterFatBinary(In::of(&wrapper));
    for (host, name) in [(WAIT, c"wait"), (TWICE, c"twice")] {
        binaries::__cudaRegisterFunction(handle, host, 0, Text::of(name), -1, 0, 0, 0, 0, 0);
    }
}

fn launch(function: u64, mut pointer: u64, stream: u64) -> i32 {
    let argument = Pointer::to(&mut pointer);
    let one = || Dim3::new([1; 3]);
    launches::cudaLaunchKernel(function, one(), one(), In::of(&argument), 0, stream)
}

/// Two words that host and device share.
fn words() -> (u64, &'static [AtomicU32; 2]) {
    let mut pointer = 0;
    assert_eq!(memory::cudaMallocHost(Out::to(&mut pointer), 8), 0);
    // SAFETY: the runtime allocated as many bytes, and nobody frees them before the test's end.
    let words = unsafe { &*(pointer as *const [AtomicU32; 2]) };
    (pointer, words)
}

#[test]
fn a_kernel_waits_for_the_host_and_its_stream_for_the_kernel() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    register();
    let (pointer, words) = words();
    let (mut stream, mut event, mut copied) = (0, 0, 0);
    assert_eq!(events::cudaStreamCreate(Out::to(&mut stream)), 0);
    assert_eq!(events::cudaEventCreate(Out::to(&mut event)), 0);
    assert_eq!(memory::cudaMallocHost(Out::to(&mut copied), 4), 0);
    words[1].store(21, Ordering::Relaxed);

    assert_eq!(launch(WAIT, pointer, stream), 0);
    assert_eq!(launch(TWICE, pointer, stream), 0);
    let (to, from) = (Pointer::of_device(copied), Pointer::of_device(pointer + 4));
    assert_eq!(copies::cudaMemcpyAsync(to, from, 4, 4, stream), 0);
    assert_eq!(events::cudaEventRecord(event, stream), 0);
    assert_eq!(events::cudaEventQuery(event), error::NOT_READY.0);
    assert_eq!(events::cudaStreamQuery(stream), error::NOT_READY.0);
    assert_eq!(words[1].load(Ordering::Relaxed), 21, "the second kernel comes after the first");

    words[0].store(1, Ordering::Relaxed);
    assert_eq!(events::cudaStreamSynchronize(stream), 0);
    assert_eq!(events::cudaEventQuery(event), 0);
    assert_eq!(words[1].load(Ordering::Relaxed), 42);
    assert_eq!(Pointer::of_device(copied).value::<u32>().unwrap(), 42);

    // Another thread may write while this one waits.
    words[0].store(0, Ordering::Relaxed);
    assert_eq!(launch(WAIT, pointer, stream), 0);
    thread::spawn(|| {
        thread::sleep(Duration::from_millis(50));
        words[0].store(1, Ordering::Relaxed);
    });
    assert_eq!(device::cudaDeviceSynchronize(), 0);
    assert_eq!(memory::cudaFreeHost(pointer), 0);
}

#[test]
fn a_kernel_for_which_the_host_waits_in_vain_is_stopped() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    register();
    let (pointer, _) = words();
    assert_eq!(launch(WAIT, pointer, 0), 0);
    assert_eq!(launch(TWICE, pointer, 0), 0);
    assert_eq!(device::cudaDeviceSynchronize(), error::TIMEOUT.0);
    assert_eq!(launch(TWICE, pointer, 0), error::TIMEOUT.0);
    assert_eq!(device::cudaDeviceReset(), 0);
    assert_eq!(memory::cudaFreeHost(pointer), 0);
}
