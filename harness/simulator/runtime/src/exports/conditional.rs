//! Conditional nodes of graphs and their handles, and nodes that are added by one structure for all kinds.

use std::collections::BTreeSet;

use super::calls;
use super::nodes::{HostNode, KernelNode, SetNode, set_of};
use super::pointer::{In, Out, Pointer};
use crate::code::{self, Done};
use crate::runtime::Runtime;
use crate::work::{Choice, Conditional, Work};

/// `cudaConditionalNodeParams`, to where releases agree.
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
/// Where `cudaGraphNodeParams` has what belongs to the kind.
const PARAMETERS: usize = 16;

impl Runtime {
    /// The value of a conditional handle.
    pub(crate) fn condition(&mut self, handle: u64) -> Done<u32> {
        let mut word = [0; 4];
        let read = self.simulator.read(handle, &mut word);
        read.map_err(|error| self.memory_error(error))?;
        Ok(u32::from_le_bytes(word))
    }

    fn set_condition(&mut self, handle: u64, value: u32) -> Done {
        let written = self.simulator.write(handle, &value.to_le_bytes());
        written.map_err(|error| self.memory_error(error))
    }

    /// Frees the conditional handles that nothing can use any more.
    pub(crate) fn free_conditions(&mut self) {
        for handle in self.graphs.take_unused_conditions() {
            self.simulator.free(handle);
        }
    }

    /// Gives the handles of conditional nodes their defaults, before a launch.
    pub(crate) fn begin_conditions(&mut self, all: &[Work]) -> Done {
        all.iter().try_for_each(|work| match work {
            Work::Graph(all) => self.begin_conditions(all),
            Work::Conditional(Conditional { handle, bodies, .. }) => {
                if let Some(value) = self.graphs.default_of(*handle) {
                    self.set_condition(*handle, value)?;
                }
                bodies.iter().try_for_each(|all| self.begin_conditions(all))
            }
            _ => Ok(()),
        })
    }
}

/// Adds a conditional node, and says where the handles of its graphs are.
fn add_conditional(
    cuda: &mut Runtime,
    (graph, after): (u64, BTreeSet<u64>),
    parameters: Pointer,
) -> Done<u64> {
    let asked: ConditionalNode = parameters.value()?;
    let (choice, most) = match asked.choice {
        0 => (Choice::If, 2),
        1 => (Choice::While, 1),
        2 => (Choice::Switch, u32::MAX),
        _ => return Err(code::INVALID_VALUE),
    };
    if asked.count == 0 || asked.count > most {
        return Err(code::INVALID_VALUE);
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

fn create_handle(
    cuda: &mut Runtime,
    handle: Out<u64>,
    graph: u64,
    (value, flags): (u32, u32),
) -> Done {
    cuda.graphs.graph(graph)?;
    let made = cuda.allocate(8)?;
    cuda.set_condition(made, 0)?;
    let value = (flags & ASSIGN_DEFAULT != 0).then_some(value);
    cuda.graphs.add_condition(made, graph, value);
    handle.put(made)
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
        // Since release 13 data of the edges comes before their number.
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
                return Err(cuda.refuse(code::NOT_SUPPORTED, message));
            }
        };
        node.put(cuda.graphs.add_node(graph, after, work)?)
    };
}
