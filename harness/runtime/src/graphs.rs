//! Graphs of work: made node by node or captured from streams, and made ready to be launched.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{self, Done};
use crate::work::{Conditional, Work};

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

/// What a stream is captured into, and the nodes that its next work comes after.
#[derive(Debug, Clone)]
struct Capture {
    graph: u64,
    last: BTreeSet<u64>,
}

/// Graphs inside each other, at most.
const NESTED: usize = 64;

/// The program's graphs.
#[derive(Debug, Default)]
pub(crate) struct Graphs {
    made: u64,
    graphs: BTreeMap<u64, Graph>,
    /// Ready to be launched, with the handles of the nodes that they were made of.
    executables: BTreeMap<u64, Vec<Node>>,
    /// By stream.
    captures: BTreeMap<u64, Capture>,
    /// What events mark that were recorded in streams that are captured.
    marks: BTreeMap<u64, Capture>,
    /// By the handles of conditional nodes: the handles of their graphs, where programs look for them.
    bodies: BTreeMap<u64, Box<[u64]>>,
    /// What conditional handles hold when a launch begins, if that is given.
    pub(crate) defaults: BTreeMap<u64, u32>,
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

    /// Ends a graph; what is ready to be launched of it stays.
    pub(crate) fn destroy(&mut self, handle: u64) -> Done {
        self.graphs.remove(&handle).map(|_| ()).ok_or(code::INVALID_VALUE)
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
        if after.iter().any(|&before| graph.get(before).is_none()) {
            return Err(code::INVALID_VALUE);
        }
        graph.nodes.push(Node { handle, work, after, original: handle });
        Ok(handle)
    }

    /// Adds a conditional node; gives its handle, and the address of the handles of so many new graphs.
    pub(crate) fn add_conditional(
        &mut self,
        graph: u64,
        after: BTreeSet<u64>,
        (conditional, count): (Conditional, usize),
    ) -> Done<(u64, u64)> {
        let graphs: Vec<u64> = (0..count).map(|_| self.add(Graph::default())).collect();
        let kept = graphs.clone().into_boxed_slice();
        let address = kept.as_ptr() as u64;
        let node =
            self.add_node(graph, after, Work::Conditional(Conditional { graphs, ..conditional }))?;
        self.bodies.insert(node, kept);
        Ok((node, address))
    }

    /// A graph's nodes in order, with what the graphs of its conditional nodes do.
    fn ready(&self, graph: u64) -> Done<Vec<Node>> {
        let mut nodes = self.graph(graph)?.ordered()?;
        nodes.iter_mut().try_for_each(|node| self.fill(&mut node.work, NESTED))?;
        Ok(nodes)
    }

    fn fill(&self, work: &mut Work, left: usize) -> Done {
        let left = left.checked_sub(1).ok_or(code::INVALID_VALUE)?;
        match work {
            Work::Graph(all) => all.iter_mut().try_for_each(|work| self.fill(work, left)),
            Work::Conditional(Conditional { graphs, bodies, .. }) => {
                bodies.clear();
                for &graph in graphs.iter() {
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

    /// Begins to capture a stream into a new graph.
    ///
    /// # Errors
    /// It is captured already.
    pub(crate) fn begin(&mut self, stream: u64) -> Done {
        if self.is_captured(stream) {
            return Err(code::ILLEGAL_STATE);
        }
        let graph = self.add(Graph::default());
        self.captures.insert(stream, Capture { graph, last: BTreeSet::new() });
        Ok(())
    }

    /// Whether a stream is captured.
    pub(crate) fn is_captured(&self, stream: u64) -> bool {
        self.captures.contains_key(&stream)
    }

    /// Adds work of a stream to the graph that it is captured into; gives it back if there is none.
    pub(crate) fn capture(&mut self, stream: u64, work: Work) -> Option<Work> {
        let Some(Capture { graph, last }) = self.captures.get(&stream).cloned() else {
            return Some(work);
        };
        let node = self.add_node(graph, last, work).ok()?;
        self.captures.insert(stream, Capture { graph, last: BTreeSet::from([node]) });
        None
    }

    /// Lets an event mark where the capture of a stream is; `false` if it is not captured.
    pub(crate) fn mark(&mut self, event: u64, stream: u64) -> bool {
        self.marks.remove(&event);
        let capture = self.captures.get(&stream).cloned();
        self.marks.extend(capture.map(|capture| (event, capture)));
        self.is_captured(stream)
    }

    /// Lets a stream wait for what an event marks in a capture, of which it becomes a part; `false` if it marks nothing.
    pub(crate) fn join(&mut self, stream: u64, event: u64) -> bool {
        let Some(mark) = self.marks.get(&event).cloned() else { return false };
        self.captures
            .entry(stream)
            .and_modify(|capture| capture.last.extend(&mark.last))
            .or_insert(mark);
        true
    }

    /// Ends the capture that began with a stream; gives its graph.
    ///
    /// # Errors
    /// It is not captured, or another stream has work that it does not wait for.
    pub(crate) fn end(&mut self, stream: u64) -> Done<u64> {
        let Capture { graph, last } = self.captures.remove(&stream).ok_or(code::ILLEGAL_STATE)?;
        let joined = self.graph(graph)?.with_ancestors(&last);
        let is_part = |capture: &Capture| capture.graph == graph;
        let is_joined =
            self.captures.values().filter(|it| is_part(it)).all(|it| it.last.is_subset(&joined));
        self.captures.retain(|_, capture| !is_part(capture));
        self.marks.retain(|_, capture| !is_part(capture));
        if is_joined { Ok(graph) } else { Err(code::CAPTURE_UNJOINED) }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn handles(graphs: &Graphs, executable: u64) -> Vec<u64> {
        graphs.executable(executable).unwrap().iter().map(|node| node.handle).collect()
    }

    #[test]
    fn nodes_come_after_those_before_them_however_they_were_added() {
        let mut graphs = Graphs::default();
        let graph = graphs.add(Graph::default());
        let [a, b, c] = [(); 3]
            .map(|()| graphs.add_node(graph, BTreeSet::new(), Work::Empty).expect("a graph"));
        graphs.add_edge(graph, c, a).unwrap();
        graphs.add_edge(graph, b, c).unwrap();
        let executable = graphs.instantiate(graph).unwrap();
        assert_eq!(handles(&graphs, executable), [b, c, a]);
        graphs.add_edge(graph, a, b).unwrap();
        assert_eq!(graphs.instantiate(graph), Err(code::INVALID_VALUE), "a circle");
        assert_eq!(
            graphs.add_node(graph, BTreeSet::from([7]), Work::Empty),
            Err(code::INVALID_VALUE)
        );
        assert_eq!(graphs.add_edge(graph, a, 7), Err(code::INVALID_VALUE));
        assert_eq!(graphs.instantiate(7), Err(code::INVALID_VALUE));
    }

    #[test]
    fn a_capture_takes_in_the_streams_that_wait_for_it() {
        let (one, other, event, joint) = (17, 18, 30, 31);
        let mut graphs = Graphs::default();
        assert!(graphs.capture(one, Work::Empty).is_some(), "not captured");
        graphs.begin(one).unwrap();
        assert_eq!(graphs.begin(one), Err(code::ILLEGAL_STATE));
        assert!(graphs.capture(one, Work::Empty).is_none());
        assert!(graphs.mark(event, one));
        assert!(graphs.join(other, event));
        assert!(graphs.capture(other, Work::Record(1)).is_none());
        assert!(graphs.capture(one, Work::Wait(1)).is_none());
        assert!(graphs.mark(joint, other));
        assert!(graphs.join(one, joint));
        assert!(graphs.capture(one, Work::Free(1)).is_none());
        let graph = graphs.end(one).unwrap();
        let nodes = &graphs.graph(graph).unwrap().nodes;
        let before: Vec<usize> = nodes.iter().map(|node| node.after.len()).collect();
        assert_eq!(before, [0, 1, 1, 2]);
        assert!(!graphs.is_captured(other) && !graphs.join(other, event));
        assert_eq!(graphs.end(one), Err(code::ILLEGAL_STATE));

        // A clone is one of its own; what differs in form does not take its place.
        let clone = graphs.clone_of(graph).unwrap();
        let executable = graphs.instantiate(graph).unwrap();
        assert_eq!(graphs.update(executable, clone), Ok(true));
        graphs.add_node(clone, BTreeSet::new(), Work::Empty).unwrap();
        assert_eq!(graphs.update(executable, clone), Ok(false));
        let first = handles(&graphs, executable)[0];
        assert_eq!(
            graphs.replace(Some(executable), first, Work::Wait(2)),
            Err(code::INVALID_VALUE)
        );
        assert_eq!(graphs.replace(Some(executable), first, Work::Empty), Ok(()));
    }

    #[test]
    fn work_that_nobody_waits_for_makes_a_capture_invalid() {
        let mut graphs = Graphs::default();
        graphs.begin(17).unwrap();
        graphs.mark(30, 17);
        graphs.join(18, 30);
        graphs.capture(18, Work::Empty);
        assert_eq!(graphs.end(17), Err(code::CAPTURE_UNJOINED));
        assert!(!graphs.is_captured(17) && !graphs.is_captured(18));
    }
}
