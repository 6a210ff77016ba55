//! Copies and fills.

use super::pointer::{In, Out, Pointer};
use super::storing::Pitched;
use super::{Extent, calls};
use crate::arrays::End;
use crate::code::{self, Done};
use crate::memory::{Kind, Rows};
use crate::runtime::Runtime;
use crate::work::Work;

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

/// A copy of bytes in one piece.
pub(super) fn copy((to, from): (Pointer, Pointer), bytes: usize, kind: i32) -> Done<Work> {
    copy_2d((to, bytes), (from, bytes), [bytes, 1], kind)
}

fn copy_2d(
    (to, to_pitch): (Pointer, usize),
    (from, from_pitch): (Pointer, usize),
    [width, height]: [usize; 2],
    kind: i32,
) -> Done<Work> {
    if width > to_pitch || width > from_pitch {
        return Err(code::INVALID_PITCH);
    }
    let rows = |first, pitch| End::Rows(Rows { first, pitch, height });
    let ends = (rows(to, to_pitch), rows(from, from_pitch));
    Ok(Work::Copy { ends, extent: [width, height, 1], kind: Kind::new(kind)? })
}

pub(super) fn copy_3d(cuda: &Runtime, parameters: In<Copy3d>) -> Done<Work> {
    let all = parameters.get()?;
    let Extent { mut width, height, depth } = all.extent;
    // Where an array takes part, widths are in its elements.
    let mut texel = None;
    let mut end = |array: u64, rows: Pitched, at: Extent| {
        if array == 0 {
            let first = (at.depth * rows.height + at.height) * rows.pitch + at.width;
            let (pitch, height) = (rows.pitch, rows.height);
            return Ok(End::Rows(Rows { first: rows.first.plus(first), pitch, height }));
        }
        let array = cuda.array(array)?;
        texel = Some(array.shape().format.bytes() as usize);
        let origin = [at.width, at.height, at.depth].map(|it| it as u32);
        Ok(End::Array(array, origin))
    };
    let to = end(all.to_array, all.to, all.to_at)?;
    let from = end(all.from_array, all.from, all.from_at)?;
    width *= texel.unwrap_or(1);
    Ok(Work::Copy { ends: (to, from), extent: [width, height, depth], kind: Kind::new(all.kind)? })
}

/// Does it now, and lets the host wait.
fn now(cuda: &mut Runtime, work: Work) -> Done {
    cuda.perform(&work, None)
}

/// A part of a variable.
pub(super) fn symbol(cuda: &mut Runtime, host: u64, offset: usize, bytes: usize) -> Done<Pointer> {
    let (address, size) = cuda.with_code(|binaries, target| binaries.variable(host, target))?;
    let end = offset.checked_add(bytes);
    if end.is_none_or(|end| end as u64 > size) {
        let message = format!("bytes {offset} to {offset} + {bytes} of a variable of {size}");
        return Err(cuda.refuse(code::INVALID_VALUE, message));
    }
    Ok(Pointer::of_device(address).plus(offset))
}

fn set(to: Pitched, byte: i32, extent: [usize; 3]) -> Work {
    let to = Rows { first: to.first, pitch: to.pitch, height: to.height };
    Work::Set { to, value: byte as u32, element: 1, extent }
}

/// Rows without more of a structure.
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
            return Err(code::INVALID_DEVICE);
        }
        now(cuda, copy((to, from), bytes, 3)?)
    };
    cudaMemcpyPeerAsync(
        to: Pointer, device: i32, from: Pointer, peer: i32, bytes: usize, stream: u64,
    ) => |cuda| {
        if (device, peer) != (0, 0) {
            return Err(code::INVALID_DEVICE);
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
