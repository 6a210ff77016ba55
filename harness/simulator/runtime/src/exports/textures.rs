//! Arrays, textures and surfaces.

use simt::texture::{AddressMode, Filter, Geometry, Sampler, Texels, Texture};

use super::entry::calls;
use super::structures::Extent;
use crate::error::{self, CudaResult};
use crate::host::{In, Out, Pointer};
use crate::operations::{channels, format};
use crate::state::{CopyEnd, CopyKind, Rows, Runtime};

/// `cudaChannelFormatDesc`
type Channels = [i32; 5];

/// `cudaResourceDesc`, whose kind selects the fields in use.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Resource {
    kind: u32,
    padding: u32,
    first: u64,
    channels: Channels,
    /// Bytes of linear memory, or texels of a row.
    width: usize,
    height: usize,
    pitch: usize,
}

/// `cudaTextureDesc`, as far as all releases agree.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Description {
    address: [u32; 3],
    filter: u32,
    read: u32,
    srgb: i32,
    border: [f32; 4],
    normalised: i32,
    anisotropy: u32,
    mip_filter: u32,
    bias: f32,
    levels: [f32; 2],
}

const ARRAY: u32 = 0;
const MIPMAP: u32 = 1;
const LINEAR: u32 = 2;
const PITCH: u32 = 3;

fn texels(cuda: &mut Runtime, resource: &Resource) -> CudaResult<Texels> {
    let small = |value: usize| u32::try_from(value).map_err(|_| error::INVALID_VALUE);
    match resource.kind {
        ARRAY => Ok(Texels::Array(cuda.arrays.array(resource.first)?)),
        LINEAR => {
            let format = format(resource.channels)?;
            let count = small(resource.width / format.bytes() as usize)?;
            Ok(Texels::Linear { address: resource.first, count, format })
        }
        PITCH => Ok(Texels::Pitch {
            address: resource.first,
            extent: [small(resource.width)?, small(resource.height)?],
            pitch: resource.pitch as u64,
            format: format(resource.channels)?,
        }),
        MIPMAP => Ok(Texels::Array(cuda.arrays.mipmap(resource.first)?)),
        _ => Err(error::INVALID_VALUE),
    }
}

fn sampler(description: &Description) -> CudaResult<Sampler> {
    let mode = |mode: u32| match mode {
        0 => Ok(AddressMode::Wrap),
        1 => Ok(AddressMode::Clamp),
        2 => Ok(AddressMode::Mirror),
        3 => Ok(AddressMode::Border),
        _ => Err(error::INVALID_VALUE),
    };
    let filter = |filter: u32| if filter == 0 { Filter::Point } else { Filter::Linear };
    let [x, y, z] = description.address;
    Ok(Sampler {
        address: [mode(x)?, mode(y)?, mode(z)?],
        filter: filter(description.filter),
        normalised: description.normalised != 0,
        as_float: description.read != 0,
        srgb: description.srgb != 0,
        border: description.border,
        seamless: false,
        mip_filter: filter(description.mip_filter),
        bias: description.bias,
        levels: description.levels,
    })
}

/// Copies rows to or from a place in an array, which is given in bytes and rows.
fn copy(
    cuda: &mut Runtime,
    (array, x, y): (u64, usize, usize),
    (first, pitch): (Pointer, usize),
    [width, height]: [usize; 2],
    (is_into_array, kind): (bool, i32),
    stream: Option<u64>,
) -> CudaResult {
    let array = cuda.arrays.array(array)?;
    let stream = stream.map_or(Ok(None), |stream| cuda.streams.get(stream))?;
    let texel = array.shape().format.bytes() as usize;
    let origin = [(x / texel) as u32, y as u32, 0];
    let (inside, rows) =
        (CopyEnd::Array(array, origin), CopyEnd::Rows(Rows { first, pitch, height }));
    let (to, from) = if is_into_array { (inside, rows) } else { (rows, inside) };
    cuda.copy(to, from, [width, height, 1], CopyKind::new(kind)?, stream)
}

calls! {
    cudaMallocArray(
        out: Out<u64>, channels: In<Channels>, width: usize, height: usize, flags: u32,
    ) => |cuda| {
        let format = format(channels.get()?)?;
        out.put(cuda.allocate_array(format, [width, height, 0], flags)?)
    };
    cudaMalloc3DArray(out: Out<u64>, channels: In<Channels>, extent: Extent, flags: u32) => |cuda| {
        let format = format(channels.get()?)?;
        out.put(cuda.allocate_array(format, [extent.width, extent.height, extent.depth], flags)?)
    };
    cudaMallocMipmappedArray(
        out: Out<u64>, channels: In<Channels>, extent: Extent, levels: u32, flags: u32,
    ) => |cuda| {
        let format = format(channels.get()?)?;
        let extent = [extent.width, extent.height, extent.depth];
        out.put(cuda.allocate_mipmap(format, extent, levels, flags)?)
    };
    cudaGetMipmappedArrayLevel(out: Out<u64>, mipmap: u64, level: u32) => |cuda| {
        out.put(cuda.arrays.level(mipmap, level)?)
    };
    cudaFreeMipmappedArray(mipmap: u64) => |cuda| cuda.free_mipmap(mipmap);
    cudaFreeArray(array: u64) => |cuda| cuda.free_array(array);
    cudaArrayGetInfo(
        description: Out<Channels>, extent: Out<Extent>, flags: Out<u32>, array: u64,
    ) => |cuda| {
        let shape = cuda.arrays.array(array)?.shape();
        let [width, height, depth] = shape.extent.map(|it| it as usize);
        let is_row = matches!(shape.geometry, Geometry::Row | Geometry::Rows);
        let is_flat = matches!(shape.geometry, Geometry::Row | Geometry::Plane);
        let (height, depth) =
            (if is_row { 0 } else { height }, if is_flat { 0 } else { depth });
        description.put_if_wanted(channels(shape.format))?;
        extent.put_if_wanted(Extent { width, height, depth })?;
        flags.put_if_wanted(0)
    };
    cudaGetChannelDesc(description: Out<Channels>, array: u64) => |cuda| {
        description.put(channels(cuda.arrays.array(array)?.shape().format))
    };

    cudaMemcpy2DToArray | cudaMemcpy2DToArray_ptds(
        array: u64, x: usize, y: usize, from: Pointer, pitch: usize, width: usize, height: usize,
        kind: i32,
    ) => |cuda| copy(cuda, (array, x, y), (from, pitch), [width, height], (true, kind), None);
    cudaMemcpy2DToArrayAsync | cudaMemcpy2DToArrayAsync_ptsz(
        array: u64, x: usize, y: usize, from: Pointer, pitch: usize, width: usize, height: usize,
        kind: i32, stream: u64,
    ) => |cuda| copy(cuda, (array, x, y), (from, pitch), [width, height], (true, kind), Some(stream));
    cudaMemcpy2DFromArray | cudaMemcpy2DFromArray_ptds(
        to: Pointer, pitch: usize, array: u64, x: usize, y: usize, width: usize, height: usize,
        kind: i32,
    ) => |cuda| copy(cuda, (array, x, y), (to, pitch), [width, height], (false, kind), None);
    cudaMemcpy2DFromArrayAsync | cudaMemcpy2DFromArrayAsync_ptsz(
        to: Pointer, pitch: usize, array: u64, x: usize, y: usize, width: usize, height: usize,
        kind: i32, stream: u64,
    ) => |cuda| copy(cuda, (array, x, y), (to, pitch), [width, height], (false, kind), Some(stream));
    cudaMemcpyToArray(
        array: u64, x: usize, y: usize, from: Pointer, bytes: usize, kind: i32,
    ) => |cuda| {
        let [width, height] = rows(cuda, array, bytes)?;
        copy(cuda, (array, x, y), (from, width), [width, height], (true, kind), None)
    };
    cudaMemcpyFromArray(
        to: Pointer, array: u64, x: usize, y: usize, bytes: usize, kind: i32,
    ) => |cuda| {
        let [width, height] = rows(cuda, array, bytes)?;
        copy(cuda, (array, x, y), (to, width), [width, height], (false, kind), None)
    };

    cudaCreateTextureObject | cudaCreateTextureObject_v2(
        out: Out<u64>, resource: In<Resource>, description: In<Description>, view: Pointer,
    ) => |cuda| {
        if view.filled().is_ok() {
            return Err(cuda.refuse(error::NOT_SUPPORTED, "resource views are not simulated"));
        }
        let (resource, description) = (resource.get()?, description.get()?);
        if resource.kind == MIPMAP && description.anisotropy > 1 {
            return Err(cuda.refuse(error::NOT_SUPPORTED, "anisotropic filtering is not simulated"));
        }
        let texels = texels(cuda, &resource)?;
        let sampler = sampler(&description)?;
        out.put(cuda.create_texture(&Texture { texels, sampler })?)
    };
    cudaDestroyTextureObject(object: u64) => |cuda| {
        cuda.simulator.end_object(object);
        Ok(())
    };
    cudaCreateSurfaceObject(out: Out<u64>, resource: In<Resource>) => |cuda| {
        let Resource { kind, first, .. } = resource.get()?;
        if kind != ARRAY {
            return Err(error::INVALID_VALUE);
        }
        let array = cuda.arrays.array(first)?;
        out.put(cuda.create_surface(&array)?)
    };
    cudaDestroySurfaceObject(object: u64) => |cuda| {
        cuda.simulator.end_object(object);
        Ok(())
    };
}

/// Splits bytes into whole rows of an array. Returns bytes of a row and rows.
fn rows(cuda: &Runtime, array: u64, bytes: usize) -> CudaResult<[usize; 2]> {
    let shape = cuda.arrays.array(array)?.shape();
    let width = shape.extent[0] as usize * shape.format.bytes() as usize;
    match bytes {
        bytes if bytes <= width => Ok([bytes, 1]),
        bytes if bytes % width == 0 => Ok([width, bytes / width]),
        _ => Err(error::INVALID_VALUE),
    }
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
extern "C" fn cudaCreateChannelDesc(x: i32, y: i32, z: i32, w: i32, kind: i32) -> ChannelDesc {
    ChannelDesc([x, y, z, w, kind])
}

/// [`Channels`] as a return value: C does not return arrays.
#[repr(C)]
struct ChannelDesc(Channels);
