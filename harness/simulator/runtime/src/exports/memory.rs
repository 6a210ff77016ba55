//! Memory: allocated, registered and freed; attributes of pointers.

use super::entry::calls;
use super::structures::{Extent, Pitched};
use crate::error::{self, CudaResult};
use crate::host::{Out, Pointer};
use crate::state::Runtime;
use crate::state::Work;

/// `cudaPointerAttributes`, as far as all releases agree.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct PointerAttributes {
    kind: i32,
    device: i32,
    on_device: u64,
    on_host: u64,
}

/// `cudaMemoryType`
const UNREGISTERED: i32 = 0;
const HOST: i32 = 1;
const DEVICE: i32 = 2;
const MANAGED: i32 = 3;

/// Allocates bytes and puts their address there, or 0 for no bytes.
fn put_allocation(
    out: Out<u64>,
    bytes: usize,
    allocate: impl FnOnce(usize) -> CudaResult<u64>,
) -> CudaResult {
    out.put(0)?;
    if bytes == 0 { Ok(()) } else { out.put(allocate(bytes)?) }
}

/// Allocates in the order of a stream, or for the graph that the stream is captured into.
fn allocate_in(cuda: &mut Runtime, stream: u64, bytes: usize) -> CudaResult<u64> {
    if cuda.graphs.captures.is_captured(stream) {
        let (address, work) = allocation(cuda, bytes)?;
        cuda.submit(stream, work)?;
        return Ok(address);
    }
    cuda.streams.get(stream)?;
    cuda.allocate(bytes)
}

/// Allocates memory of a graph. Returns its address, and the work of its node.
pub(super) fn allocation(cuda: &mut Runtime, bytes: usize) -> CudaResult<(u64, Work)> {
    let address = cuda.allocate_for_graph(bytes)?;
    Ok((address, Work::Allocate { address, bytes: bytes as u64 }))
}

fn free_host(cuda: &mut Runtime, address: u64) -> CudaResult {
    cuda.memory.managed.remove(&address);
    cuda.free(address)
}

calls! {
    cudaMalloc | cuMemAlloc_v2(out: Out<u64>, bytes: usize) => |cuda| put_allocation(out, bytes, |n| cuda.allocate(n));
    cudaMallocAsync | cudaMallocAsync_ptsz(out: Out<u64>, bytes: usize, stream: u64) => |cuda| {
        put_allocation(out, bytes, |n| allocate_in(cuda, stream, n))
    };
    cudaMallocFromPoolAsync | cudaMallocFromPoolAsync_ptsz(
        out: Out<u64>, bytes: usize, _pool: u64, stream: u64,
    ) => |cuda| {
        put_allocation(out, bytes, |n| allocate_in(cuda, stream, n))
    };
    cudaMallocHost | cuMemAllocHost_v2(out: Out<u64>, bytes: usize) => |cuda| {
        put_allocation(out, bytes, |n| cuda.allocate_for_host(n))
    };
    cudaHostAlloc | cuMemHostAlloc(out: Out<u64>, bytes: usize, _flags: u32) => |cuda| {
        put_allocation(out, bytes, |n| cuda.allocate_for_host(n))
    };
    cudaMallocManaged | cuMemAllocManaged(out: Out<u64>, bytes: usize, _flags: u32) => |cuda| {
        if bytes == 0 {
            return Err(error::INVALID_VALUE);
        }
        let address = cuda.allocate_for_host(bytes)?;
        cuda.memory.managed.insert(address);
        out.put(address)
    };
    cudaMallocPitch(out: Out<u64>, pitch: Out<usize>, width: usize, height: usize) => |cuda| {
        let (first, bytes) = cuda.allocate_rows(width, height)?;
        pitch.put(bytes)?;
        out.put(first)
    };
    cudaMalloc3D(out: Out<Pitched>, extent: Extent) => |cuda| {
        let rows = extent.height.checked_mul(extent.depth).ok_or(error::INVALID_VALUE)?;
        let (first, pitch) = cuda.allocate_rows(extent.width, rows)?;
        let first = Pointer::of_device(first);
        out.put(Pitched { first, pitch, width: extent.width, height: extent.height })
    };
    cudaFree | cuMemFree_v2(address: u64) => |cuda| free_host(cuda, address);
    cudaFreeAsync | cudaFreeAsync_ptsz(address: u64, stream: u64) => |cuda| {
        if cuda.graphs.captures.is_captured(stream) {
            return cuda.submit(stream, Work::Free(address));
        }
        cuda.streams.get(stream)?;
        cuda.free(address)
    };
    cudaFreeHost | cuMemFreeHost(address: u64) => |cuda| free_host(cuda, address);
    cudaHostRegister | cuMemHostRegister_v2(first: Pointer, bytes: usize, _flags: u32) => |cuda| {
        let name = cuda.allocation_name();
        let done = first.lend(&cuda.simulator, &name, bytes)?;
        done.map(|_| ()).map_err(|error| cuda.memory_error(error))
    };
    cudaHostUnregister | cuMemHostUnregister(address: u64) => |cuda| match cuda.simulator.allocation(address) {
        Some((range, true)) if range.start == address => cuda.free(address),
        _ => Err(error::NOT_REGISTERED),
    };
    cudaHostGetDevicePointer | cuMemHostGetDevicePointer_v2(out: Out<u64>, host: u64, _flags: u32) => |cuda| {
        match cuda.simulator.allocation(host) {
            Some((_, true)) => out.put(host),
            _ => Err(error::INVALID_VALUE),
        }
    };
    cudaHostGetFlags(flags: Out<u32>, host: u64) => |cuda| match cuda.simulator.allocation(host) {
        // Mapped, like all memory of the host.
        Some((_, true)) => flags.put(2),
        _ => Err(error::INVALID_VALUE),
    };
    cudaMemGetInfo | cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) => |cuda| {
        let all = cuda.config.memory;
        free.put((all - cuda.simulator.used_bytes().min(all)) as usize)?;
        total.put(all as usize)
    };
    cudaPointerGetAttributes(attributes: Out<PointerAttributes>, address: u64) => |cuda| {
        let none = PointerAttributes { kind: UNREGISTERED, device: -1, on_device: 0, on_host: 0 };
        attributes.put(match cuda.simulator.allocation(address) {
            None => PointerAttributes { on_host: address, ..none },
            Some((_, false)) => {
                PointerAttributes { kind: DEVICE, device: 0, on_device: address, ..none }
            }
            Some((range, true)) => {
                let kind = if cuda.memory.managed.contains(&range.start) { MANAGED } else { HOST };
                PointerAttributes { kind, device: 0, on_device: address, on_host: address }
            }
        })
    };

    // Hints for managed memory.
    cudaMemPrefetchAsync | cudaMemPrefetchAsync_ptsz(address: u64) => |cuda| hint(cuda, address);
    cudaMemPrefetchAsync_v2 | cudaMemPrefetchAsync_v2_ptsz(address: u64) => |cuda| hint(cuda, address);
    cudaMemAdvise | cudaMemAdvise_v2(address: u64) => |cuda| hint(cuda, address);

    // All pools are the memory of the device.
    cudaDeviceGetDefaultMemPool | cudaDeviceGetMemPool(pool: Out<u64>, _device: i32) => |_| pool.put(1);
    cudaDeviceSetMemPool(_device: i32, _pool: u64) => |_| Ok(());
    cudaMemPoolCreate(pool: Out<u64>, _properties: Pointer) => |_| pool.put(2);
    cudaMemPoolDestroy(_pool: u64) => |_| Ok(());
    cudaMemPoolSetAttribute(_pool: u64, _attribute: i32, _value: Pointer) => |_| Ok(());
    cudaMemPoolGetAttribute(_pool: u64, _attribute: i32, value: Out<u64>) => |_| value.put(0);
    cudaMemPoolTrimTo(_pool: u64, _bytes: usize) => |_| Ok(());
    cudaMemPoolSetAccess(_pool: u64, _list: Pointer, _count: usize) => |_| Ok(());
}

/// Checks that an address lies in an allocation, which is all that a hint needs.
fn hint(cuda: &mut Runtime, address: u64) -> CudaResult {
    cuda.simulator.allocation(address).map(|_| ()).ok_or(error::INVALID_VALUE)
}
