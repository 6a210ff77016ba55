//! Launches, attributes of kernels, and occupancy.

use super::entry::calls;
use super::structures::Dim3;
use crate::error::{self, CudaResult};
use crate::host::{In, Out, Pointer};
use crate::state::LaunchShape;
use crate::state::Runtime;
use crate::state::Work;

/// `cudaLaunchConfig_t`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Configuration {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: u64,
    attributes: In<Attribute>,
    count: u32,
}

/// `cudaLaunchAttribute`: its number and 64 bytes of value.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Attribute {
    id: u32,
    padding: u32,
    value: [u32; 16],
}

#[cfg(test)]
impl Attribute {
    /// Clusters of so many blocks in a row.
    pub(super) fn cluster(size: u32) -> Attribute {
        let mut value = [0; 16];
        value[..3].copy_from_slice(&[size, 1, 1]);
        Attribute { id: CLUSTER, padding: 0, value }
    }
}

#[cfg(test)]
impl Configuration {
    /// Blocks of one thread in a row.
    pub(super) fn of_blocks(blocks: u32, attribute: &Attribute) -> Configuration {
        Configuration {
            grid: Dim3::new([blocks, 1, 1]),
            block: Dim3::new([1; 3]),
            shared: 0,
            stream: 0,
            attributes: In::of(attribute),
            count: 1,
        }
    }
}

/// `cudaFuncAttributes`, as far as all releases agree.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct FunctionAttributes {
    shared: usize,
    constant: usize,
    local: usize,
    threads: i32,
    registers: i32,
    ptx_version: i32,
    binary_version: i32,
    cache_mode: i32,
    dynamic_shared: i32,
    carveout: i32,
}

const COOPERATIVE: u32 = 2;
const CLUSTER: u32 = 4;
/// Most blocks of a cluster on every GPU that has clusters.
const PORTABLE_CLUSTER: i32 = 8;
const MAX_DYNAMIC_SHARED: i32 = 8;

/// A launch with the arguments that these pointers lead to.
pub(super) fn launch(
    cuda: &mut Runtime,
    function: u64,
    shape: LaunchShape,
    arguments: In<Pointer>,
) -> CudaResult<Work> {
    // Loading code allocates its variables, which must not happen while a launch is pending.
    if !cuda.binaries.is_loaded(function) {
        cuda.settle()?;
    }
    let arguments = cuda.arguments(function, |number, bytes| {
        Ok(arguments.at(number)?.filled()?.with(bytes, <[u8]>::to_vec))
    })?;
    Ok(Work::Launch { function, shape, arguments })
}

/// The shape of a launch with attributes: those of scheduling, such as programmatic serialisation, change no result here,
/// because launches of a stream run in order.
pub(super) fn shape_with(
    [grid, block]: [[u32; 3]; 2],
    shared_bytes: usize,
    attributes: In<Attribute>,
    count: u32,
) -> CudaResult<LaunchShape> {
    let (mut cooperative, mut cluster) = (false, None);
    for index in 0..count as usize {
        let Attribute { id, value, .. } = attributes.at(index)?;
        cooperative |= id == COOPERATIVE && value[0] != 0;
        if id == CLUSTER {
            cluster = Some([value[0], value[1], value[2]]);
        }
    }
    Ok(LaunchShape { grid, block, cluster, shared_bytes, cooperative })
}

/// Resident blocks of a kernel per multiprocessor of the modelled GPU.
fn resident(cuda: &mut Runtime, function: u64, threads: i32, shared: usize) -> CudaResult<i32> {
    let (name, code) = cuda.kernel(function)?;
    let kernel = cuda.find(&name, code.loaded.module())?;
    let threads = u32::try_from(threads).map_err(|_| error::INVALID_VALUE)?;
    let shared = u32::try_from(shared).map_err(|_| error::INVALID_VALUE)?;
    let shared = shared.saturating_add(kernel.shared_bytes());
    match cuda.gpu.residency(threads, None, shared, u64::MAX >> 16) {
        Ok(residency) => Ok(residency.blocks as i32),
        Err(_) if threads > 0 => Ok(0),
        Err(_) => Err(error::INVALID_VALUE),
    }
}

calls! {
    cudaLaunchKernel | cudaLaunchKernel_ptsz | __cudaLaunchKernel | __cudaLaunchKernel_ptsz(
        function: u64, grid: Dim3, block: Dim3, arguments: In<Pointer>, shared: usize, stream: u64,
    ) => |cuda| {
        let (grid, block) = (grid.get(), block.get());
        let shape = LaunchShape { grid, block, cluster: None, shared_bytes: shared, cooperative: false };
        let work = launch(cuda, function, shape, arguments)?;
        cuda.submit(stream, work)
    };
    cudaLaunchCooperativeKernel | cudaLaunchCooperativeKernel_ptsz(
        function: u64, grid: Dim3, block: Dim3, arguments: In<Pointer>, shared: usize, stream: u64,
    ) => |cuda| {
        let (grid, block) = (grid.get(), block.get());
        let shape = LaunchShape { grid, block, cluster: None, shared_bytes: shared, cooperative: true };
        let work = launch(cuda, function, shape, arguments)?;
        cuda.submit(stream, work)
    };
    cudaLaunchKernelExC | cudaLaunchKernelExC_ptsz(
        configuration: In<Configuration>, function: u64, arguments: In<Pointer>,
    ) => |cuda| {
        let Configuration { grid, block, shared, stream, attributes, count } = configuration.get()?;
        let shape = shape_with([grid.get(), block.get()], shared, attributes, count)?;
        let work = launch(cuda, function, shape, arguments)?;
        cuda.submit(stream, work)
    };
    cudaFuncGetAttributes(attributes: Out<FunctionAttributes>, function: u64) => |cuda| {
        let (name, code) = cuda.kernel(function)?;
        let kernel = cuda.find(&name, code.loaded.module())?;
        let capability = cuda.capability() as i32;
        let threads = cuda.gpu.limits.block_threads.value as i32;
        let allowed = cuda.launches.allowed_shared(function, kernel.shared_bytes());
        attributes.put(FunctionAttributes {
            shared: kernel.shared_bytes() as usize,
            constant: 0,
            local: 0,
            threads,
            // PTX has virtual registers. A compiler would stay within this limit.
            registers: cuda.gpu.most_registers(threads as u32) as i32,
            ptx_version: code.arch as i32,
            binary_version: capability,
            cache_mode: 0,
            dynamic_shared: allowed as i32,
            carveout: -1,
        })
    };
    cudaFuncSetAttribute | cuFuncSetAttribute(function: u64, attribute: i32, value: i32) => |cuda| {
        let (name, code) = cuda.kernel(function)?;
        let kernel = cuda.find(&name, code.loaded.module())?;
        if attribute == MAX_DYNAMIC_SHARED {
            let most = cuda.gpu.limits.block_shared_bytes.value as u32;
            let value = u32::try_from(value).map_err(|_| error::INVALID_VALUE)?;
            if value.saturating_add(kernel.shared_bytes()) > most {
                let message = format!("{value} bytes of shared memory; a block has at most {most}");
                return Err(cuda.refuse(error::INVALID_VALUE, message));
            }
            cuda.launches.allow_shared(function, value);
        }
        Ok(())
    };
    cudaFuncSetCacheConfig | cuFuncSetCacheConfig(_function: u64, _configuration: i32) => |_| Ok(());
    cudaFuncSetSharedMemConfig(_function: u64, _configuration: i32) => |_| Ok(());
    cudaOccupancyMaxActiveBlocksPerMultiprocessor | cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<i32>, function: u64, threads: i32, shared: usize,
    ) => |cuda| blocks.put(resident(cuda, function, threads, shared)?);
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<i32>, function: u64, threads: i32, shared: usize, _flags: u32,
    ) => |cuda| blocks.put(resident(cuda, function, threads, shared)?);
    cudaOccupancyMaxPotentialClusterSize(
        blocks: Out<i32>, function: u64, _configuration: In<Configuration>,
    ) => |cuda| {
        cuda.kernel(function)?;
        blocks.put(PORTABLE_CLUSTER)
    };
    cudaOccupancyMaxActiveClusters(
        clusters: Out<i32>, function: u64, configuration: In<Configuration>,
    ) => |cuda| {
        let Configuration { block, shared, attributes, count, .. } = configuration.get()?;
        let mut size = 1;
        for index in 0..count as usize {
            let Attribute { id, value, .. } = attributes.at(index)?;
            if id == CLUSTER {
                size = value[..3].iter().fold(1, |all: u32, &more| all.saturating_mul(more));
            }
        }
        let threads = block.get().iter().fold(1, |all: u32, &more| all.saturating_mul(more));
        let threads = i32::try_from(threads).map_err(|_| error::INVALID_VALUE)?;
        let blocks = resident(cuda, function, threads, shared)?;
        // As if a cluster could lie on any multiprocessors: those of a GPU lie on neighbouring ones.
        let all = blocks * cuda.gpu.chip.multiprocessors.value as i32;
        clusters.put(all / i32::try_from(size.max(1)).map_err(|_| error::INVALID_VALUE)?)
    };
    cudaOccupancyAvailableDynamicSMemPerBlock(
        bytes: Out<usize>, function: u64, blocks: i32, threads: i32,
    ) => |cuda| {
        let most = cuda.gpu.limits.block_shared_bytes.value as usize;
        let mut fits = 0;
        // Shared memory is allocated in units of 128 bytes or more.
        for shared in (0..=most).step_by(128) {
            if resident(cuda, function, threads, shared)? < blocks {
                break;
            }
            fits = shared;
        }
        bytes.put(fits)
    };
}
