//! Nodes of graphs: adding them, and changing their parameters.

use std::collections::BTreeSet;

use super::copies::{Copy3d, copy, copy_3d, symbol};
use super::entry::calls;
use super::launches::launch;
use super::memory::allocation;
use super::structures::Dim3;
use crate::error::{self, CudaResult};
use crate::host::{HostFunction, In, Out, Pointer};
use crate::state::LaunchShape;
use crate::state::Rows;
use crate::state::Runtime;
use crate::state::Work;

/// `cudaKernelNodeParams`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct KernelNode {
    pub(super) function: u64,
    pub(super) grid: Dim3,
    pub(super) block: Dim3,
    pub(super) shared: u32,
    pub(super) arguments: In<Pointer>,
    pub(super) extra: Pointer,
}

/// `cudaMemsetParams`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct SetNode {
    first: Pointer,
    pitch: usize,
    value: u32,
    element: u32,
    width: usize,
    height: usize,
}

/// `cudaHostNodeParams`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct HostNode {
    function: Option<HostFunction>,
    data: Pointer,
}

/// `cudaMemAllocNodeParams`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct AllocationNode {
    /// `cudaMemPoolProps`
    pool: [u64; 11],
    accesses: Pointer,
    count: usize,
    bytes: usize,
    address: u64,
}

impl KernelNode {
    pub(super) fn work(self, cuda: &mut Runtime) -> CudaResult<Work> {
        if self.extra.address() != 0 {
            let message = "arguments of kernel nodes in one buffer (`extra`) are not simulated";
            return Err(cuda.refuse(error::NOT_SUPPORTED, message));
        }
        let (grid, block) = (self.grid.get(), self.block.get());
        let shared_bytes = self.shared as usize;
        let shape = LaunchShape { grid, block, cluster: None, shared_bytes, cooperative: false };
        launch(cuda, self.function, shape, self.arguments)
    }
}

impl SetNode {
    pub(super) fn work(self) -> CudaResult<Work> {
        let SetNode { first, pitch, value, element, width, height } = self;
        if !matches!(element, 1 | 2 | 4) {
            return Err(error::INVALID_VALUE);
        }
        let to = Rows { first, pitch, height };
        Ok(Work::Set { to, value, element: element as usize, extent: [width, height, 1] })
    }
}

#[cfg(test)]
impl SetNode {
    /// Sets `width` words to a value.
    pub(super) fn words(first: Pointer, value: u32, width: usize) -> SetNode {
        SetNode { first, pitch: 0, value, element: 4, width, height: 1 }
    }
}

impl HostNode {
    pub(super) fn work(self) -> CudaResult<Work> {
        let function = self.function.ok_or(error::INVALID_VALUE)?;
        Ok(Work::Host { function, data: self.data })
    }
}

/// Reads handles of nodes.
pub(super) fn set_of(nodes: In<u64>, count: usize) -> CudaResult<BTreeSet<u64>> {
    (0..count).map(|index| nodes.at(index)).collect()
}

/// Adds a node after others.
fn add(
    cuda: &mut Runtime,
    (node, graph): (Out<u64>, u64),
    (after, count): (In<u64>, usize),
    work: Work,
) -> CudaResult {
    node.put(cuda.graphs.add_node(graph, set_of(after, count)?, work)?)
}

calls! {
    cudaGraphAddKernelNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, kernel: In<KernelNode>,
    ) => |cuda| {
        let work = kernel.get()?.work(cuda)?;
        add(cuda, (node, graph), (after, count), work)
    };
    cudaGraphAddMemcpyNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, parameters: In<Copy3d>,
    ) => |cuda| {
        let work = copy_3d(cuda, parameters)?;
        add(cuda, (node, graph), (after, count), work)
    };
    cudaGraphAddMemcpyNode1D(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, to: Pointer, from: Pointer,
        bytes: usize, kind: i32,
    ) => |cuda| add(cuda, (node, graph), (after, count), copy((to, from), bytes, kind)?);
    cudaGraphAddMemcpyNodeToSymbol(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, host: u64, from: Pointer,
        bytes: usize, offset: usize, kind: i32,
    ) => |cuda| {
        let to = symbol(cuda, host, offset, bytes)?;
        add(cuda, (node, graph), (after, count), copy((to, from), bytes, kind)?)
    };
    cudaGraphAddMemcpyNodeFromSymbol(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, to: Pointer, host: u64,
        bytes: usize, offset: usize, kind: i32,
    ) => |cuda| {
        let from = symbol(cuda, host, offset, bytes)?;
        add(cuda, (node, graph), (after, count), copy((to, from), bytes, kind)?)
    };
    cudaGraphAddMemsetNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, set: In<SetNode>,
    ) => |cuda| add(cuda, (node, graph), (after, count), set.get()?.work()?);
    cudaGraphAddHostNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, host: In<HostNode>,
    ) => |cuda| add(cuda, (node, graph), (after, count), host.get()?.work()?);
    cudaGraphAddChildGraphNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, child: u64,
    ) => |cuda| {
        let work = cuda.graphs.child_work(child)?;
        add(cuda, (node, graph), (after, count), work)
    };
    cudaGraphAddEmptyNode(node: Out<u64>, graph: u64, after: In<u64>, count: usize) => |cuda| {
        add(cuda, (node, graph), (after, count), Work::Empty)
    };
    cudaGraphAddEventRecordNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, event: u64,
    ) => |cuda| {
        cuda.streams.event(event)?;
        add(cuda, (node, graph), (after, count), Work::Record(event))
    };
    cudaGraphAddEventWaitNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, event: u64,
    ) => |cuda| {
        cuda.streams.event(event)?;
        add(cuda, (node, graph), (after, count), Work::Wait(event))
    };
    cudaGraphAddMemAllocNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, parameters: Out<AllocationNode>,
    ) => |cuda| {
        let asked = parameters.get()?;
        let (address, work) = allocation(cuda, asked.bytes)?;
        parameters.put(AllocationNode { address, ..asked })?;
        add(cuda, (node, graph), (after, count), work)
    };
    cudaGraphAddMemFreeNode(
        node: Out<u64>, graph: u64, after: In<u64>, count: usize, address: u64,
    ) => |cuda| add(cuda, (node, graph), (after, count), Work::Free(address));

    cudaGraphKernelNodeSetParams(node: u64, kernel: In<KernelNode>) => |cuda| {
        let work = kernel.get()?.work(cuda)?;
        cuda.graphs.replace(None, node, work)
    };
    cudaGraphExecKernelNodeSetParams(executable: u64, node: u64, kernel: In<KernelNode>) => |cuda| {
        let work = kernel.get()?.work(cuda)?;
        cuda.graphs.replace(Some(executable), node, work)
    };
    cudaGraphMemcpyNodeSetParams(node: u64, parameters: In<Copy3d>) => |cuda| {
        let work = copy_3d(cuda, parameters)?;
        cuda.graphs.replace(None, node, work)
    };
    cudaGraphExecMemcpyNodeSetParams(executable: u64, node: u64, parameters: In<Copy3d>) => |cuda| {
        let work = copy_3d(cuda, parameters)?;
        cuda.graphs.replace(Some(executable), node, work)
    };
    cudaGraphMemcpyNodeSetParams1D(
        node: u64, to: Pointer, from: Pointer, bytes: usize, kind: i32,
    ) => |cuda| cuda.graphs.replace(None, node, copy((to, from), bytes, kind)?);
    cudaGraphExecMemcpyNodeSetParams1D(
        executable: u64, node: u64, to: Pointer, from: Pointer, bytes: usize, kind: i32,
    ) => |cuda| cuda.graphs.replace(Some(executable), node, copy((to, from), bytes, kind)?);
    cudaGraphMemsetNodeSetParams(node: u64, set: In<SetNode>) => |cuda| {
        cuda.graphs.replace(None, node, set.get()?.work()?)
    };
    cudaGraphExecMemsetNodeSetParams(executable: u64, node: u64, set: In<SetNode>) => |cuda| {
        cuda.graphs.replace(Some(executable), node, set.get()?.work()?)
    };
    cudaGraphHostNodeSetParams(node: u64, host: In<HostNode>) => |cuda| {
        cuda.graphs.replace(None, node, host.get()?.work()?)
    };
    cudaGraphExecHostNodeSetParams(executable: u64, node: u64, host: In<HostNode>) => |cuda| {
        cuda.graphs.replace(Some(executable), node, host.get()?.work()?)
    };
}
