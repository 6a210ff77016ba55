//! Kernels whose blocks communicate run in another order too, on a memory that returns old values where it may.

use std::sync::PoisonError;

use super::super::structures::Dim3;
use super::super::{binaries, copies, device, launches, memory};
use super::RUNTIME;
use crate::fatbin::tests::{Packing, fat_binary};
use crate::host::{In, Out, Pointer, Text};

/// The first block stores a value, then a flag; the second waits for the flag, and keeps the value. `$fence` comes between.
const PTX: &str = "
.visible .entry $name(.param .u64 p) {
    .reg .pred %q; .reg .b32 %r<3>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %q, %r1, 0;
    @%q bra again;
    st.volatile.global.u32 [%rd1], 7;
    $fence
    st.volatile.global.u32 [%rd1+4], 1;
    ret;
again:
    ld.volatile.global.u32 %r1, [%rd1+4];
    setp.eq.u32 %q, %r1, 0;
    @%q bra again;
    $fence
    ld.volatile.global.u32 %r2, [%rd1];
    st.global.u32 [%rd1+8], %r2;
    ret;
}";

const ORDERED: u64 = 0x8000;
const UNORDERED: u64 = 0x8010;

/// What the second block kept, of some launches.
fn kept(function: u64, mut pointer: u64) -> Vec<u32> {
    let shape = |x| Dim3::new([x, 1, 1]);
    let mut of_launch = || {
        assert_eq!(copies::cudaMemset(Pointer::of_device(pointer), 0, 12), 0);
        let argument = Pointer::to(&mut pointer);
        let launched =
            launches::cudaLaunchKernel(function, shape(2), shape(1), In::of(&argument), 0, 0);
        assert_eq!((launched, device::cudaDeviceSynchronize()), (0, 0));
        let mut found = 0_u32;
        let from = Pointer::of_device(pointer + 8);
        assert_eq!(copies::cudaMemcpy(Pointer::to(&mut found), from, 4, 2), 0);
        found
    };
    (0..40).map(|_| of_launch()).collect()
}

#[test]
fn a_missing_fence_shows_in_what_the_program_finds() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let kernel = |name, fence| PTX.replace("$name", name).replace("$fence", fence);
    let kernels = [kernel("ordered", "membar.gl;"), kernel("unordered", "")].concat();
    let ptx = format!(".version 7.8\n.target sm_50\n.address_size 64\n{kernels}");
    let binary = fat_binary(&[(50, &ptx)], Packing::Plain);
    let wrapper = binaries::Wrapper::of(&binary);
    let handle = binaries::__cudaRegisterFatBinary(In::of(&wrapper));
    for (host, name) in [(ORDERED, c"ordered"), (UNORDERED, c"unordered")] {
        binaries::__cudaRegisterFunction(handle, host, 0, Text::of(name), -1, 0, 0, 0, 0, 0);
    }
    let mut pointer = 0;
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 12), 0);
    assert_eq!(kept(ORDERED, pointer), [7; 40]);
    let unordered = kept(UNORDERED, pointer);
    assert!(unordered.contains(&0) && unordered.contains(&7), "{unordered:?}");
    assert_eq!(memory::cudaFree(pointer), 0);
}
