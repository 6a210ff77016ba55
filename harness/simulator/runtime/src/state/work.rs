//! What streams and graphs do, as data: performed at once, queued, or kept as a node of a graph.

use simt::texture::Array;

use crate::error::{self, CudaResult};
use crate::host::{HostFunction, Pointer};

/// How a kernel is launched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaunchShape {
    /// Blocks in x, y, z.
    pub(crate) grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub(crate) block: [u32; 3],
    /// Blocks of a cluster in x, y, z, if the launch names them.
    pub(crate) cluster: Option<[u32; 3]>,
    /// Dynamic shared memory of a block in bytes.
    pub(crate) shared_bytes: usize,
    /// A cooperative launch: all blocks are resident at once.
    pub(crate) cooperative: bool,
}

impl LaunchShape {
    /// Blocks of the grid.
    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().fold(1, |all, &more| all.saturating_mul(u64::from(more)))
    }

    /// Threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().fold(1, |all, &more| all.saturating_mul(more))
    }
}

/// `cudaMemcpyKind`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyKind {
    /// Whether the destination and the source are the device's.
    Between { to_device: bool, from_device: bool },
    /// What the addresses say.
    Default,
}

impl CopyKind {
    pub(crate) fn new(number: i32) -> CudaResult<CopyKind> {
        let between = |to_device, from_device| CopyKind::Between { to_device, from_device };
        Ok(match number {
            0 => between(false, false),
            1 => between(true, false),
            2 => between(false, true),
            3 => between(true, true),
            4 => CopyKind::Default,
            _ => return Err(error::INVALID_DIRECTION),
        })
    }
}

/// Rows of bytes in layers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) first: Pointer,
    /// Bytes from one row to the next.
    pub(crate) pitch: usize,
    /// Rows from one layer to the next.
    pub(crate) height: usize,
}

impl Rows {
    /// Where row `y` of layer `z` begins.
    pub(crate) fn row(&self, y: usize, z: usize) -> Pointer {
        self.first.plus((z * self.height + y) * self.pitch)
    }
}

/// One end of a copy.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CopyEnd {
    Rows(Rows),
    /// Texels of an array, from the one at this x, y, z.
    Array(Array, [u32; 3]),
}

/// A piece of work.
#[derive(Debug, Clone)]
pub(crate) enum Work {
    Launch {
        function: u64,
        shape: LaunchShape,
        arguments: Vec<Vec<u8>>,
    },
    Copy {
        to: CopyEnd,
        from: CopyEnd,
        /// Bytes of a row, rows of a layer, layers.
        extent: [usize; 3],
        kind: CopyKind,
    },
    /// Sets every element to a value.
    Set {
        to: Rows,
        value: u32,
        /// Bytes of an element: 1, 2 or 4.
        element: usize,
        /// Elements of a row, rows of a layer, layers.
        extent: [usize; 3],
    },
    /// A function of the program. It may call the runtime, which must not be locked meanwhile.
    Host {
        function: HostFunction,
        data: Pointer,
    },
    /// The work of a child graph, in order.
    Graph(Vec<Work>),
    /// One of several graphs, chosen by a value that kernels set.
    Conditional(Conditional),
    Empty,
    /// Waits for an event.
    Wait(u64),
    /// Records an event.
    Record(u64),
    /// Memory of a graph, which is uninitialised again whenever the node runs.
    Allocate {
        address: u64,
        bytes: u64,
    },
    Free(u64),
}

/// Which graph of a conditional node runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The first if the value is not zero; otherwise the second, if there is one.
    If,
    /// The first, repeated while the value is not zero.
    While,
    /// The one whose index is the value, if there is one.
    Switch,
}

/// A conditional node.
#[derive(Debug, Clone)]
pub(crate) struct Conditional {
    /// The address of the value.
    pub(crate) handle: u64,
    pub(crate) choice: Choice,
    /// Handles of the graphs, to which the program adds nodes after it has added this one.
    pub(crate) graphs: Vec<u64>,
    /// The work of these graphs, known once the node's graph is instantiated.
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
