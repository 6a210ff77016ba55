//! Conditional nodes and their handles, and `cudaGraphAddNode`, which adds nodes of any kind.

use std::collections::BTreeSet;

use super::entry::calls;
use super::nodes::{HostNode, KernelNode, SetNode, set_of};
use crate::error::{self, CudaResult};
use crate::host::{In, Out, Pointer};
use crate::state::Runtime;
use crate::state::{Choice, Conditional, Work};

/// `cudaConditionalNodeParams`, as far as all releases agree.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct ConditionalNode {
    handle: u64,
    choice: u32,
    count: u32,
    graphs: u64,
}

/// `cudaGraphCondAssignDefault`
const ASSIGN_DEFAULT: u32 = 1;
/// `cudaGraphNodeTypeConditional`
const CONDITIONAL: i32 = 13;
/// Offset in `cudaGraphNodeParams` of what depends on the kind.
const PARAMETERS: usize = 16;

/// Adds a conditional node, and puts the address of its graphs' handles into its parameters.
fn add_conditional(
    cuda: &mut Runtime,
    (graph, after): (u64, BTreeSet<u64>),
    parameters: Pointer,
) -> CudaResult<u64> {
    let asked: ConditionalNode = parameters.value()?;
    let (choice, most) = match asked.choice {
        0 => (Choice::If, 2),
        1 => (Choice::While, 1),
        2 => (Choice::Switch, u32::MAX),
        _ => return Err(error::INVALID_VALUE),
    };
    if asked.count == 0 || asked.count > most {
        return Err(error::INVALID_VALUE);
    }
    let handle = asked.handle;
    cuda.condition(handle)?;
    let made = Conditional { handle, choice, graphs: Vec::new(), bodies: Vec::new() };
    let (node, address) =
        cuda.graphs.add_conditional(graph, after, (made, asked.count as usize))?;
    let place = parameters.plus(PARAMETERS);
    place.with_mut(8, |into| into.copy_from_slice(&address.to_le_bytes()));
    Ok(node)
}

/// Makes a conditional handle.
fn create_handle(
    cuda: &mut Runtime,
    handle: Out<u64>,
    graph: u64,
    (value, flags): (u32, u32),
) -> CudaResult {
    let value = (flags & ASSIGN_DEFAULT != 0).then_some(value);
    handle.put(cuda.create_condition(graph, value)?)
}

calls! {
    cudaGraphConditionalHandleCreate(
        handle: Out<u64>, graph: u64, value: u32, flags: u32,
    ) => |cuda| create_handle(cuda, handle, graph, (value, flags));
    cudaGraphConditionalHandleCreate_v2(
        handle: Out<u64>, graph: u64, _context: u64, value: u32, flags: u32,
    ) => |cuda| create_handle(cuda, handle, graph, (value, flags));
    cudaGraphAddNode(
        node: Out<u64>, graph: u64, after: In<u64>, fourth: u64, fifth: Pointer, sixth: Pointer,
    ) => |cuda| {
        // Since release 13 the data of the edges precedes their number.
        let (count, parameters) = match cuda.config.release >= 13 {
            true => (fifth.address(), sixth),
            false => (fourth, fifth),
        };
        let after = set_of(after, count as usize)?;
        let kind: i32 = parameters.value()?;
        let own = parameters.plus(PARAMETERS);
        let work = match kind {
            0 => own.value::<KernelNode>()?.work(cuda)?,
            2 => own.value::<SetNode>()?.work()?,
            3 => own.value::<HostNode>()?.work()?,
            5 => Work::Empty,
            CONDITIONAL => return node.put(add_conditional(cuda, (graph, after), own)?),
            _ => {
                let message = format!("cudaGraphAddNode with nodes of kind {kind} is not simulated");
                return Err(cuda.refuse(error::NOT_SUPPORTED, message));
            }
        };
        node.put(cuda.graphs.add_node(graph, after, work)?)
    };
}
