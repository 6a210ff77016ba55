//! Tensor maps of the driver.

use cudarc::driver::sys;
use simt::texture::{MAP_BYTES, TensorElement, TensorMap as Description};

use super::driver::{check_functions, failed};
use super::open::CudaDevice;
use crate::api::buffer::Buffer;
use crate::api::tensor::{Boxes, TensorMap};
use crate::error::Error;

/// The driver's function that is called here alone. Drivers have it from CUDA 12.0 on.
pub(super) const FUNCTIONS: &str = "cuTensorMapEncodeTiled";

impl CudaDevice {
    pub(super) fn new_tensor_map(
        &mut self,
        buffer: &Buffer,
        boxes: &Boxes,
    ) -> Result<TensorMap, Error> {
        let description = boxes.description(self.id, buffer)?;
        check_functions(FUNCTIONS)?;
        self.bind()?;
        let mut map = sys::CUtensorMap { opaque: [0; MAP_BYTES / 8] };
        let (pace, strides) = ([1; 2], &description.strides[1..]);
        // SAFETY: the function is there. It reads as many numbers of each array as there are dimensions, of strides one less,
        // and writes the map, which has the alignment of its type.
        unsafe {
            sys::cuTensorMapEncodeTiled(
                &mut map,
                type_of(description.element),
                description.dimensions.into(),
                description.address as *mut _,
                description.sizes.as_ptr(),
                strides.as_ptr(),
                description.boxes.as_ptr(),
                pace.as_ptr(),
                sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                swizzle_of(&description),
                sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
            )
        }
        .result()
        .map_err(failed(format!("making a tensor map of `{}`", buffer.name())))?;
        TensorMap::new(map.opaque, self.id, buffer)
    }
}

fn type_of(element: TensorElement) -> sys::CUtensorMapDataType {
    use sys::CUtensorMapDataType::*;
    match element {
        TensorElement { is_brain: true, .. } => CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        TensorElement { is_float: true, bytes: 2, .. } => CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        TensorElement { is_float: true, bytes: 4, .. } => CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        TensorElement { is_float: true, .. } => CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        TensorElement { bytes: 1, .. } => CU_TENSOR_MAP_DATA_TYPE_UINT8,
        TensorElement { bytes: 2, .. } => CU_TENSOR_MAP_DATA_TYPE_UINT16,
        TensorElement { bytes: 4, is_signed: true, .. } => CU_TENSOR_MAP_DATA_TYPE_INT32,
        TensorElement { bytes: 4, .. } => CU_TENSOR_MAP_DATA_TYPE_UINT32,
        TensorElement { is_signed: true, .. } => CU_TENSOR_MAP_DATA_TYPE_INT64,
        TensorElement { .. } => CU_TENSOR_MAP_DATA_TYPE_UINT64,
    }
}

fn swizzle_of(description: &Description) -> sys::CUtensorMapSwizzle {
    use sys::CUtensorMapSwizzle::*;
    match description.swizzle {
        32 => CU_TENSOR_MAP_SWIZZLE_32B,
        64 => CU_TENSOR_MAP_SWIZZLE_64B,
        128 => CU_TENSOR_MAP_SWIZZLE_128B,
        _ => CU_TENSOR_MAP_SWIZZLE_NONE,
    }
}
