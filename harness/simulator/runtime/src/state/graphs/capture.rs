//! Streams whose work becomes nodes of a graph.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{self, CudaResult};

/// What a stream is captured into, and the nodes that its next work depends on.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    /// The same for all streams that take part.
    id: u64,
    pub(crate) graph: u64,
    pub(crate) last: BTreeSet<u64>,
}

/// All captures of the program.
#[derive(Debug, Default)]
pub(crate) struct Captures {
    /// Number of captures so far.
    begun: u64,
    streams: BTreeMap<u64, Capture>,
    /// By event: where the capture was when the event was recorded.
    marks: BTreeMap<u64, Capture>,
    /// By stream: the arrays that the program was last shown.
    shown: BTreeMap<u64, NodesAndEdges>,
}

/// Nodes, and the data of as many edges, which is zero for edges of the usual kind.
type NodesAndEdges = (Box<[u64]>, Box<[u64]>);

/// What a program sees of a capture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaptureInfo {
    pub(crate) id: u64,
    pub(crate) graph: u64,
    /// The address of the nodes that the stream's next work depends on.
    pub(crate) nodes: u64,
    /// The address of the data of as many edges.
    pub(crate) edges: u64,
    /// Number of the nodes.
    pub(crate) count: usize,
}

/// A capture that has ended.
pub(crate) struct EndedCapture {
    pub(crate) capture: Capture,
    /// The last nodes of each other stream that took part.
    pub(crate) others: Vec<BTreeSet<u64>>,
}

impl Captures {
    /// Begins to capture a stream into a graph, after some of its nodes.
    ///
    /// # Errors
    /// It is captured already.
    pub(crate) fn begin(&mut self, stream: u64, graph: u64, last: BTreeSet<u64>) -> CudaResult {
        self.check_free(stream)?;
        self.begun += 1;
        let id = self.begun;
        self.streams.insert(stream, Capture { id, graph, last });
        Ok(())
    }

    /// Checks that a stream is not captured.
    pub(crate) fn check_free(&self, stream: u64) -> CudaResult {
        if self.is_captured(stream) { Err(error::ILLEGAL_STATE) } else { Ok(()) }
    }

    /// Whether a stream is captured.
    pub(crate) fn is_captured(&self, stream: u64) -> bool {
        self.streams.contains_key(&stream)
    }

    /// The capture of a stream.
    pub(crate) fn get(&self, stream: u64) -> Option<&Capture> {
        self.streams.get(&stream)
    }

    /// The capture of a stream, to change it.
    pub(crate) fn get_mut(&mut self, stream: u64) -> Option<&mut Capture> {
        self.streams.get_mut(&stream)
    }

    /// What a program sees of the capture of a stream, if it is captured. The addresses are valid until the next call.
    pub(crate) fn info(&mut self, stream: u64) -> Option<CaptureInfo> {
        let Capture { id, graph, last } = self.streams.get(&stream)?;
        let nodes: Box<[u64]> = last.iter().copied().collect();
        let edges = vec![0; nodes.len()].into_boxed_slice();
        let info = CaptureInfo {
            id: *id,
            graph: *graph,
            nodes: nodes.as_ptr() as u64,
            edges: edges.as_ptr() as u64,
            count: nodes.len(),
        };
        self.shown.insert(stream, (nodes, edges));
        Some(info)
    }

    /// Records an event in a stream; `false` if the stream is not captured.
    pub(crate) fn mark(&mut self, event: u64, stream: u64) -> bool {
        self.marks.remove(&event);
        let capture = self.streams.get(&stream).cloned();
        self.marks.extend(capture.map(|capture| (event, capture)));
        self.is_captured(stream)
    }

    /// Lets a stream wait for an event that was recorded in a capture, and so join it; `false` if it was not.
    pub(crate) fn join(&mut self, stream: u64, event: u64) -> bool {
        let Some(mark) = self.marks.get(&event).cloned() else { return false };
        self.streams
            .entry(stream)
            .and_modify(|capture| capture.last.extend(&mark.last))
            .or_insert(mark);
        true
    }

    /// Ends the capture that began with a stream.
    ///
    /// # Errors
    /// It is not captured.
    pub(crate) fn end(&mut self, stream: u64) -> CudaResult<EndedCapture> {
        let capture = self.streams.remove(&stream).ok_or(error::ILLEGAL_STATE)?;
        let takes_part = |other: &Capture| other.id == capture.id;
        let mut others = Vec::new();
        self.streams.retain(|_, other| {
            others.extend(takes_part(other).then(|| other.last.clone()));
            !takes_part(other)
        });
        self.marks.retain(|_, other| !takes_part(other));
        Ok(EndedCapture { capture, others })
    }
}
