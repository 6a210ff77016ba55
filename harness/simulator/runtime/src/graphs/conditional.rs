//! Conditional nodes: the graphs that they choose from, and the handles that hold what decides.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, Graphs, Node};
use crate::code::{self, Done};
use crate::work::{Conditional, Work};

/// Graphs inside each other, at most.
const NESTED: usize = 64;

/// Conditional handles, and the graphs of conditional nodes.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    /// By handle: the graph that it was made for, and what it holds when a launch begins, if that is given.
    handles: BTreeMap<u64, (u64, Option<u32>)>,
    /// By the handles of conditional nodes: the handles of their graphs, where programs look for them.
    bodies: BTreeMap<u64, Box<[u64]>>,
}

impl Graphs {
    /// Knows a conditional handle of a graph, and what it holds when a launch begins, if that is given.
    pub(crate) fn add_condition(&mut self, handle: u64, graph: u64, value: Option<u32>) {
        self.conditions.handles.insert(handle, (graph, value));
    }

    /// What a conditional handle holds when a launch begins.
    pub(crate) fn default_of(&self, handle: u64) -> Option<u32> {
        self.conditions.handles.get(&handle)?.1
    }

    /// Forgets the conditional handles that nothing can use any more, and gives them: those whose graph ended, and that no
    /// node names.
    pub(crate) fn take_unused_conditions(&mut self) -> Vec<u64> {
        let mut used = BTreeSet::new();
        let nodes = self.graphs.values().map(|graph| &graph.nodes);
        nodes
            .chain(self.executables.values())
            .flatten()
            .for_each(|node| named(&node.work, &mut used));
        let Graphs { graphs, conditions, .. } = self;
        let mut unused = Vec::new();
        conditions.handles.retain(|handle, (graph, _)| {
            let is_used = graphs.contains_key(graph) || used.contains(handle);
            unused.extend((!is_used).then_some(*handle));
            is_used
        });
        unused
    }

    /// Adds a conditional node; gives its handle, and the address of the handles of so many new graphs.
    pub(crate) fn add_conditional(
        &mut self,
        graph: u64,
        after: BTreeSet<u64>,
        (conditional, count): (Conditional, usize),
    ) -> Done<(u64, u64)> {
        self.graph(graph)?.has(&after)?;
        let graphs: Vec<u64> = (0..count).map(|_| self.add(Graph::default())).collect();
        let kept = graphs.clone().into_boxed_slice();
        let address = kept.as_ptr() as u64;
        let node =
            self.add_node(graph, after, Work::Conditional(Conditional { graphs, ..conditional }))?;
        self.conditions.bodies.insert(node, kept);
        Ok((node, address))
    }

    /// Ends the graphs of a graph's conditional nodes.
    pub(super) fn destroy_bodies(&mut self, nodes: &[Node]) {
        for node in nodes {
            for body in self.conditions.bodies.remove(&node.handle).into_iter().flatten() {
                // A program may have ended it.
                let _ = self.destroy(body);
            }
        }
    }

    /// A graph's nodes in order, with what the graphs of its conditional nodes do now: later changes of these do not
    /// matter.
    pub(super) fn ready(&self, graph: u64) -> Done<Vec<Node>> {
        let mut nodes = self.graph(graph)?.ordered()?;
        nodes.iter_mut().try_for_each(|node| self.fill(&mut node.work, NESTED))?;
        Ok(nodes)
    }

    /// Puts what a conditional node's graphs do in their place.
    pub(super) fn fill(&self, work: &mut Work, left: usize) -> Done {
        let left = left.checked_sub(1).ok_or(code::INVALID_VALUE)?;
        match work {
            Work::Graph(all) => all.iter_mut().try_for_each(|work| self.fill(work, left)),
            Work::Conditional(Conditional { graphs, bodies, .. }) => {
                for graph in std::mem::take(graphs) {
                    let nodes = self.graph(graph)?.ordered()?;
                    let mut all: Vec<Work> = nodes.into_iter().map(|node| node.work).collect();
                    all.iter_mut().try_for_each(|work| self.fill(work, left))?;
                    bodies.push(all);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The same for a node that is copied with its graph.
    pub(super) fn detach(&self, work: &mut Work) -> Done {
        self.fill(work, NESTED)
    }
}

/// Notes the conditional handles that work names.
fn named(work: &Work, into: &mut BTreeSet<u64>) {
    match work {
        Work::Graph(all) => all.iter().for_each(|work| named(work, into)),
        Work::Conditional(Conditional { handle, bodies, .. }) => {
            into.insert(*handle);
            bodies.iter().flatten().for_each(|work| named(work, into));
        }
        _ => {}
    }
}
