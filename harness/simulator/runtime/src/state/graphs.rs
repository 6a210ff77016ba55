//! The program's graphs: made node by node or captured from streams, and instantiated to be launched.

mod capture;
mod conditions;
mod graph;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use self::capture::{Captures, EndedCapture};
use self::conditions::{Conditions, add_handles};
pub(crate) use self::graph::Graph;
use self::graph::{Node, topology};
use super::work::{Conditional, Work};
use crate::error::{self, CudaResult};

/// Graphs within each other, at most.
const MAX_DEPTH: usize = 64;

/// The program's graphs.
#[derive(Debug, Default)]
pub(crate) struct Graphs {
    /// Number of handles so far.
    made: u64,
    graphs: BTreeMap<u64, Graph>,
    /// Instantiated graphs, with the handles of the nodes that they were made of.
    executables: BTreeMap<u64, Vec<Node>>,
    pub(crate) captures: Captures,
    pub(crate) conditions: Conditions,
}

impl Graphs {
    fn handle(&mut self) -> u64 {
        self.made += 1;
        // An address where nothing lies.
        self.made << 4
    }

    /// Adds a graph.
    pub(crate) fn add(&mut self, graph: Graph) -> u64 {
        let handle = self.handle();
        self.graphs.insert(handle, graph);
        handle
    }

    /// The graph of a handle.
    pub(crate) fn graph(&self, handle: u64) -> CudaResult<&Graph> {
        self.graphs.get(&handle).ok_or(error::INVALID_VALUE)
    }

    fn graph_mut(&mut self, handle: u64) -> CudaResult<&mut Graph> {
        self.graphs.get_mut(&handle).ok_or(error::INVALID_VALUE)
    }

    /// Destroys a graph and those of its conditional nodes. Instances of it stay.
    pub(crate) fn destroy(&mut self, handle: u64) -> CudaResult {
        let graph = self.graphs.remove(&handle).ok_or(error::INVALID_VALUE)?;
        for node in &graph.nodes {
            for body in self.conditions.take_bodies(node.handle) {
                // The program may have destroyed it.
                let _ = self.destroy(body);
            }
        }
        Ok(())
    }

    /// Clones a graph.
    pub(crate) fn clone_of(&mut self, handle: u64) -> CudaResult<u64> {
        let mut graph = self.graph(handle)?.clone();
        let fresh: BTreeMap<u64, u64> =
            graph.nodes.iter().map(|node| (node.handle, self.handle())).collect();
        for node in &mut graph.nodes {
            node.original = node.handle;
            node.handle = fresh[&node.handle];
            node.after = node.after.iter().map(|before| fresh[before]).collect();
            self.expand(&mut node.work, MAX_DEPTH)?;
        }
        Ok(self.add(graph))
    }

    /// Adds a node to a graph.
    ///
    /// # Errors
    /// No such graph, or one of the nodes before it belongs to another.
    pub(crate) fn add_node(
        &mut self,
        graph: u64,
        after: BTreeSet<u64>,
        work: Work,
    ) -> CudaResult<u64> {
        let handle = self.handle();
        let graph = self.graph_mut(graph)?;
        graph.check(&after)?;
        graph.nodes.push(Node { handle, work, after, original: handle });
        Ok(handle)
    }

    /// Adds a conditional node with `count` new graphs. Returns its handle and the address of the handles of these.
    pub(crate) fn add_conditional(
        &mut self,
        graph: u64,
        after: BTreeSet<u64>,
        (conditional, count): (Conditional, usize),
    ) -> CudaResult<(u64, u64)> {
        self.graph(graph)?.check(&after)?;
        let graphs: Vec<u64> = (0..count).map(|_| self.add(Graph::default())).collect();
        let work = Work::Conditional(Conditional { graphs: graphs.clone(), ..conditional });
        let node = self.add_node(graph, after, work)?;
        Ok((node, self.conditions.add_bodies(node, &graphs)))
    }

    /// Adds an edge between nodes of a graph.
    pub(crate) fn add_edge(&mut self, graph: u64, from: u64, to: u64) -> CudaResult {
        let graph = self.graph_mut(graph)?;
        graph.get(from).ok_or(error::INVALID_VALUE)?;
        graph.get_mut(to).ok_or(error::INVALID_VALUE)?.after.insert(from);
        Ok(())
    }

    /// The node of a handle.
    pub(crate) fn node(&self, handle: u64) -> CudaResult<&Node> {
        self.graphs.values().find_map(|graph| graph.get(handle)).ok_or(error::INVALID_VALUE)
    }

    /// Gives a node other work of its kind, in its graph or in an instance of that.
    pub(crate) fn replace(&mut self, executable: Option<u64>, node: u64, work: Work) -> CudaResult {
        let found = match executable {
            None => self.graphs.values_mut().find_map(|graph| graph.get_mut(node)),
            Some(executable) => {
                let nodes = self.executables.get_mut(&executable).ok_or(error::INVALID_VALUE)?;
                nodes.iter_mut().find(|it| it.handle == node)
            }
        };
        let found = found.filter(|found| found.work.kind() == work.kind());
        found.ok_or(error::INVALID_VALUE)?.work = work;
        Ok(())
    }

    /// What a graph does now, as the work of one node of another.
    pub(crate) fn child_work(&self, graph: u64) -> CudaResult<Work> {
        Ok(Work::Graph(self.expanded(graph)?.into_iter().map(|node| node.work).collect()))
    }

    /// Instantiates a graph.
    pub(crate) fn instantiate(&mut self, graph: u64) -> CudaResult<u64> {
        let nodes = self.expanded(graph)?;
        let handle = self.handle();
        self.executables.insert(handle, nodes);
        Ok(handle)
    }

    /// The nodes of an instance, in order.
    pub(crate) fn executable(&self, handle: u64) -> CudaResult<&[Node]> {
        self.executables.get(&handle).map(Vec::as_slice).ok_or(error::INVALID_VALUE)
    }

    /// Destroys an instance.
    pub(crate) fn destroy_executable(&mut self, handle: u64) -> CudaResult {
        self.executables.remove(&handle).map(|_| ()).ok_or(error::INVALID_VALUE)
    }

    /// Gives an instance the work of a graph of the same topology; `false` if it has another.
    pub(crate) fn update(&mut self, executable: u64, graph: u64) -> CudaResult<bool> {
        let new = self.expanded(graph)?;
        let old = self.executables.get_mut(&executable).ok_or(error::INVALID_VALUE)?;
        if topology(old) != topology(&new) {
            return Ok(false);
        }
        for (old, new) in old.iter_mut().zip(new) {
            old.work = new.work;
        }
        Ok(true)
    }

    /// A graph's nodes in order, with what the graphs of its conditional nodes do now.
    fn expanded(&self, graph: u64) -> CudaResult<Vec<Node>> {
        let mut nodes = self.graph(graph)?.ordered()?;
        nodes.iter_mut().try_for_each(|node| self.expand(&mut node.work, MAX_DEPTH))?;
        Ok(nodes)
    }

    /// Replaces the graphs of conditional nodes by their work.
    fn expand(&self, work: &mut Work, depth: usize) -> CudaResult {
        let depth = depth.checked_sub(1).ok_or(error::INVALID_VALUE)?;
        match work {
            Work::Graph(all) => all.iter_mut().try_for_each(|work| self.expand(work, depth)),
            Work::Conditional(Conditional { graphs, bodies, .. }) => {
                for graph in std::mem::take(graphs) {
                    let nodes = self.graph(graph)?.ordered()?;
                    let mut all: Vec<Work> = nodes.into_iter().map(|node| node.work).collect();
                    all.iter_mut().try_for_each(|work| self.expand(work, depth))?;
                    bodies.push(all);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Removes the conditional handles whose graph was destroyed and that no node uses, and returns them.
    pub(crate) fn take_unused_conditions(&mut self) -> Vec<u64> {
        let Graphs { graphs, executables, conditions, .. } = self;
        let mut used = BTreeSet::new();
        let nodes = graphs.values().map(|graph| &graph.nodes).chain(executables.values());
        nodes.flatten().for_each(|node| add_handles(&node.work, &mut used));
        conditions
            .take_unused(|handle, graph| graphs.contains_key(&graph) || used.contains(&handle))
    }

    /// Begins to capture a stream into a new graph.
    ///
    /// # Errors
    /// It is captured already.
    pub(crate) fn begin_capture(&mut self, stream: u64) -> CudaResult {
        self.captures.check_free(stream)?;
        let graph = self.add(Graph::default());
        self.captures.begin(stream, graph, BTreeSet::new())
    }

    /// Begins to capture a stream into a graph, after some of its nodes.
    ///
    /// # Errors
    /// It is captured already, or the graph has no such nodes.
    pub(crate) fn begin_capture_in(
        &mut self,
        stream: u64,
        graph: u64,
        last: BTreeSet<u64>,
    ) -> CudaResult {
        self.captures.check_free(stream)?;
        self.graph(graph)?.check(&last)?;
        self.captures.begin(stream, graph, last)
    }

    /// Lets the next work of a captured stream depend on other nodes, instead of those so far or as well.
    ///
    /// # Errors
    /// It is not captured, or its graph has no such nodes.
    pub(crate) fn set_dependencies(
        &mut self,
        stream: u64,
        nodes: BTreeSet<u64>,
        instead: bool,
    ) -> CudaResult {
        let capture = self.captures.get(stream).ok_or(error::ILLEGAL_STATE)?;
        self.graph(capture.graph)?.check(&nodes)?;
        let capture = self.captures.get_mut(stream).ok_or(error::ILLEGAL_STATE)?;
        if instead {
            capture.last.clear();
        }
        capture.last.extend(nodes);
        Ok(())
    }

    /// Adds work to the graph that its stream is captured into. Returns the work if the stream is not captured.
    pub(crate) fn capture(&mut self, stream: u64, work: Work) -> Option<Work> {
        let Some(capture) = self.captures.get(stream).cloned() else { return Some(work) };
        let node = self.add_node(capture.graph, capture.last, work).ok()?;
        self.captures.get_mut(stream)?.last = BTreeSet::from([node]);
        None
    }

    /// Ends the capture that began with a stream, and returns its graph.
    ///
    /// # Errors
    /// It is not captured, or it does not wait for work of another stream that takes part.
    pub(crate) fn end_capture(&mut self, stream: u64) -> CudaResult<u64> {
        let EndedCapture { capture, others } = self.captures.end(stream)?;
        let joined = self.graph(capture.graph)?.with_ancestors(&capture.last);
        let is_joined = others.iter().all(|last| last.is_subset(&joined));
        if is_joined { Ok(capture.graph) } else { Err(error::CAPTURE_UNJOINED) }
    }
}
