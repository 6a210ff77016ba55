//! Conditional handles, whose values choose what conditional nodes run, and the graphs of these nodes.

use std::collections::{BTreeMap, BTreeSet};

use crate::state::work::{Conditional, Work};

/// Conditional handles, and the graphs of conditional nodes.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    /// By handle: the graph that it was made for, and its value at the start of each launch, if it has one.
    handles: BTreeMap<u64, (u64, Option<u32>)>,
    /// By conditional node: the handles of its graphs, where the program reads them.
    bodies: BTreeMap<u64, Box<[u64]>>,
}

impl Conditions {
    /// Adds a handle of a graph, with its value at the start of each launch, if it has one.
    pub(crate) fn add(&mut self, handle: u64, graph: u64, value: Option<u32>) {
        self.handles.insert(handle, (graph, value));
    }

    /// The value of a handle at the start of each launch.
    pub(crate) fn default_of(&self, handle: u64) -> Option<u32> {
        self.handles.get(&handle)?.1
    }

    /// Removes the handles that are not in use, and returns them.
    pub(crate) fn take_unused(&mut self, is_used: impl Fn(u64, u64) -> bool) -> Vec<u64> {
        let mut unused = Vec::new();
        self.handles.retain(|&handle, &mut (graph, _)| {
            let is_used = is_used(handle, graph);
            unused.extend((!is_used).then_some(handle));
            is_used
        });
        unused
    }

    /// Adds the graphs of a conditional node, and returns the address of their handles.
    pub(crate) fn add_bodies(&mut self, node: u64, graphs: &[u64]) -> u64 {
        let bodies: Box<[u64]> = graphs.into();
        let address = bodies.as_ptr() as u64;
        self.bodies.insert(node, bodies);
        address
    }

    /// Removes the graphs of a conditional node, and returns their handles; none for other nodes.
    pub(crate) fn take_bodies(&mut self, node: u64) -> Box<[u64]> {
        self.bodies.remove(&node).unwrap_or_default()
    }
}

/// Adds the conditional handles that work uses.
pub(crate) fn add_handles(work: &Work, into: &mut BTreeSet<u64>) {
    match work {
        Work::Graph(all) => all.iter().for_each(|work| add_handles(work, into)),
        Work::Conditional(Conditional { handle, bodies, .. }) => {
            into.insert(*handle);
            bodies.iter().flatten().for_each(|work| add_handles(work, into));
        }
        _ => {}
    }
}
