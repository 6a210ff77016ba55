//! Graphs: creating, launching and querying them. [`super::nodes`] has their nodes, [`super::capture`] makes them from
//! streams.

use super::entry::{calls, enter};
use crate::error::{self, CudaResult};
use crate::host::{In, Out};
use crate::state::Graph;
use crate::state::{Choice, Conditional, Work};

/// `cudaGraphExecUpdateResultInfo`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct UpdateResult {
    result: i32,
    node: u64,
    from: u64,
}

/// `cudaGraphExecUpdateErrorTopologyChanged`
const FORM_CHANGED: i32 = 2;

/// `cudaGraphMemAttrUsedMemCurrent` and so on: even numbers are current values, odd ones the highest so far.
const ATTRIBUTES: u32 = 4;

/// Performs the work of a launched graph. Host functions may call the runtime, so they run with the runtime unlocked.
fn run(call: &'static str, all: Vec<Work>, stream: u64) -> i32 {
    for work in all {
        let code = match work {
            Work::Host { function, data } => {
                function(data);
                error::SUCCESS.0
            }
            Work::Graph(all) => run(call, all, stream),
            Work::Conditional(node) => choose(call, &node, stream),
            work => enter(call, |cuda| {
                let stream = cuda.streams.get(stream)?;
                cuda.perform(&work, stream)
            }),
        };
        if code != error::SUCCESS.0 {
            return code;
        }
    }
    error::SUCCESS.0
}

/// Performs what a conditional node chooses.
fn choose(call: &'static str, node: &Conditional, stream: u64) -> i32 {
    loop {
        let mut value = 0;
        let code = enter(call, |cuda| {
            value = cuda.condition(node.handle)?;
            Ok(())
        });
        let body = node.body(value).filter(|_| code == error::SUCCESS.0);
        let Some(body) = body else { return code };
        let code = run(call, body.to_vec(), stream);
        if code != error::SUCCESS.0 || node.choice != Choice::While {
            return code;
        }
    }
}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub(super) extern "C" fn cudaGraphLaunch(executable: u64, stream: u64) -> i32 {
    let mut now = Vec::new();
    let code = enter("cudaGraphLaunch", |cuda| {
        let nodes = cuda.graphs.executable(executable)?;
        let all: Vec<Work> = nodes.iter().map(|node| node.work.clone()).collect();
        if let Some(Work::Graph(all)) = cuda.graphs.capture(stream, Work::Graph(all)) {
            cuda.reset_conditions(&all)?;
            now = all;
        }
        Ok(())
    });
    if code == error::SUCCESS.0 { run("cudaGraphLaunch", now, stream) } else { code }
}

/// Puts as many handles of nodes as there is room for, and their number. Without room it puts only the number.
fn list(handles: &[u64], nodes: Out<u64>, count: Out<usize>) -> CudaResult {
    if nodes.address() != 0 {
        let most = count.get()?;
        for (index, &handle) in handles.iter().take(most).enumerate() {
            nodes.at(index).put(handle)?;
        }
    }
    count.put(handles.len())
}

calls! {
    cudaGraphCreate(graph: Out<u64>, _flags: u32) => |cuda| {
        graph.put(cuda.graphs.add(Graph::default()))
    };
    cudaGraphDestroy(graph: u64) => |cuda| {
        cuda.graphs.destroy(graph)?;
        cuda.free_unused_conditions();
        Ok(())
    };
    cudaGraphClone(clone: Out<u64>, graph: u64) => |cuda| clone.put(cuda.graphs.clone_of(graph)?);
    cudaGraphInstantiate | cudaGraphInstantiate_v2 | cudaGraphInstantiateWithFlags(
        executable: Out<u64>, graph: u64,
    ) => |cuda| executable.put(cuda.graphs.instantiate(graph)?);
    cudaGraphExecDestroy(executable: u64) => |cuda| {
        cuda.graphs.destroy_executable(executable)?;
        cuda.free_unused_conditions();
        Ok(())
    };
    cudaGraphExecUpdate(executable: u64, graph: u64, result: Out<UpdateResult>) => |cuda| {
        let fits = cuda.graphs.update(executable, graph)?;
        if cuda.config.release >= 12 {
            let result_of = if fits { 0 } else { FORM_CHANGED };
            result.put_if_wanted(UpdateResult { result: result_of, node: 0, from: 0 })?;
        }
        if fits { Ok(()) } else { Err(error::GRAPH_UPDATE) }
    };
    cudaGraphUpload | cudaGraphUpload_ptsz(executable: u64, stream: u64) => |cuda| {
        cuda.streams.get(stream)?;
        cuda.graphs.executable(executable).map(|_| ())
    };

    cudaGraphAddDependencies(
        graph: u64, from: In<u64>, to: In<u64>, edges: usize, count: usize,
    ) => |cuda| {
        // Since release 13 the data of the edges precedes their number.
        let count = if cuda.config.release >= 13 { count } else { edges };
        (0..count).try_for_each(|index| cuda.graphs.add_edge(graph, from.at(index)?, to.at(index)?))
    };

    cudaGraphGetNodes(graph: u64, nodes: Out<u64>, count: Out<usize>) => |cuda| {
        let all: Vec<u64> = cuda.graphs.graph(graph)?.nodes.iter().map(|it| it.handle).collect();
        list(&all, nodes, count)
    };
    cudaGraphGetRootNodes(graph: u64, nodes: Out<u64>, count: Out<usize>) => |cuda| {
        let all = cuda.graphs.graph(graph)?.nodes.iter();
        let roots: Vec<u64> = all.filter(|it| it.after.is_empty()).map(|it| it.handle).collect();
        list(&roots, nodes, count)
    };
    cudaGraphNodeGetType(node: u64, kind: Out<i32>) => |cuda| {
        kind.put(cuda.graphs.node(node)?.work.kind())
    };
    cudaGraphNodeFindInClone(node: Out<u64>, original: u64, clone: u64) => |cuda| {
        let found = cuda.graphs.graph(clone)?.nodes.iter().find(|it| it.original == original);
        node.put(found.ok_or(error::INVALID_VALUE)?.handle)
    };
    cudaDeviceGetGraphMemAttribute(_device: i32, attribute: u32, value: Out<u64>) => |cuda| {
        if attribute >= ATTRIBUTES {
            return Err(error::INVALID_VALUE);
        }
        value.put(cuda.memory.of_graphs.values().sum())
    };
    cudaDeviceGraphMemTrim(_device: i32) => |_| Ok(());
}
