//! Copies and fills.

use super::entry::calls;
use super::structures::{Extent, Pitched};
use crate::error::{self, CudaResult};
use crate::host::{In, Out, Pointer};
use crate::state::CopyEnd;
use crate::state::Runtime;
use crate::state::Work;
use crate::state::{CopyKind, Rows};

/// `cudaMemcpy3DParms`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Copy3d {
    from_array: u64,
    from_at: Extent,
    from: Pitched,
    to_array: u64,
    to_at: Extent,
    to: Pitched,
    extent: Extent,
    kind: i32,
}

/// A copy of contiguous bytes.
pub(super) fn copy((to, from): (Pointer, Pointer), bytes: usize, kind: i32) -> CudaResult<Work> {
    copy_2d((to, bytes), (from, bytes), [bytes, 1], kind)
}

fn copy_2d(
    (to, to_pitch): (Pointer, usize),
    (from, from_pitch): (Pointer, usize),
    [width, height]: [usize; 2],
    kind: i32,
) -> CudaResult<Work> {
    if width > to_pitch || width > from_pitch {
        return Err(error::INVALID_PITCH);
    }
    let rows = |first, pitch| CopyEnd::Rows(Rows { first, pitch, height });
    let extent = [width, height, 1];
    Ok(Work::Copy {
        to: rows(to, to_pitch),
        from: rows(from, from_pitch),
        extent,
        kind: CopyKind::new(kind)?,
    })
}

pub(super) fn copy_3d(cuda: &Runtime, parameters: In<Copy3d>) -> CudaResult<Work> {
    let all = parameters.get()?;
    let Extent { mut width, height, depth } = all.extent;
    // If either end is an array, widths are in its texels.
    let mut texel = None;
    let mut end = |array: u64, rows: Pitched, at: Extent| {
        if array == 0 {
            let first = (at.depth * rows.height + at.height) * rows.pitch + at.width;
            let (pitch, height) = (rows.pitch, rows.height);
            return Ok(CopyEnd::Rows(Rows { first: rows.first.plus(first), pitch, height }));
        }
        let array = cuda.arrays.array(array)?;
        texel = Some(array.shape().format.bytes() as usize);
        let origin = [at.width, at.height, at.depth].map(|it| it as u32);
        Ok(CopyEnd::Array(array, origin))
    };
    let to = end(all.to_array, all.to, all.to_at)?;
    let from = end(all.from_array, all.from, all.from_at)?;
    width *= texel.unwrap_or(1);
    let extent = [width, height, depth];
    Ok(Work::Copy { to, from, extent, kind: CopyKind::new(all.kind)? })
}

/// Performs a copy now; the host waits for it.
pub(super) fn now(cuda: &mut Runtime, work: Work) -> CudaResult {
    cuda.perform(&work, None)
}

/// The address of a part of a variable.
pub(super) fn symbol(
    cuda: &mut Runtime,
    host: u64,
    offset: usize,
    bytes: usize,
) -> CudaResult<Pointer> {
    let (address, size) = cuda.with_code(|binaries, target| binaries.variable(host, target))?;
    let end = offset.checked_add(bytes);
    if end.is_none_or(|end| end as u64 > size) {
        let message = format!("bytes {offset} to {offset} + {bytes} of a variable of {size}");
        return Err(cuda.refuse(error::INVALID_VALUE, message));
    }
    Ok(Pointer::of_device(address).plus(offset))
}

fn set(to: Pitched, byte: i32, extent: [usize; 3]) -> Work {
    let to = Rows { first: to.first, pitch: to.pitch, height: to.height };
    Work::Set { to, value: byte as u32, element: 1, extent }
}

/// Rows of one layer.
fn plain(first: Pointer, pitch: usize) -> Pitched {
    Pitched { first, pitch, width: 0, height: 0 }
}

calls! {
    cudaMemcpy | cudaMemcpy_ptds(to: Pointer, from: Pointer, bytes: usize, kind: i32) => |cuda| {
        now(cuda, copy((to, from), bytes, kind)?)
    };
    cudaMemcpyAsync | cudaMemcpyAsync_ptsz(
        to: Pointer, from: Pointer, bytes: usize, kind: i32, stream: u64,
    ) => |cuda| cuda.submit(stream, copy((to, from), bytes, kind)?);
    cudaMemcpy2D | cudaMemcpy2D_ptds(
        to: Pointer, to_pitch: usize, from: Pointer, from_pitch: usize, width: usize, height: usize,
        kind: i32,
    ) => |cuda| {
        now(cuda, copy_2d((to, to_pitch), (from, from_pitch), [width, height], kind)?)
    };
    cudaMemcpy2DAsync | cudaMemcpy2DAsync_ptsz(
        to: Pointer, to_pitch: usize, from: Pointer, from_pitch: usize, width: usize, height: usize,
        kind: i32, stream: u64,
    ) => |cuda| {
        cuda.submit(stream, copy_2d((to, to_pitch), (from, from_pitch), [width, height], kind)?)
    };
    cudaMemcpy3D | cudaMemcpy3D_ptds(parameters: In<Copy3d>) => |cuda| {
        let work = copy_3d(cuda, parameters)?;
        now(cuda, work)
    };
    cudaMemcpy3DAsync | cudaMemcpy3DAsync_ptsz(parameters: In<Copy3d>, stream: u64) => |cuda| {
        let work = copy_3d(cuda, parameters)?;
        cuda.submit(stream, work)
    };
    cudaMemcpyPeer(to: Pointer, device: i32, from: Pointer, peer: i32, bytes: usize) => |cuda| {
        if (device, peer) != (0, 0) {
            return Err(error::INVALID_DEVICE);
        }
        now(cuda, copy((to, from), bytes, 3)?)
    };
    cudaMemcpyPeerAsync(
        to: Pointer, device: i32, from: Pointer, peer: i32, bytes: usize, stream: u64,
    ) => |cuda| {
        if (device, peer) != (0, 0) {
            return Err(error::INVALID_DEVICE);
        }
        cuda.submit(stream, copy((to, from), bytes, 3)?)
    };

    cudaMemcpyToSymbol | cudaMemcpyToSymbol_ptds(
        host: u64, from: Pointer, bytes: usize, offset: usize, kind: i32,
    ) => |cuda| {
        let to = symbol(cuda, host, offset, bytes)?;
        now(cuda, copy((to, from), bytes, kind)?)
    };
    cudaMemcpyToSymbolAsync | cudaMemcpyToSymbolAsync_ptsz(
        host: u64, from: Pointer, bytes: usize, offset: usize, kind: i32, stream: u64,
    ) => |cuda| {
        let to = symbol(cuda, host, offset, bytes)?;
        cuda.submit(stream, copy((to, from), bytes, kind)?)
    };
    cudaMemcpyFromSymbol | cudaMemcpyFromSymbol_ptds(
        to: Pointer, host: u64, bytes: usize, offset: usize, kind: i32,
    ) => |cuda| {
        let from = symbol(cuda, host, offset, bytes)?;
        now(cuda, copy((to, from), bytes, kind)?)
    };
    cudaMemcpyFromSymbolAsync | cudaMemcpyFromSymbolAsync_ptsz(
        to: Pointer, host: u64, bytes: usize, offset: usize, kind: i32, stream: u64,
    ) => |cuda| {
        let from = symbol(cuda, host, offset, bytes)?;
        cuda.submit(stream, copy((to, from), bytes, kind)?)
    };
    cudaGetSymbolAddress(out: Out<u64>, host: u64) => |cuda| {
        out.put(symbol(cuda, host, 0, 0)?.address())
    };
    cudaGetSymbolSize(out: Out<usize>, host: u64) => |cuda| {
        let (_, size) = cuda.with_code(|binaries, target| binaries.variable(host, target))?;
        out.put(size as usize)
    };

    cudaMemset | cudaMemset_ptds(to: Pointer, byte: i32, bytes: usize) => |cuda| {
        now(cuda, set(plain(to, 0), byte, [bytes, 1, 1]))
    };
    cudaMemsetAsync | cudaMemsetAsync_ptsz(to: Pointer, byte: i32, bytes: usize, stream: u64) => |cuda| {
        cuda.submit(stream, set(plain(to, 0), byte, [bytes, 1, 1]))
    };
    cudaMemset2D | cudaMemset2D_ptds(
        to: Pointer, pitch: usize, byte: i32, width: usize, height: usize,
    ) => |cuda| now(cuda, set(plain(to, pitch), byte, [width, height, 1]));
    cudaMemset2DAsync | cudaMemset2DAsync_ptsz(
        to: Pointer, pitch: usize, byte: i32, width: usize, height: usize, stream: u64,
    ) => |cuda| cuda.submit(stream, set(plain(to, pitch), byte, [width, height, 1]));
    cudaMemset3D | cudaMemset3D_ptds(to: Pitched, byte: i32, extent: Extent) => |cuda| {
        now(cuda, set(to, byte, [extent.width, extent.height, extent.depth]))
    };
    cudaMemset3DAsync | cudaMemset3DAsync_ptsz(
        to: Pitched, byte: i32, extent: Extent, stream: u64,
    ) => |cuda| cuda.submit(stream, set(to, byte, [extent.width, extent.height, extent.depth]));
}
