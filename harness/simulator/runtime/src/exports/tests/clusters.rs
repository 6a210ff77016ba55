//! Launches in clusters, and tensor maps.

use std::sync::PoisonError;

use simt::texture::{MAP_BYTES, TensorMap};

use super::super::launches::{Attribute, Configuration};
use super::super::{binaries, copies, device, launches, memory, tensors};
use super::RUNTIME;
use crate::error;
use crate::fatbin::tests::{Packing, fat_binary};
use crate::host::{In, Out, Pointer, Text};

/// Each block stores its rank and the size of its cluster.
const PTX: &str = "
.version 7.8
.target sm_90
.address_size 64
.visible .entry ranks(.param .u64 p) {
    .reg .b32 %r<4>; .reg .b64 %rd<4>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %cluster_ctarank;
    mov.u32 %r3, %cluster_nctarank;
    mad.lo.u32 %r2, %r3, 10, %r2;
    ld.param.u64 %rd1, [p];
    mad.wide.u32 %rd1, %r1, 4, %rd1;
    st.global.u32 [%rd1], %r2;
    ret;
}";

const KERNEL: u64 = 0x7000;

#[test]
fn a_launch_names_its_clusters() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let binary = fat_binary(&[(50, PTX)], Packing::Zstandard);
    let wrapper = binaries::Wrapper::of(&binary);
    let handle = binaries::__cudaRegisterFatBinary(In::of(&wrapper));
    binaries::__cudaRegisterFunction(handle, KERNEL, 0, Text::of(c"ranks"), -1, 0, 0, 0, 0, 0);
    binaries::__cudaRegisterFatBinaryEnd(handle);
    let mut pointer = 0_u64;
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 16), 0);
    let launch = |size: u32| {
        let attribute = Attribute::cluster(size);
        let configuration = Configuration::of_blocks(4, &attribute);
        let mut pointer = pointer;
        let arguments = [Pointer::to(&mut pointer)];
        launches::cudaLaunchKernelExC(In::of(&configuration), KERNEL, In::of(&arguments[0]))
    };
    assert_eq!(launch(2), 0);
    assert_eq!(device::cudaDeviceSynchronize(), 0);
    let mut ranks = [0_u32; 4];
    let on_host = Pointer::to(&mut ranks[0]);
    assert_eq!(copies::cudaMemcpy(on_host, Pointer::of_device(pointer), 16, 2), 0);
    assert_eq!(ranks, [20, 21, 20, 21]);
    assert_eq!(launch(3), error::INVALID_CONFIGURATION.0, "4 blocks are no clusters of 3");
    assert_eq!(device::cudaDeviceReset(), 0);
}

#[test]
fn a_tensor_map_is_made_or_refused() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut function, mut status) = (0_u64, 7_u32);
    let asked = Text::of(c"cuTensorMapEncodeTiled");
    let found = (Out::to(&mut function), Out::to(&mut status));
    assert_eq!(tensors::cudaGetDriverEntryPoint(asked, found.0, 0, found.1), 0);
    assert!(function != 0 && status == 0);
    let other = Text::of(c"cuTensorMapReplaceAddress");
    assert_eq!(tensors::cudaGetDriverEntryPoint(other, found.0, 0, found.1), 0);
    assert_eq!((function, status), (0, 1));
    let (sizes, strides, boxes, steps) = ([100_u64, 50], [208_u64], [64_u32, 8], [1_u32, 1]);
    let mut map = [0_u8; MAP_BYTES];
    // Two dimensions of halves, swizzled in 128 bytes.
    let mut encode = |address| {
        let arrays = (In::of(&sizes[0]), In::of(&strides[0]), In::of(&boxes[0]), In::of(&steps[0]));
        let (sizes, strides, boxes, steps) = arrays;
        let into = Out::to(&mut map);
        tensors::cuTensorMapEncodeTiled(
            into, 6, 2, address, sizes, strides, boxes, steps, 0, 3, 0, 0,
        )
    };
    assert_eq!(encode(8), error::INVALID_VALUE.0, "the address is no multiple of 16");
    assert_eq!(encode(0x1000), 0);
    let made = TensorMap::decode(&map).expect("a map");
    assert_eq!((made.address, made.swizzle, made.box_bytes()), (0x1000, 128, 1024));
    assert_eq!(made.at([2, 3, 0, 0, 0]), Some(0x1000 + 4 + 3 * 208));
}
