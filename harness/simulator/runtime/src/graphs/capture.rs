//! Streams whose work becomes nodes of a graph.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, Graphs};
use crate::code::{self, Done};
use crate::work::Work;

/// What a stream is captured into, and the nodes that its next work comes after.
#[derive(Debug, Clone)]
struct Capture {
    /// The same for all streams that take part.
    id: u64,
    graph: u64,
    last: BTreeSet<u64>,
}

/// All captures of the program.
#[derive(Debug, Default)]
pub(super) struct Captures {
    begun: u64,
    /// By stream.
    streams: BTreeMap<u64, Capture>,
    /// What events mark that were recorded in streams that are captured.
    marks: BTreeMap<u64, Capture>,
    /// By stream: the nodes that its next work comes after, where the program looked for them.
    shown: BTreeMap<u64, Shown>,
}

/// Nodes, and data of as many edges, which is zero for edges of the usual kind.
type Shown = (Box<[u64]>, Box<[u64]>);

/// What a program sees of a capture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) id: u64,
    pub(crate) graph: u64,
    /// The address of the nodes that the stream's next work comes after, that of the data of as many edges, and their number.
    pub(crate) last: (u64, u64, usize),
}

impl Graphs {
    /// Begins to capture a stream into a new graph.
    ///
    /// # Errors
    /// It is captured already.
    pub(crate) fn begin(&mut self, stream: u64) -> Done {
        if self.is_captured(stream) {
            return Err(code::ILLEGAL_STATE);
        }
        let graph = self.add(Graph::default());
        self.begin_in(stream, graph, BTreeSet::new())
    }

    /// Begins to capture a stream into a graph, after some of its nodes.
    ///
    /// # Errors
    /// It is captured already, or the graph has no such nodes.
    pub(crate) fn begin_in(&mut self, stream: u64, graph: u64, last: BTreeSet<u64>) -> Done {
        if self.is_captured(stream) {
            return Err(code::ILLEGAL_STATE);
        }
        self.graph(graph)?.has(&last)?;
        self.captures.begun += 1;
        let id = self.captures.begun;
        self.captures.streams.insert(stream, Capture { id, graph, last });
        Ok(())
    }

    /// Whether a stream is captured.
    pub(crate) fn is_captured(&self, stream: u64) -> bool {
        self.captures.streams.contains_key(&stream)
    }

    /// What a program sees of the capture of a stream, if it is captured; its addresses hold until the next look.
    pub(crate) fn look(&mut self, stream: u64) -> Option<Look> {
        let Capture { id, graph, last } = self.captures.streams.get(&stream)?;
        let nodes: Box<[u64]> = last.iter().copied().collect();
        let edges = vec![0; nodes.len()].into_boxed_slice();
        let last = (nodes.as_ptr() as u64, edges.as_ptr() as u64, nodes.len());
        self.captures.shown.insert(stream, (nodes, edges));
        Some(Look { id: *id, graph: *graph, last })
    }

    /// Lets the next work of a stream come after other nodes: those alone, or as well.
    ///
    /// # Errors
    /// It is not captured, or its graph has no such nodes.
    pub(crate) fn come_after(&mut self, stream: u64, nodes: BTreeSet<u64>, alone: bool) -> Done {
        let capture = self.captures.streams.get(&stream).ok_or(code::ILLEGAL_STATE)?;
        self.graph(capture.graph)?.has(&nodes)?;
        let capture = self.captures.streams.get_mut(&stream).ok_or(code::ILLEGAL_STATE)?;
        if alone {
            capture.last.clear();
        }
        capture.last.extend(nodes);
        Ok(())
    }

    /// Adds work of a stream to the graph that it is captured into; gives it back if there is none.
    pub(crate) fn capture(&mut self, stream: u64, work: Work) -> Option<Work> {
        let Some(Capture { id, graph, last }) = self.captures.streams.get(&stream).cloned() else {
            return Some(work);
        };
        let node = self.add_node(graph, last, work).ok()?;
        self.captures.streams.insert(stream, Capture { id, graph, last: BTreeSet::from([node]) });
        None
    }

    /// Lets an event mark where the capture of a stream is; `false` if it is not captured.
    pub(crate) fn mark(&mut self, event: u64, stream: u64) -> bool {
        self.captures.marks.remove(&event);
        let capture = self.captures.streams.get(&stream).cloned();
        self.captures.marks.extend(capture.map(|capture| (event, capture)));
        self.is_captured(stream)
    }

    /// Lets a stream wait for what an event marks in a capture, of which it becomes a part; `false` if it marks nothing.
    pub(crate) fn join(&mut self, stream: u64, event: u64) -> bool {
        let Some(mark) = self.captures.marks.get(&event).cloned() else { return false };
        self.captures
            .streams
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
        let captures = &mut self.captures;
        let capture = captures.streams.remove(&stream).ok_or(code::ILLEGAL_STATE)?;
        let is_part = |other: &Capture| other.id == capture.id;
        let mut parts = Vec::new();
        captures.streams.retain(|_, other| {
            parts.extend(is_part(other).then(|| other.last.clone()));
            !is_part(other)
        });
        captures.marks.retain(|_, other| !is_part(other));
        let joined = self.graph(capture.graph)?.with_ancestors(&capture.last);
        let is_joined = parts.iter().all(|last| last.is_subset(&joined));
        if is_joined { Ok(capture.graph) } else { Err(code::CAPTURE_UNJOINED) }
    }
}
