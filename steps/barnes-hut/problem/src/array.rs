//! The arrays of a step on a device, as plain data.

/// An array of a step.
#[derive(Debug, Clone, Copy)]
pub struct Array {
    /// Its name in calls and messages.
    pub name: &'static str,
    /// What it holds.
    pub role: Role,
    /// How many elements of four bytes.
    pub words: fn(&Sizes) -> u64,
}

/// What an array holds, for the first n bodies: in the order of the input, or in that of [`Role::Order`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Masses.
    Mass,
    /// Positions along an axis.
    Position(usize),
    /// Velocities along an axis.
    Velocity(usize),
    /// Accelerations along an axis.
    Acceleration(usize),
    /// Positions and masses: `float4`.
    PositionMass,
    /// Velocities: `float4`.
    Velocities,
    /// Accelerations and their absolute values: `float4`, zero before the first time step. The next one may use them.
    Accelerations,
    /// The number in the input of the body at each place; before the first time step its own place.
    Order,
    /// Bodies in the order in which warps have them; a permutation.
    Sorted,
    /// A part of what the host reads the tree from; nothing before the first time step.
    Tree,
    /// All bodies as one node: the centre of mass, and the mass.
    Whole,
    /// A box around all bodies, as often as blocks would find one.
    Boxes,
    /// Zero before the first time step.
    Zero,
    /// Parts that GPUs gather from each other. It stays as it is when bodies are placed anew.
    Exchanged,
    /// Nothing before the first time step.
    Scratch,
}

/// What sizes of arrays and grids depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Bodies.
    pub n: u64,
    /// Cells that there is room for.
    pub cells: u64,
    /// Multiprocessors.
    pub multiprocessors: u64,
    /// The number of the GPU among those that divide the work.
    pub gpu: u64,
    /// How many these are.
    pub gpus: u64,
    /// The most bodies that one of them has, where each has some of its own; else all.
    pub most: u64,
    /// Where parts of trees lie that they send each other.
    pub sections: Sections,
}

/// Sections of arrays, of which each holds what a GPU sends of its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sections {
    /// The section that this GPU fills.
    pub own: u64,
    /// Nodes of each.
    pub nodes: u64,
    /// Bodies of each.
    pub bodies: u64,
}

impl Sizes {
    /// For `n` bodies on one GPU. Bodies on a line need most cells, 1.44 n; a pair at one place needs about 20.
    pub fn new(n: u64, multiprocessors: u32) -> Sizes {
        let cells = n + n / 2 + (1 << 15);
        let sections = Sections::default();
        let multiprocessors = multiprocessors.into();
        Sizes { n, cells, multiprocessors, gpu: 0, gpus: 1, most: n, sections }
    }

    /// The same on one GPU of several.
    #[must_use]
    pub fn on(self, gpu: usize, gpus: usize) -> Sizes {
        Sizes { gpu: gpu as u64, gpus: gpus as u64, ..self }
    }

    /// Bodies and cells.
    pub fn nodes(&self) -> u64 {
        self.n + self.cells
    }
}
