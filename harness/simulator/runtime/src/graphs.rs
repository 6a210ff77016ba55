//! Graphs of work: made node by node or captured from streams, and made ready to be launched.

mod capture;
mod conditional;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use self::capture::Captures;
use self::conditional::Conditions;
use crate::code::{self, Done};
use crate::work::Work;

/// A piece of work, and the nodes before it.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) handle: u64,
    pub(crate) work: Work,
    pub(crate) after: BTreeSet<u64>,
    /// The node of which it was made, if its graph is a clone.
    pub(crate) original: u64,
}

/// Nodes in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
}

impl Graph {
    fn get(&self, handle: u64) -> Option<&Node> {
        self.nodes.iter().find(|node| node.handle == handle)
    }

    fn get_mut(&mut self, handle: u64) -> Option<&mut Node> {
        self.nodes.iter_mut().find(|node| node.handle == handle)
    }

    /// Whether all of some nodes are its own.
    fn has(&self, nodes: &BTreeSet<u64>) -> Done {
        let are_known = nodes.iter().all(|&node| self.get(node).is_some());
        are_known.then_some(()).ok_or(code::INVALID_VALUE)
    }

    /// All nodes, each after those before it.
    ///
    /// # Errors
    /// Nodes that wait for each other.
    pub(crate) fn ordered(&self) -> Done<Vec<Node>> {
        let mut done = BTreeSet::new();
        let mut ordered = Vec::new();
        let mut left: Vec<&Node> = self.nodes.iter().collect();
        while !left.is_empty() {
            let before = left.len();
            let mut waiting = Vec::new();
            for node in left {
                if !node.after.is_subset(&done) {
                    waiting.push(node);
                    continue;
                }
                done.insert(node.handle);
                ordered.push(node.clone());
            }
            if waiting.len() == before {
                return Err(code::INVALID_VALUE);
            }
            left = waiting;
        }
        Ok(ordered)
    }

    /// Nodes, and all that come before them.
    fn with_ancestors(&self, nodes: &BTreeSet<u64>) -> BTreeSet<u64> {
        let mut all = nodes.clone();
        let mut new: Vec<u64> = nodes.iter().copied().collect();
        while let Some(node) = new.pop().and_then(|handle| self.get(handle)) {
            new.extend(node.after.iter().copied().filter(|&before| all.insert(before)));
        }
        all
    }
}

/// The program's graphs.
#[derive(Debug, Default)]
pub(crate) struct Graphs {
    made: u64,
    graphs: BTreeMap<u64, Graph>,
    /// Ready to be launched, with the handles of the nodes that they were made of.
    executables: BTreeMap<u64, Vec<Node>>,
    captures: Captures,
    conditions: Conditions,
}

impl Graphs {
    fn handle(&mut self) -> u64 {
        self.made += 1;
        // An address that nothing has.
        self.made << 4
    }

    /// Makes a graph.
    pub(crate) fn add(&mut self, graph: Graph) -> u64 {
        let handle = self.handle();
        self.graphs.insert(handle, graph);
        handle
    }

    /// The graph of a handle.
    pub(crate) fn graph(&self, handle: u64) -> Done<&Graph> {
        self.graphs.get(&handle).ok_or(code::INVALID_VALUE)
    }

    fn graph_mut(&mut self, handle: u64) -> Done<&mut Graph> {
        self.graphs.get_mut(&handle).ok_or(code::INVALID_VALUE)
    }

    /// Ends a graph, with those of its conditional nodes; what is ready to be launched of it stays.
    pub(crate) fn destroy(&mut self, handle: u64) -> Done {
        let graph = self.graphs.remove(&handle).ok_or(code::INVALID_VALUE)?;
        self.destroy_bodies(&graph.nodes);
        Ok(())
    }

    /// Makes a graph of the same nodes.
    pub(crate) fn clone_of(&mut self, handle: u64) -> Done<u64> {
        let mut graph = self.graph(handle)?.clone();
        let fresh: BTreeMap<u64, u64> =
            graph.nodes.iter().map(|node| (node.handle, self.handle())).collect();
        for node in &mut graph.nodes {
            node.original = node.handle;
            node.handle = fresh[&node.handle];
            node.after = node.after.iter().map(|before| fresh[before]).collect();
            self.detach(&mut node.work)?;
        }
        Ok(self.add(graph))
    }

    /// Adds a node to a graph.
    ///
    /// # Errors
    /// No such graph, or one of the nodes before it is of another.
    pub(crate) fn add_node(&mut self, graph: u64, after: BTreeSet<u64>, work: Work) -> Done<u64> {
        let handle = self.handle();
        let graph = self.graph_mut(graph)?;
        graph.has(&after)?;
        graph.nodes.push(Node { handle, work, after, original: handle });
        Ok(handle)
    }

    /// Lets nodes of a graph come after others.
    pub(crate) fn add_edge(&mut self, graph: u64, from: u64, to: u64) -> Done {
        let graph = self.graph_mut(graph)?;
        graph.get(from).ok_or(code::INVALID_VALUE)?;
        graph.get_mut(to).ok_or(code::INVALID_VALUE)?.after.insert(from);
        Ok(())
    }

    /// A node by its handle.
    pub(crate) fn node(&self, handle: u64) -> Done<&Node> {
        self.graphs.values().find_map(|graph| graph.get(handle)).ok_or(code::INVALID_VALUE)
    }

    /// Gives a node other work of its kind: in its graph, or in what was made ready of that.
    pub(crate) fn replace(&mut self, executable: Option<u64>, node: u64, work: Work) -> Done {
        let found = match executable {
            None => self.graphs.values_mut().find_map(|graph| graph.get_mut(node)),
            Some(executable) => {
                let nodes = self.executables.get_mut(&executable).ok_or(code::INVALID_VALUE)?;
                nodes.iter_mut().find(|it| it.handle == node)
            }
        };
        let found = found.filter(|found| found.work.kind() == work.kind());
        found.ok_or(code::INVALID_VALUE)?.work = work;
        Ok(())
    }

    /// What a graph does now, as the work of one node of another.
    pub(crate) fn as_work(&self, graph: u64) -> Done<Work> {
        Ok(Work::Graph(self.ready(graph)?.into_iter().map(|node| node.work).collect()))
    }

    /// Makes a graph ready to be launched.
    pub(crate) fn instantiate(&mut self, graph: u64) -> Done<u64> {
        let nodes = self.ready(graph)?;
        let handle = self.handle();
        self.executables.insert(handle, nodes);
        Ok(handle)
    }

    /// What a launch does, in order.
    pub(crate) fn executable(&self, handle: u64) -> Done<&[Node]> {
        self.executables.get(&handle).map(Vec::as_slice).ok_or(code::INVALID_VALUE)
    }

    /// Ends what was made ready.
    pub(crate) fn destroy_executable(&mut self, handle: u64) -> Done {
        self.executables.remove(&handle).map(|_| ()).ok_or(code::INVALID_VALUE)
    }

    /// Gives what was made ready the work of a graph of the same form; `false` if it has another.
    pub(crate) fn update(&mut self, executable: u64, graph: u64) -> Done<bool> {
        let new = self.ready(graph)?;
        let old = self.executables.get_mut(&executable).ok_or(code::INVALID_VALUE)?;
        if form(old) != form(&new) {
            return Ok(false);
        }
        for (old, new) in old.iter_mut().zip(new) {
            old.work = new.work;
        }
        Ok(true)
    }
}

/// Each node's kind, and the places of those before it.
fn form(nodes: &[Node]) -> Vec<(i32, Vec<usize>)> {
    let places: BTreeMap<u64, usize> = nodes.iter().map(|node| node.handle).zip(0..).collect();
    let before = |node: &Node| {
        let mut places: Vec<usize> =
            node.after.iter().filter_map(|it| places.get(it).copied()).collect();
        places.sort_unstable();
        places
    };
    nodes.iter().map(|node| (node.work.kind(), before(node))).collect()
}
