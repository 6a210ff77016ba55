//! The driver's functions, as a program uses them that is linked with `libcuda`.

use std::sync::PoisonError;

use super::super::launches::Attribute;
use super::super::{device, driver, libraries, memory};
use super::RUNTIME;
use crate::error;
use crate::host::{In, Out, Pointer, Text};

/// Each thread doubles its word once for each block of its cluster.
const PTX: &std::ffi::CStr = c"
.version 7.8
.target sm_90
.address_size 64
.visible .entry double(.param .u64 p) {
    .reg .b32 %r<5>; .reg .b64 %rd<3>;
    mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;
    mad.lo.u32 %r1, %r3, %r4, %r1;
    mov.u32 %r3, %cluster_nctarank;
    ld.param.u64 %rd1, [p];
    mad.wide.u32 %rd1, %r1, 4, %rd1;
    ld.global.u32 %r2, [%rd1];
    shl.b32 %r2, %r2, %r3;
    st.global.u32 [%rd1], %r2;
    ret;
}";

#[test]
fn a_module_is_loaded_and_its_kernel_launched() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut context, mut module, mut function, mut pointer) = (0, 0, 0, 0_u64);
    assert_eq!(driver::cuInit(0), 0);
    assert_eq!(driver::cuCtxCreate_v2(Out::to(&mut context), 0, 1), error::INVALID_DEVICE.0);
    assert_eq!(driver::cuCtxCreate_v2(Out::to(&mut context), 0, 0), 0);
    let mut text = PTX.to_bytes_with_nul().to_vec();
    assert_eq!(driver::cuModuleLoadData(Out::to(&mut module), Pointer::to(&mut text[0])), 0);
    let find = |name, into| libraries::cuModuleGetFunction(into, module, name);
    assert_eq!(find(Text::of(c"triple"), Out::to(&mut function)), error::NOT_FOUND.0);
    assert_eq!(find(Text::of(c"double"), Out::to(&mut function)), 0);
    assert_eq!(memory::cuMemAlloc_v2(Out::to(&mut pointer), 16), 0);
    assert_eq!(driver::cuMemsetD32_v2(pointer, 7, 4), 0);
    let mut words = [5_u32, 6];
    let (on_device, on_host) = (Pointer::of_device(pointer), Pointer::to(&mut words[0]));
    assert_eq!(driver::cuMemcpyHtoD_v2(on_device, on_host, 8), 0);
    let mut parameter = pointer;
    let arguments = [Pointer::to(&mut parameter)];
    let launch = |extra| {
        let arguments = In::of(&arguments[0]);
        driver::cuLaunchKernel(function, 1, 1, 1, 3, 1, 1, 0, 0, arguments, extra)
    };
    assert_eq!(launch(1), error::NOT_SUPPORTED.0);
    assert_eq!((launch(0), device::cuCtxSynchronize()), (0, 0));
    let mut all = [0_u32; 4];
    assert_eq!(driver::cuMemcpyDtoH_v2(Pointer::to(&mut all[0]), on_device, 16), 0);
    assert_eq!(all, [10, 12, 14, 7]);
    let attribute = Attribute::cluster(2);
    let configuration = driver::Configuration {
        grid: [2, 1, 1],
        block: [2, 1, 1],
        shared: 0,
        stream: 0,
        attributes: In::of(&attribute),
        count: 1,
    };
    let (configuration, arguments) = (In::of(&configuration), In::of(&arguments[0]));
    assert_eq!(driver::cuLaunchKernelEx(configuration, function, arguments, 0), 0);
    assert_eq!(driver::cuMemcpyDtoH_v2(Pointer::to(&mut all[0]), on_device, 16), 0);
    assert_eq!(all, [40, 48, 56, 28]);
    assert_eq!((memory::cuMemFree_v2(pointer), libraries::cuModuleUnload(module)), (0, 0));
}

#[test]
fn a_name_is_cut_where_the_buffer_ends() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = [1_u8; 8];
    assert_eq!(driver::cuDeviceGetName(Out::to(&mut text[0]), 5, 0), 0);
    assert!(text[..4].iter().all(u8::is_ascii_graphic) && text[4..] == [0, 1, 1, 1], "{text:?}");
    assert_eq!(driver::cuDeviceGetName(Out::to(&mut text[0]), 0, 0), error::INVALID_VALUE.0);
}
