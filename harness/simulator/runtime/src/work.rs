//! What streams and graphs do, as data: done at once, or kept as a node of a graph.

use crate::arrays::End;
use crate::code::{self, Done};
use crate::exports::pointer::{HostFunction, Pointer};
use crate::launch::Shape;
use crate::memory::{Kind, Rows};
use crate::runtime::Runtime;

/// A piece of work.
#[derive(Debug, Clone)]
pub(crate) enum Work {
    Launch {
        function: u64,
        shape: Shape,
        arguments: Vec<Vec<u8>>,
    },
    /// From the second end to the first; widths in bytes.
    Copy {
        ends: (End, End),
        extent: [usize; 3],
        kind: Kind,
    },
    /// Rows of elements of 1, 2 or 4 bytes, all of this value.
    Set {
        to: Rows,
        value: u32,
        element: usize,
        extent: [usize; 3],
    },
    /// A function of the program: only who does not hold the runtime can do it, since it may call the runtime.
    Host {
        function: HostFunction,
        data: Pointer,
    },
    /// A graph's, in order.
    Graph(Vec<Work>),
    /// One of some graphs, by a value that kernels set.
    Conditional(Conditional),
    Empty,
    Wait(u64),
    Record(u64),
    /// Memory of a graph, allocated with the node: what it held before is lost.
    Allocate {
        address: u64,
        bytes: u64,
    },
    Free(u64),
}

/// Which graph of a conditional node runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The first if the value is not zero; else the second, if there is one.
    If,
    /// The first, as long as the value is not zero.
    While,
    /// That of the value, if there are so many.
    Switch,
}

/// A conditional node.
#[derive(Debug, Clone)]
pub(crate) struct Conditional {
    /// The address of the value.
    pub(crate) handle: u64,
    pub(crate) choice: Choice,
    /// Handles of the graphs, which are filled after the node is made.
    pub(crate) graphs: Vec<u64>,
    /// What they do, known when the graph of the node is made ready to be launched.
    pub(crate) bodies: Vec<Vec<Work>>,
}

impl Conditional {
    /// The graph that runs for a value.
    pub(crate) fn body(&self, value: u32) -> Option<&[Work]> {
        let index = match self.choice {
            Choice::If => usize::from(value == 0),
            Choice::While if value == 0 => return None,
            Choice::While => 0,
            Choice::Switch => value as usize,
        };
        self.bodies.get(index).map(Vec::as_slice)
    }
}

impl Work {
    /// `cudaGraphNodeType`
    pub(crate) fn kind(&self) -> i32 {
        match self {
            Work::Launch { .. } => 0,
            Work::Copy { .. } => 1,
            Work::Set { .. } => 2,
            Work::Host { .. } => 3,
            Work::Graph(_) => 4,
            Work::Empty => 5,
            Work::Wait(_) => 6,
            Work::Record(_) => 7,
            Work::Allocate { .. } => 10,
            Work::Free(_) => 11,
            Work::Conditional(_) => 13,
        }
    }
}

impl Runtime {
    /// Adds work to a stream: it is done, or becomes a node of the graph that the stream is captured into.
    pub(crate) fn submit(&mut self, stream: u64, work: Work) -> Done {
        match self.graphs.capture(stream, work) {
            None => Ok(()),
            Some(work) => {
                let stream = self.streams.get(stream)?;
                self.issue(work, stream)
            }
        }
    }

    /// Does it; without a stream the host waits.
    pub(crate) fn perform(&mut self, work: &Work, stream: Option<u64>) -> Done {
        match work {
            Work::Launch { function, shape, arguments } => {
                self.launch(*function, *shape, arguments, stream)
            }
            Work::Copy { ends, extent, kind } => self.copy_elements(*ends, *extent, *kind, stream),
            Work::Set { to, value, element: 1, extent } => {
                self.set(*to, *value as i32, *extent, stream)
            }
            Work::Set { to, value, element, extent: [width, height, depth] } => {
                let value = &value.to_le_bytes()[..*element];
                let bytes = [width * element, *height, *depth];
                self.scatter(*to, bytes, &value.repeat(width * height * depth))?;
                self.add_fill(bytes, stream);
                Ok(())
            }
            Work::Wait(event) => stream.map_or(Ok(()), |stream| self.streams.wait(stream, *event)),
            Work::Record(event) => self.streams.record(*event, stream.unwrap_or(0)),
            Work::Allocate { address, bytes } => {
                let done = self.simulator.forget(*address, *bytes);
                done.map_err(|error| self.memory_error(error))
            }
            Work::Free(address) => self.free(*address),
            Work::Empty => Ok(()),
            // Taken apart, and done without the runtime, by who launches a graph.
            Work::Graph(_) | Work::Host { .. } | Work::Conditional(_) => Err(code::INVALID_VALUE),
        }
    }
}
