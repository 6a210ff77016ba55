//! Arrays, texture objects and surface objects of the driver.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::result::DriverError;
use cudarc::driver::{CudaContext, sys};
use simt::texture::{AddressMode, Channel, Filter, Format, Geometry, Sampler, Shape, Texels};

use super::driver::{check_functions, failed};
use super::open::CudaDevice;
use crate::api::texture::{Array, Object, TextureOf};
use crate::error::Error;

/// The driver's functions that are called here alone.
const FUNCTIONS: &str = "
    cuArray3DCreate_v2 cuArrayDestroy cuMemcpy3D_v2 cuSurfObjectCreate cuSurfObjectDestroy cuTexObjectCreate
    cuTexObjectDestroy";

/// An array of the driver; freed when dropped.
struct OwnArray {
    context: Arc<CudaContext>,
    array: sys::CUarray,
}

// SAFETY: the handle is the driver's, which may be used from any thread that has the context bound.
unsafe impl Send for OwnArray {}
// SAFETY: as above; through `&OwnArray` it is only read.
unsafe impl Sync for OwnArray {}

impl Drop for OwnArray {
    fn drop(&mut self) {
        // As for memory: an error here is an earlier launch's. Work that uses the array ends first.
        if self.context.synchronize().is_ok() {
            // SAFETY: this is the handle's only owner, and its objects have ended: they keep it alive.
            let _ = unsafe { sys::cuArrayDestroy(self.array) };
        }
    }
}

/// An object of the driver; ended when dropped.
struct OwnObject {
    context: Arc<CudaContext>,
    number: u64,
    end: unsafe fn(u64) -> sys::CUresult,
}

impl Drop for OwnObject {
    fn drop(&mut self) {
        if self.context.synchronize().is_ok() {
            // SAFETY: this is the number's only owner, and no kernel runs that has it.
            let _ = unsafe { (self.end)(self.number) };
        }
    }
}

/// A copy between host memory and all of an array.
enum Copy {
    ToArray(*const c_void),
    FromArray(*mut c_void),
}

impl CudaDevice {
    pub(super) fn new_array(&mut self, name: &str, shape: Shape) -> Result<Array, Error> {
        shape.check()?;
        check_functions(FUNCTIONS)?;
        self.bind()?;
        let [width, height, depth] = shape.extent.map(|extent| extent as usize);
        let flat = matches!(shape.geometry, Geometry::Row | Geometry::Rows);
        let deep = !matches!(shape.geometry, Geometry::Row | Geometry::Plane);
        let flags = match shape.geometry {
            Geometry::Row | Geometry::Plane | Geometry::Space => 0,
            Geometry::Rows | Geometry::Planes => sys::CUDA_ARRAY3D_LAYERED,
            Geometry::Cube => sys::CUDA_ARRAY3D_CUBEMAP,
            Geometry::Cubes => sys::CUDA_ARRAY3D_CUBEMAP | sys::CUDA_ARRAY3D_LAYERED,
        };
        // The driver lets nothing else be gathered.
        let gathers = match shape.geometry {
            Geometry::Plane => sys::CUDA_ARRAY3D_TEXTURE_GATHER,
            _ => 0,
        };
        let description = sys::CUDA_ARRAY3D_DESCRIPTOR {
            Width: width,
            Height: if flat { 0 } else { height },
            Depth: if deep { depth } else { 0 },
            Format: format_of(shape.format),
            NumChannels: shape.format.components.into(),
            Flags: flags | gathers | sys::CUDA_ARRAY3D_SURFACE_LDST,
        };
        let mut array = std::ptr::null_mut();
        let bytes = width * height * depth * shape.format.bytes() as usize;
        // SAFETY: both pointers are to values that live through the call.
        unsafe { sys::cuArray3DCreate_v2(&mut array, &description) }
            .result()
            .map_err(|error| self.not_allocated(name, bytes, error))?;
        let own = OwnArray { context: self.context.clone(), array };
        Ok(Array::new(name, shape, self.id, own))
    }

    pub(super) fn write_texels(&mut self, to: &Array, bytes: &[u8]) -> Result<(), Error> {
        let own: &OwnArray = to.for_copy(self.id, bytes.len())?;
        self.bind()?;
        // SAFETY: `for_copy` has checked that the bytes are as many as those of the array.
        unsafe { copy(own.array, to.shape(), Copy::ToArray(bytes.as_ptr().cast())) }
            .map_err(failed(format!("uploading `{}`", to.name())))
    }

    pub(super) fn read_texels(&mut self, from: &Array, into: &mut [u8]) -> Result<(), Error> {
        let own: &OwnArray = from.for_copy(self.id, into.len())?;
        self.bind()?;
        // SAFETY: as above.
        unsafe { copy(own.array, from.shape(), Copy::FromArray(into.as_mut_ptr().cast())) }
            .map_err(failed(format!("downloading `{}`", from.name())))
    }

    pub(super) fn new_texture(&mut self, of: TextureOf, sampler: Sampler) -> Result<Object, Error> {
        check_functions(FUNCTIONS)?;
        sampler.check(of.format())?;
        let resource = match (of.linear(self.id)?, of) {
            (Some(texels), _) => linear(texels),
            (None, TextureOf::Array(array)) => whole(array.get::<OwnArray>(self.id)?),
            (None, _) => return Err(Error::Foreign("a texture".to_string())),
        };
        let sampling = describe(&sampler, of.format());
        self.bind()?;
        let mut number = 0;
        // SAFETY: the pointers are to values that live through the call; the array or the memory is this device's, and the
        // object keeps it alive.
        unsafe { sys::cuTexObjectCreate(&mut number, &resource, &sampling, std::ptr::null()) }
            .result()
            .map_err(failed("making a texture object"))?;
        let end = sys::cuTexObjectDestroy;
        let own = OwnObject { context: self.context.clone(), number, end };
        Ok(Object::new(number, self.id, own, of.keep()?))
    }

    pub(super) fn new_surface(&mut self, array: &Array) -> Result<Object, Error> {
        check_functions(FUNCTIONS)?;
        let resource = whole(array.get::<OwnArray>(self.id)?);
        self.bind()?;
        let mut number = 0;
        // SAFETY: as for a texture.
        unsafe { sys::cuSurfObjectCreate(&mut number, &resource) }
            .result()
            .map_err(failed(format!("making a surface object of `{}`", array.name())))?;
        let end = sys::cuSurfObjectDestroy;
        let own = OwnObject { context: self.context.clone(), number, end };
        Ok(Object::new(number, self.id, own, TextureOf::Array(array).keep()?))
    }
}

/// Copies all of an array.
///
/// # Safety
/// The host's memory has as many bytes as the array's texels; the array's context is bound.
unsafe fn copy(array: sys::CUarray, shape: Shape, copy: Copy) -> Result<(), DriverError> {
    use sys::CUmemorytype::{CU_MEMORYTYPE_ARRAY as ARRAY, CU_MEMORYTYPE_HOST as HOST};
    let [width, height, depth] = shape.extent.map(|extent| extent as usize);
    let row = width * shape.format.bytes() as usize;
    let none = std::ptr::null_mut::<c_void>();
    let no_array = std::ptr::null_mut();
    let (from, to) = match copy {
        Copy::ToArray(host) => ((HOST, host, no_array), (ARRAY, none, array)),
        Copy::FromArray(host) => ((ARRAY, none.cast_const(), array), (HOST, host, no_array)),
    };
    let parameters = sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: from.0,
        srcHost: from.1,
        srcDevice: 0,
        srcArray: from.2,
        reserved0: none,
        srcPitch: row,
        srcHeight: height,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: to.0,
        dstHost: to.1,
        dstDevice: 0,
        dstArray: to.2,
        reserved1: none,
        dstPitch: row,
        dstHeight: height,
        WidthInBytes: row,
        Height: height,
        Depth: depth,
    };
    // SAFETY: the sizes are those of the array, and the caller's promise is that the host has as many bytes. The call
    // returns when they are copied.
    unsafe { sys::cuMemcpy3D_v2(&parameters) }.result()
}

fn format_of(format: Format) -> sys::CUarray_format {
    use sys::CUarray_format::*;
    match (format.channel, format.bits) {
        (Channel::Unsigned, 8) => CU_AD_FORMAT_UNSIGNED_INT8,
        (Channel::Unsigned, 16) => CU_AD_FORMAT_UNSIGNED_INT16,
        (Channel::Unsigned, _) => CU_AD_FORMAT_UNSIGNED_INT32,
        (Channel::Signed, 8) => CU_AD_FORMAT_SIGNED_INT8,
        (Channel::Signed, 16) => CU_AD_FORMAT_SIGNED_INT16,
        (Channel::Signed, _) => CU_AD_FORMAT_SIGNED_INT32,
        (Channel::Float, 16) => CU_AD_FORMAT_HALF,
        (Channel::Float, _) => CU_AD_FORMAT_FLOAT,
    }
}

fn resource(
    kind: sys::CUresourcetype,
    res: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1,
) -> sys::CUDA_RESOURCE_DESC {
    sys::CUDA_RESOURCE_DESC { resType: kind, res, flags: 0 }
}

fn whole(own: &OwnArray) -> sys::CUDA_RESOURCE_DESC {
    // The members of the union are of different sizes: what is not set is 0.
    let mut res = empty();
    res.array.hArray = own.array;
    resource(sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY, res)
}

fn linear(texels: Texels) -> sys::CUDA_RESOURCE_DESC {
    let mut res = empty();
    let shape = texels.shape();
    let (format, channels) = (format_of(shape.format), shape.format.components.into());
    match texels {
        Texels::Pitch { address, extent: [width, height], pitch, .. } => {
            res.pitch2D = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
                devPtr: address,
                format,
                numChannels: channels,
                width: width as usize,
                height: height as usize,
                pitchInBytes: pitch as usize,
            };
            resource(sys::CUresourcetype::CU_RESOURCE_TYPE_PITCH2D, res)
        }
        _ => {
            res.linear = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
                devPtr: texels.range().0,
                format,
                numChannels: channels,
                sizeInBytes: texels.range().1 as usize,
            };
            resource(sys::CUresourcetype::CU_RESOURCE_TYPE_LINEAR, res)
        }
    }
}

fn empty() -> sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
    sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
        reserved: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5 { reserved: [0; 32] },
    }
}

fn describe(sampler: &Sampler, format: Format) -> sys::CUDA_TEXTURE_DESC {
    use sys::{CUaddress_mode::*, CUfilter_mode::*};
    let flags = [
        // The driver normalises unless it is asked for integers.
        (!sampler.as_float && format.channel != Channel::Float, sys::CU_TRSF_READ_AS_INTEGER),
        (sampler.normalised, sys::CU_TRSF_NORMALIZED_COORDINATES),
        (sampler.srgb, sys::CU_TRSF_SRGB),
        (sampler.seamless, sys::CU_TRSF_SEAMLESS_CUBEMAP),
    ];
    sys::CUDA_TEXTURE_DESC {
        addressMode: sampler.address.map(|mode| match mode {
            AddressMode::Wrap => CU_TR_ADDRESS_MODE_WRAP,
            AddressMode::Clamp => CU_TR_ADDRESS_MODE_CLAMP,
            AddressMode::Mirror => CU_TR_ADDRESS_MODE_MIRROR,
            AddressMode::Border => CU_TR_ADDRESS_MODE_BORDER,
        }),
        filterMode: match sampler.filter {
            Filter::Point => CU_TR_FILTER_MODE_POINT,
            Filter::Linear => CU_TR_FILTER_MODE_LINEAR,
        },
        flags: flags.iter().map(|(set, flag)| if *set { *flag } else { 0 }).sum(),
        maxAnisotropy: 0,
        mipmapFilterMode: CU_TR_FILTER_MODE_POINT,
        mipmapLevelBias: 0.0,
        minMipmapLevelClamp: 0.0,
        maxMipmapLevelClamp: 0.0,
        borderColor: sampler.border,
        reserved: [0; 12],
    }
}
