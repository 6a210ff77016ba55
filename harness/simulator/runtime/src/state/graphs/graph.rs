//! A graph: nodes of work, and the order that their edges ask for.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{self, CudaResult};
use crate::state::work::Work;

/// A piece of work, and the nodes before it.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) handle: u64,
    pub(crate) work: Work,
    /// Handles of the nodes that it depends on.
    pub(crate) after: BTreeSet<u64>,
    /// In a clone, the node that it was copied from; otherwise itself.
    pub(crate) original: u64,
}

/// Nodes in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
}

impl Graph {
    /// The node of a handle.
    pub(crate) fn get(&self, handle: u64) -> Option<&Node> {
        self.nodes.iter().find(|node| node.handle == handle)
    }

    /// The node of a handle, to change it.
    pub(crate) fn get_mut(&mut self, handle: u64) -> Option<&mut Node> {
        self.nodes.iter_mut().find(|node| node.handle == handle)
    }

    /// Checks that the graph has all of these nodes.
    pub(crate) fn check(&self, nodes: &BTreeSet<u64>) -> CudaResult {
        let are_known = nodes.iter().all(|&node| self.get(node).is_some());
        are_known.then_some(()).ok_or(error::INVALID_VALUE)
    }

    /// All nodes, each after those that it depends on.
    ///
    /// # Errors
    /// Nodes that depend on each other.
    pub(crate) fn ordered(&self) -> CudaResult<Vec<Node>> {
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
                return Err(error::INVALID_VALUE);
            }
            left = waiting;
        }
        Ok(ordered)
    }

    /// These nodes, and all that they depend on.
    pub(crate) fn with_ancestors(&self, nodes: &BTreeSet<u64>) -> BTreeSet<u64> {
        let mut all = nodes.clone();
        let mut new: Vec<u64> = nodes.iter().copied().collect();
        while let Some(node) = new.pop().and_then(|handle| self.get(handle)) {
            new.extend(node.after.iter().copied().filter(|&before| all.insert(before)));
        }
        all
    }
}

/// The topology of nodes: each one's kind, and the places of those that it depends on.
pub(crate) fn topology(nodes: &[Node]) -> Vec<(i32, Vec<usize>)> {
    let places: BTreeMap<u64, usize> = nodes.iter().map(|node| node.handle).zip(0..).collect();
    let before = |node: &Node| {
        let mut places: Vec<usize> =
            node.after.iter().filter_map(|it| places.get(it).copied()).collect();
        places.sort_unstable();
        places
    };
    nodes.iter().map(|node| (node.work.kind(), before(node))).collect()
}
